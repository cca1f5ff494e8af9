"""Row codes: which stratum of a set each row is in, as a number.

The codes of z_1 .. z_k in mixed radix are kept for every k, so that a set costs one pass over the rows for each of its
variables that the last set did not begin with; they are made when first needed. Codes that could outnumber the rows are
renumbered, so that only combinations that occur have one. A row with a missing cell has the code -1 from there on: it
is in no stratum.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class RowCodes:
    """The codes of sets that grow and shrink."""

    def __init__(self, columns):
        n_rows = columns.n_rows
        self.data = columns.data
        self.states = columns.states
        self.n_rows = n_rows
        self.gapped = columns.gapped
        self.coded = 0
        self.bucket = np.empty(n_rows + 2, np.intc)
        self.row_order = np.empty(n_rows, np.intc)
        self.stamp = np.empty(columns.most_states + 1, np.intc)
        self.renumbered = np.empty(columns.most_states + 1, np.intc)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        # Level k holds the codes of k variables; the one beyond the set is for a split of its strata.
        codes = np.empty((order + 2, self.n_rows), np.intc)
        codes[0] = 0
        self.codes = codes
        self.n_codes = np.ones(order + 2, np.intc)
        self.member = np.zeros(order + 1, np.intc)

    @cython.final
    def extend(self, depth, z):
        """Take note of z; its codes are made when they are needed."""
        self.member[depth] = z
        if self.coded > depth:
            self.coded = depth

    @cython.final
    def code_up_to(self, depth):
        """Make the row codes of the first variables of the set, as far as they are not there."""
        r: cython.int
        z: cython.int
        width: cython.int
        # A local: the compiler cannot know that writing codes leaves a field as it is.
        level: cython.int
        wide: cython.longlong
        for level in range(self.coded, depth):
            z = self.member[level]
            width = self.states[z]
            wide = cython.cast(cython.longlong, self.n_codes[level]) * width
            if wide > self.n_rows:
                self.renumber(level, z)
            elif self.gapped:
                for r in range(self.n_rows):
                    self.codes[level + 1, r] = self.codes[level, r] * width + self.data[z, r]
                    if self.codes[level, r] < 0 or self.data[z, r] == width:
                        self.codes[level + 1, r] = -1
                self.n_codes[level + 1] = cython.cast(cython.int, wide)
            else:
                for r in range(self.n_rows):
                    self.codes[level + 1, r] = self.codes[level, r] * width + self.data[z, r]
                self.n_codes[level + 1] = cython.cast(cython.int, wide)
        self.coded = max(self.coded, depth)

    @cython.final
    def sort_rows(self, depth):
        """Order the rows by their code: bucket c is row_order[bucket[c] : bucket[c + 1]]; those without are before."""
        c: cython.int
        r: cython.int
        n_codes: cython.int = self.n_codes[depth]
        for c in range(n_codes + 2):
            self.bucket[c] = 0
        for r in range(self.n_rows):
            self.bucket[self.codes[depth, r] + 2] += 1
        for c in range(2, n_codes + 2):
            self.bucket[c] += self.bucket[c - 1]
        for r in range(self.n_rows):
            c = self.codes[depth, r] + 1
            self.row_order[self.bucket[c]] = r
            self.bucket[c] += 1

    @cython.final
    def renumber(self, depth, z):
        """Split the strata by z, and give new codes to the combinations that occur, and to no others."""
        c: cython.int
        i: cython.int
        r: cython.int
        state: cython.int
        count: cython.int = 0
        n_states: cython.int = self.states[z]
        self.sort_rows(depth)
        for i in range(n_states):
            self.stamp[i] = -1
        # A missing cell has no stratum at all.
        self.stamp[n_states] = -1
        self.renumbered[n_states] = -1
        for i in range(self.bucket[0]):
            self.codes[depth + 1, self.row_order[i]] = -1
        for c in range(self.n_codes[depth]):
            for i in range(self.bucket[c], self.bucket[c + 1]):
                r = self.row_order[i]
                state = self.data[z, r]
                if self.stamp[state] != c and state < n_states:
                    self.stamp[state] = c
                    self.renumbered[state] = count
                    count += 1
                self.codes[depth + 1, r] = self.renumbered[state]
        self.n_codes[depth + 1] = count
