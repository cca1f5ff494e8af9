"""Compiled loops: arrays in, arrays out, no type of the library, no GIL.

Each kernel is a Python file that Cython compiles when the package is installed; the same file, run by Python
itself, is the reference that the parity tests compare with.
"""
