"""Puts this directory on the import path, so that test directories can share the inputs of method_cases.py; sets hypothesis."""

from hypothesis import settings

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
