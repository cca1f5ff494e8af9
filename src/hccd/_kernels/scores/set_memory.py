"""A memory of what is dear to compute for a set of variables, or for a variable with a set of parents.

A set is known by random numbers, one for each variable, bit by bit added up, so that one variable more costs one
operation. With 64 bits two sets of a run do not meet by chance. Where the memory is full, a newer set takes the place
of an older one. What is remembered stands in an array of the owner's, at the same place.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class SetMemory:
    """Sets by key, in a table of ``2 ** bits`` places."""

    def __init__(self, n_variables, bits):
        self.child_key = _numbers(n_variables, 1)
        self.member_key = _numbers(n_variables, 2)
        self.mask = (1 << bits) - 1
        self.keys = np.zeros(1 << bits, np.uint64)

    @cython.final
    def place(self, key):
        """Return where a key is, or would be: one of four places from where it belongs."""
        i: cython.int
        at: cython.ulonglong
        for i in range(4):
            at = ((key & self.mask) + cython.cast(cython.ulonglong, i)) & self.mask
            if self.keys[at] == key or self.keys[at] == 0:
                return at
        return key & self.mask

    def forget(self):
        """Remember nothing any more."""
        at: cython.ulonglong
        for at in range(self.mask + 1):
            self.keys[at] = 0


def _numbers(n, seed):
    """Return random numbers, the same on every machine (splitmix64)."""
    with np.errstate(over="ignore"):
        z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed << 40)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
