"""Puts this directory on the import path, so that test directories can share the inputs of method_cases.py."""
