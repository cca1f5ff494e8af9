"""A DAG that changes edge by edge and always knows who is an ancestor of whom: one bit for each pair.

So whether an edge would close a cycle is one look, which a search over DAGs asks at every step. An edge more adds bits
to all that descend from it; one less makes the bits of its descendants anew, parents first.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class Ancestors:
    """A DAG over n variables, without edges at first, of at most ``max_parents`` parents each."""

    def __init__(self, n, max_parents):
        self.n = n
        self.words = (n + 63) // 64
        self.bits = np.zeros((n, self.words), np.uint64)
        self.parents = np.zeros((n, max_parents), np.intc)
        self.n_parents = np.zeros(n, np.intc)
        self.stale = np.zeros(n, np.uint8)
        self.stack = np.zeros(n + 1, np.intc)

    def is_ancestor(self, x, y):
        """Whether a directed path leads from x to y."""
        return (self.bits[y, x >> 6] >> cython.cast(cython.int, x & 63)) & 1

    def can_turn(self, x, y):
        """Whether the edge from x to y can be turned round: no other path leads from x to y."""
        i: cython.int
        p: cython.int
        for i in range(self.n_parents[y]):
            p = self.parents[y, i]
            if p != x and self.is_ancestor(x, p):
                return False
        return True

    def insert(self, x, y):
        """Add the edge from x to y, which closes no cycle; parents stay in ascending order."""
        d: cython.int
        w: cython.int
        one: cython.ulonglong = 1
        i: cython.int = self.n_parents[y]
        while i > 0 and self.parents[y, i - 1] > x:
            self.parents[y, i] = self.parents[y, i - 1]
            i -= 1
        self.parents[y, i] = x
        self.n_parents[y] += 1
        for d in range(self.n):
            if d == y or self.is_ancestor(y, d):
                for w in range(self.words):
                    self.bits[d, w] |= self.bits[x, w]
                self.bits[d, x >> 6] |= one << cython.cast(cython.int, x & 63)

    def remove(self, x, y):
        """Take away the edge from x to y."""
        i: cython.int = 0
        while self.parents[y, i] != x:
            i += 1
        self.n_parents[y] -= 1
        while i < self.n_parents[y]:
            self.parents[y, i] = self.parents[y, i + 1]
            i += 1
        self.renew(y)

    def renew(self, y):
        """Make the bits of y and its descendants anew: each once those of its parents are."""
        d: cython.int
        i: cython.int
        p: cython.int
        w: cython.int
        size: cython.int
        waits: cython.bint
        one: cython.ulonglong = 1
        for d in range(self.n):
            self.stale[d] = d == y or self.is_ancestor(y, d)
        for d in range(self.n):
            if not self.stale[d]:
                continue
            self.stack[0] = d
            size = 1
            while size > 0:
                y = self.stack[size - 1]
                waits = False
                for i in range(self.n_parents[y]):
                    p = self.parents[y, i]
                    if self.stale[p]:
                        self.stack[size] = p
                        size += 1
                        waits = True
                        break
                if waits:
                    continue
                for w in range(self.words):
                    self.bits[y, w] = 0
                for i in range(self.n_parents[y]):
                    p = self.parents[y, i]
                    for w in range(self.words):
                        self.bits[y, w] |= self.bits[p, w]
                    self.bits[y, p >> 6] |= one << cython.cast(cython.int, p & 63)
                self.stale[y] = 0
                size -= 1
