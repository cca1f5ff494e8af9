"""For all tests: this directory is on the import path, so that they can share inputs, and nothing has a deadline."""

from hypothesis import settings

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
