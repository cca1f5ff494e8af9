"""What a set of variables leaves of others, where a variable is a block of columns: an LDL factor that grows by blocks.

Columns ``first[v] .. first[v + 1] - 1`` of the correlation matrix belong to variable v. ``rest`` is the covariance of
some columns, the *targets*, given the set so far; one column more takes one row of the factor and a product from it, as
in correlation.py. A column that adds nothing (up to ``singular`` of its variance) changes nothing.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import log

TINY = cython.declare(cython.double, 1e-200)


class BlockFactor:
    """The factor of a set, for at most ``targets`` columns to look at."""

    def __init__(self, correlation, first, singular, targets):
        self.correlation = correlation
        self.first = first
        self.singular = singular
        self.n_targets = 0
        self.widest = int(np.max(np.diff(first), initial=1))
        self.target = np.zeros(targets, np.intc)
        self.held = np.zeros(targets)
        self.scratch = np.zeros((targets, targets))
        self.make_room(1)

    def make_room(self, depth):
        """Allocate for sets of up to ``depth`` variables, and begin anew."""
        size = depth * self.widest
        targets = len(self.target)
        self.column = np.zeros(size, np.intc)
        self.last = np.zeros(depth + 1, np.intc)
        self.rank = np.zeros(depth + 1, np.intc)
        self.raw = np.zeros(size)
        self.factor = np.zeros((size, size))
        self.inverse = np.zeros(size)
        self.along = np.zeros((size, targets))
        self.rest = np.zeros((depth + 1, targets, targets))

    def clear_targets(self):
        """Look at nothing."""
        self.n_targets = 0

    def look_at(self, variable, columns):
        """Add the first columns of a variable to the targets."""
        c: cython.int
        for c in range(self.first[variable], self.first[variable] + columns):
            self.target[self.n_targets] = c
            self.n_targets += 1

    def begin(self):
        """Give nothing: what is left of the targets is all of them."""
        i: cython.int
        j: cython.int
        for i in range(self.n_targets):
            for j in range(i + 1):
                self.rest[0, i, j] = self.correlation[self.target[i], self.target[j]]

    def extend(self, depth, variable):
        """Let the variable be number ``depth`` of the set."""
        c: cython.int
        i: cython.int
        j: cython.int
        k: cython.int = self.last[depth]
        total: cython.double
        share: cython.double
        left: cython.double
        self.rank[depth + 1] = self.rank[depth]
        for i in range(self.n_targets):
            for j in range(i + 1):
                self.rest[depth + 1, i, j] = self.rest[depth, i, j]
        for c in range(self.first[variable], self.first[variable + 1]):
            left = 1.0
            for i in range(k):
                total = self.correlation[c, self.column[i]]
                for j in range(i):
                    total -= self.raw[j] * self.factor[i, j]
                self.raw[i] = total
                # A row that adds nothing has an inverse of zero and stays out of everything.
                share = total * self.inverse[i]
                self.factor[k, i] = share
                left -= total * share
            self.column[k] = c
            if left > self.singular:
                left = 1.0 / left
                self.rank[depth + 1] += 1
                for i in range(self.n_targets):
                    total = self.correlation[c, self.target[i]]
                    for j in range(k):
                        total -= self.factor[k, j] * self.along[j, i]
                    self.along[k, i] = total
                    share = total * left
                    for j in range(i + 1):
                        self.rest[depth + 1, i, j] -= share * self.along[k, j]
            else:
                left = 0.0
                for i in range(self.n_targets):
                    self.along[k, i] = 0.0
            self.inverse[k] = left
            k += 1
        self.last[depth + 1] = k

    def hold(self, depth, start, stop):
        """Find what is left of each target from ``start`` to ``stop`` after those before it; return how many vary.

        ``held`` is that share, or 0 for a column that the set and those before it determine.
        """
        i: cython.int
        j: cython.int
        count: cython.int = 0
        for i in range(start, stop):
            for j in range(start, i + 1):
                self.scratch[i, j] = self.rest[depth, i, j]
        for j in range(start, stop):
            self.held[j] = 0.0
            if self.scratch[j, j] > self.singular:
                self.held[j] = self.scratch[j, j]
                count += 1
                self.eliminate(j, stop)
        return count

    def log_held(self, start, stop):
        """Return the log-determinant of the columns that are held."""
        j: cython.int
        total: cython.double = 0.0
        product: cython.double = 1.0
        for j in range(start, stop):
            if self.held[j] > 0.0:
                product *= self.held[j]
                # One logarithm for many columns, before the product is lost.
                if product < TINY:
                    total += log(product)
                    product = 1.0
        return total + log(product)

    def log_told(self, depth, start, stop):
        """Return by how much the targets before ``start`` lower the log-determinant of those that are held from there.

        A column that they determine counts as all but determined.
        """
        i: cython.int
        j: cython.int
        left: cython.double
        total: cython.double = 0.0
        product: cython.double = 1.0
        for i in range(stop):
            for j in range(i + 1):
                self.scratch[i, j] = self.rest[depth, i, j]
        for j in range(stop):
            if self.held[j] == 0.0:
                continue
            left = self.scratch[j, j]
            if left > self.singular:
                self.eliminate(j, stop)
            else:
                left = self.singular
            if j >= start:
                product *= left / self.held[j]
                if product < TINY:
                    total += log(product)
                    product = 1.0
        return -(total + log(product))

    def eliminate(self, j, stop):
        """Take the target j out of the later ones, in the scratch matrix."""
        i: cython.int
        k: cython.int
        share: cython.double
        for i in range(j + 1, stop):
            share = self.scratch[i, j] / self.scratch[j, j]
            if share != 0.0:
                for k in range(j + 1, i + 1):
                    self.scratch[i, k] -= share * self.scratch[k, j]
