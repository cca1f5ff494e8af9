"""How many complete rows a test is worth where cells are missing, from the information that incomplete rows have.

The covariances of x, y and the set are estimated from all rows (``hccd.independence.em``). In coordinates in which the
set is white and x and y are what it leaves of them, with variance 1, a row tells of the covariances of two pairs (a, b)
and (c, d) of coordinates the information ::

    R[a, c] R[b, d] + R[a, d] R[b, c]

where R is the covariance of what the observed cells of the row let one expect of the coordinates: the identity if all
are observed. Summed over the rows this is the information of all covariances; what it has of that of x and y, beyond
all others (the Schur complement), is the number of rows. Complete rows count 1 each, rows without x and y as far as
other columns tell them, and rows without a part of the set less the more x and y depend on it.

Rows of one pattern of gaps are alike: ``place[p, v]`` is where pattern p has variable v among those that it misses, or
-1; ``lost[start[p] ..]`` their covariances given what is observed, ``size[p]`` by ``size[p]``.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt


class EffectiveRows:
    """Rows by patterns of gaps; variables that others determine up to ``singular`` count as nothing."""

    def __init__(self, correlation, place, start, size, lost, weight, singular):
        self.correlation = correlation
        self.place = place
        self.start = start
        self.size = size
        self.lost = lost
        self.weight = weight
        self.singular = singular
        self.room = -1
        self.make_room(1)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        if order <= self.room:
            return
        self.room = order
        m = order + 2
        pairs = m * (m + 1) // 2
        self.member = np.zeros(m, np.intc)
        self.base = np.zeros((m, m))
        self.missing = np.zeros(m, np.intc)
        self.shared = np.zeros((m, m))
        self.told = np.zeros((m, m))
        self.first = np.zeros(pairs, np.intc)
        self.second = np.zeros(pairs, np.intc)
        self.scale = np.zeros(pairs)
        self.information = np.zeros((pairs, pairs))

    def rows_of(self, x, y, given):
        """Return the number of rows for x and y given a set."""
        self.make_room(len(given))
        return self.rows(x, y, given, len(given))

    def rows(self, x, y, given, order):
        """Return the number of rows for x and y given the first ``order`` of ``given``."""
        m: cython.int = order + 2
        i: cython.int
        p: cython.Py_ssize_t
        n_missing: cython.int
        complete: cython.double = 0.0
        for i in range(order):
            self.member[i] = given[i]
        self.member[order] = x
        self.member[order + 1] = y
        self.whiten(order)
        count: cython.int = self.list_pairs(m)
        for p in range(self.place.shape[0]):
            n_missing = 0
            for i in range(m):
                if self.place[p, self.member[i]] >= 0:
                    self.missing[n_missing] = i
                    n_missing += 1
            if n_missing == 0:
                complete += self.weight[p]
            else:
                self.tell(p, m, n_missing)
                self.add(count, self.weight[p])
        for i in range(count):
            self.information[i, i] += complete
        return self.last_pivot(count)

    @cython.final
    def whiten(self, order):
        """Write the coordinates of the set, of x and of y as combinations of the variables; x and y apart."""
        i: cython.int
        j: cython.int
        k: cython.int
        along: cython.double
        left: cython.double
        for i in range(order + 2):
            left = 1.0
            for j in range(order + 2):
                self.base[i, j] = 0.0
            self.base[i, i] = 1.0
            for j in range(min(i, order)):
                along = 0.0
                for k in range(j + 1):
                    along += self.base[j, k] * self.correlation[self.member[k], self.member[i]]
                left -= along * along
                for k in range(j + 1):
                    self.base[i, k] -= along * self.base[j, k]
            left = 1.0 / sqrt(left) if left > self.singular else 0.0
            for j in range(i + 1):
                self.base[i, j] *= left

    @cython.final
    def list_pairs(self, m):
        """List the pairs of coordinates, that of x and y last, and begin without information."""
        a: cython.int
        b: cython.int
        count: cython.int = 0
        for b in range(m):
            for a in range(b + 1):
                if a != m - 2 or b != m - 1:
                    self.first[count] = a
                    self.second[count] = b
                    # A variance has twice the information of a covariance.
                    self.scale[count] = 1.0 if a != b else 0.5
                    count += 1
        self.first[count] = m - 2
        self.second[count] = m - 1
        self.scale[count] = 1.0
        count += 1
        for a in range(count):
            for b in range(a + 1):
                self.information[a, b] = 0.0
        return count

    @cython.final
    def tell(self, p, m, n_missing):
        """Find what the observed cells of a pattern tell of the coordinates."""
        i: cython.int
        j: cython.int
        u: cython.int
        v: cython.int
        at: cython.longlong
        total: cython.double
        for u in range(n_missing):
            at = self.start[p]
            at += cython.cast(cython.longlong, self.place[p, self.member[self.missing[u]]]) * self.size[p]
            for i in range(m):
                total = 0.0
                for v in range(n_missing):
                    total += self.lost[at + self.place[p, self.member[self.missing[v]]]] * self.base[i, self.missing[v]]
                self.shared[u, i] = total
        for i in range(m):
            for j in range(i + 1):
                total = 0.0
                for u in range(n_missing):
                    total += self.base[i, self.missing[u]] * self.shared[u, j]
                self.told[i, j] = (1.0 if i == j else 0.0) - total
                self.told[j, i] = self.told[i, j]

    @cython.final
    def add(self, count, weight):
        """Add the information of so many rows of one pattern."""
        i: cython.int
        j: cython.int
        a: cython.int
        b: cython.int
        scaled: cython.double
        for i in range(count):
            a = self.first[i]
            b = self.second[i]
            for j in range(i + 1):
                # The root of both scales, without a root: they are 1 or a half, and 2 ** -0.5 belongs to mixed pairs.
                scaled = self.scale[i] if self.scale[i] == self.scale[j] else 0.7071067811865476
                self.information[i, j] += (
                    weight
                    * scaled
                    * (
                        self.told[a, self.first[j]] * self.told[b, self.second[j]]
                        + self.told[a, self.second[j]] * self.told[b, self.first[j]]
                    )
                )

    @cython.final
    def last_pivot(self, count):
        """Return what the information of the last pair has beyond that of all others."""
        i: cython.int
        j: cython.int
        k: cython.int
        share: cython.double
        for k in range(count - 1):
            if self.information[k, k] > self.singular:
                for i in range(k + 1, count):
                    share = self.information[i, k] / self.information[k, k]
                    if share != 0.0:
                        for j in range(k + 1, i + 1):
                            self.information[i, j] -= share * self.information[j, k]
        return max(self.information[count - 1, count - 1], 0.0)
