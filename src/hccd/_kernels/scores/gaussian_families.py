"""Scores of families of a linear Gaussian network: BIC, from the correlation matrix.

With N rows and v the share of the child's variance that its k parents leave, the score is::

    - N/2 ln(v) - k/2 ln(N)

An LDL factor of the parents is made once for a family; one parent more costs one row of it, as in correlation.py.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp, log

if not cython.compiled:
    from .families import Families

# Variables that are factored at once.
AT_ONCE = cython.declare(cython.int, 1024)


class GaussianFamilies(Families):
    """BIC of families of up to ``max_parents`` parents and one; shares up to ``singular`` count as nothing."""

    def __init__(self, correlation, n_rows, singular, max_parents):
        size = max_parents + 2
        self.correlation = correlation
        self.n_rows = n_rows
        self.singular = singular
        self.price = 0.5 * np.log(n_rows)
        # Reading and correlating the table is the work that came first.
        self.work = int(10.0 * n_rows * len(correlation))
        self.member = np.zeros(size, np.intc)
        self.raw = np.zeros(size)
        self.factor = np.zeros((size, size))
        self.inverse = np.zeros(size)
        self.along = np.zeros(size)
        self.coefficient = np.zeros(size)
        self.column = np.zeros(size)
        n = len(correlation)
        # So many are factored one at a time.
        self.few = n // 8
        self.child = -1
        self.count = 0
        self.known = 0
        self.left_over = np.ones(size)
        self.all_raw = np.zeros((size, n))
        self.all_left = np.ones((size, n))
        self.all_along = np.zeros((size, n))
        self.excess = np.zeros(n)
        self.some_raw = np.zeros((size, self.few))
        self.some_left = np.zeros(self.few)
        self.some_along = np.zeros(self.few)

    def begin(self, child, members, count):
        """Factor the correlations of the parents; what the last family began with is there already."""
        i: cython.int
        same: cython.int = 0
        left: cython.double
        if child == self.child:
            while same < min(count, self.count) and self.member[same] == members[same]:
                same += 1
        else:
            self.child = child
            self.known = -1
        self.known = min(self.known, same)
        self.count = count
        for i in range(same, count):
            self.member[i] = members[i]
            left = self.project(i, members[i])
            left = 1.0 / left if left > self.singular else 0.0
            self.inverse[i] = left
            self.along[i] = self.covariance
            self.left_over[i + 1] = self.left_over[i] - self.covariance * self.covariance * left
        self.rest = self.left_over[count]

    def record(self):
        """Return the family at hand as well: the work of the next one depends on what both begin with."""
        family = np.array([self.child, self.known], np.intc)
        return {**Families.record(self), "family": family, "members": np.array(self.member[: self.count])}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        known: cython.int = kept["family"][1]
        members = kept["members"]
        self.child = -1
        if known >= 0:
            self.begin(kept["family"][0], members, known)
            self.factor_all()
        self.begin(kept["family"][0], members, len(members))
        Families.restore(self, kept)

    @cython.final
    def project(self, depth, z):
        """Take from z and the child what the first ``depth`` parents say; return the variance left of z."""
        i: cython.int
        j: cython.int
        total: cython.double
        share: cython.double
        left: cython.double = 1.0
        # Rows of the family, not of z: they are asked again and again, and stay near the processor.
        self.covariance = self.correlation[self.child, z]
        for i in range(depth):
            total = self.correlation[self.member[i], z]
            for j in range(i):
                total -= self.raw[j] * self.factor[i, j]
            self.raw[i] = total
            share = total * self.inverse[i]
            self.factor[depth, i] = share
            left -= total * share
            self.covariance -= share * self.along[i]
        return left

    @cython.final
    def project_some(self, others):
        """Do the same for several variables at once, with all parents."""
        i: cython.int
        j: cython.int
        k: cython.int
        n_others: cython.int = others.shape[0]
        share: cython.double
        inverse: cython.double
        along: cython.double
        for k in range(n_others):
            self.some_left[k] = 1.0
            self.some_along[k] = self.correlation[self.child, others[k]]
        for i in range(self.count):
            for k in range(n_others):
                self.some_raw[i, k] = self.correlation[self.member[i], others[k]]
            for j in range(i):
                share = self.factor[i, j]
                for k in range(n_others):
                    self.some_raw[i, k] -= self.some_raw[j, k] * share
            inverse = self.inverse[i]
            along = self.along[i]
            for k in range(n_others):
                share = self.some_raw[i, k] * inverse
                self.some_left[k] -= self.some_raw[i, k] * share
                self.some_along[k] -= share * along

    @cython.final
    def of_rest(self, rest, count):
        """Return the score of ``count`` parents that leave this share of the variance."""
        if rest < self.singular:
            rest = self.singular
        return -0.5 * self.n_rows * log(rest) - self.price * count

    def value(self):
        """Return the score of the family at hand."""
        self.evaluations += 1
        return self.of_rest(self.rest, self.count)

    @cython.final
    def factor_all(self):
        """Take from all variables at once what the parents say, row by row."""
        i: cython.int
        begin: cython.int = 0
        n: cython.int = self.correlation.shape[0]
        # So few variables at a time that what is taken from them stays near the processor.
        while begin < n:
            self.factor_some(begin, min(begin + AT_ONCE, n))
            begin += AT_ONCE
        for i in range(max(self.known, 0), self.count):
            self.work += cython.cast(cython.longlong, n) * (i + 3)
        self.known = self.count

    @cython.final
    def factor_some(self, begin, end):
        """Take from these variables what the parents say, parent by parent."""
        i: cython.int
        j: cython.int
        x: cython.int
        first: cython.double
        second: cython.double
        if self.known < 0:
            for x in range(begin, end):
                self.all_along[0, x] = self.correlation[self.child, x]
        for i in range(max(self.known, 0), self.count):
            if i == 0:
                for x in range(begin, end):
                    self.all_raw[0, x] = self.correlation[self.member[0], x]
            else:
                first = self.factor[i, 0]
                for x in range(begin, end):
                    self.all_raw[i, x] = self.correlation[self.member[i], x] - first * self.all_raw[0, x]
            # Two at a time: the numbers are read and written half as often.
            j = 1
            while j + 1 < i:
                first = self.factor[i, j]
                second = self.factor[i, j + 1]
                for x in range(begin, end):
                    self.all_raw[i, x] = (
                        self.all_raw[i, x] - first * self.all_raw[j, x] - second * self.all_raw[j + 1, x]
                    )
                j += 2
            if j < i:
                first = self.factor[i, j]
                for x in range(begin, end):
                    self.all_raw[i, x] -= first * self.all_raw[j, x]
            first = self.inverse[i]
            second = first * self.along[i]
            for x in range(begin, end):
                self.all_left[i + 1, x] = self.all_left[i, x] - self.all_raw[i, x] * self.all_raw[i, x] * first
                self.all_along[i + 1, x] = self.all_along[i, x] - self.all_raw[i, x] * second

    def gaining(self, least, others, excluded, found, gain):
        """Factor all variables at once, unless few are asked for: that leaves one comparison for each."""
        i: cython.int
        j: cython.int
        x: cython.int
        count: cython.int = 0
        n_others: cython.int = others.shape[0]
        all_at_once: cython.bint = n_others >= self.few
        everybody: cython.bint = all_at_once and n_others == self.correlation.shape[0]
        rest: cython.double
        along: cython.double
        left: cython.double
        now: cython.double = self.of_rest(self.rest, self.count)
        # More is gained where less than this is left.
        enough: cython.double = max(self.rest, self.singular)
        enough *= 1.0 - exp(-2.0 * (least + self.price) / self.n_rows)
        self.ask(others)
        i = self.count
        # Mostly nobody gains: the first look is at all, without a branch for each.
        if everybody:
            for x in range(n_others):
                self.excess[x] = self.all_along[i, x] * self.all_along[i, x] - enough * self.all_left[i, x]
        elif all_at_once:
            for j in range(n_others):
                x = others[j]
                self.excess[j] = self.all_along[i, x] * self.all_along[i, x] - enough * self.all_left[i, x]
        else:
            for j in range(n_others):
                self.excess[j] = self.some_along[j] * self.some_along[j] - enough * self.some_left[j]
        j = -1
        while True:
            j += 1
            while j < n_others and not self.excess[j] > 0.0:
                j += 1
            if j >= n_others:
                break
            x = others[j]
            if excluded[x]:
                continue
            if all_at_once:
                left = self.all_left[i, x]
                along = self.all_along[i, x]
            else:
                left = self.some_left[j]
                along = self.some_along[j]
            if left > self.singular and along * along > enough * left:
                rest = self.rest - along * along / left
                found[count] = x
                gain[count] = self.of_rest(rest, self.count + 1) - now
                count += gain[count] > least
        return count

    def strongest(self, least, others, excluded, place, limit, found, gain):
        """Rank by the share of the rest that each explains: there is a logarithm for few only."""
        i: cython.int = self.count
        j: cython.int
        x: cython.int
        count: cython.int = 0
        n_others: cython.int = others.shape[0]
        enough: cython.double = 0.0
        left: cython.double
        along: cython.double
        now: cython.double = self.of_rest(self.rest, self.count)
        # Who leaves nothing is as good as anybody else who does.
        most: cython.double = max(self.rest - self.singular, 0.0)
        self.ask(others)
        for j in range(n_others):
            x = others[j]
            if n_others >= self.few:
                left = self.all_left[i, x]
                along = self.all_along[i, x]
            else:
                left = self.some_left[j]
                along = self.some_along[j]
            if along * along > enough * left and left > self.singular and place[x] < limit and not excluded[x]:
                count = self.insert(x, min(along * along / left, most), count, found, gain)
                if count == found.shape[0]:
                    # A little less: the last bit of a share may be another than that of the comparison.
                    enough = gain[count - 1] * (1.0 - 1e-12)
        for j in range(count):
            gain[j] = self.of_rest(self.rest - gain[j], self.count + 1) - now
        while count > 0 and gain[count - 1] <= least:
            count -= 1
        return count

    @cython.final
    def ask(self, others):
        """Take from these what the parents say: from all variables at once, unless few are asked for."""
        n_others: cython.int = others.shape[0]
        if n_others >= self.few:
            self.factor_all()
            self.work += n_others
        else:
            self.project_some(others)
            self.work += cython.cast(cython.longlong, n_others) * (self.count + 2) * (self.count + 4)
        self.evaluations += n_others

    def weakest(self, child, members, count, fewer):
        """Find it from the coefficients and the inverse of the parents' correlations, without a factor for each."""
        i: cython.int
        j: cython.int
        p: cython.int
        found: cython.int = 0
        total: cython.double
        precision: cython.double
        least: cython.double = 1e300
        self.begin(child, members, count)
        self.evaluations += count
        # The coefficients of the parents, last one first.
        for i in range(count - 1, -1, -1):
            total = self.along[i] * self.inverse[i]
            for j in range(i + 1, count):
                total -= self.factor[j, i] * self.coefficient[j]
            self.coefficient[i] = total
        for p in range(count):
            # The column of the factor's inverse, and with it the p-th entry on the diagonal of the parents' inverse.
            precision = self.inverse[p]
            self.column[p] = 1.0
            for i in range(p + 1, count):
                total = 0.0
                for j in range(p, i):
                    total -= self.factor[i, j] * self.column[j]
                self.column[i] = total
                precision += total * total * self.inverse[i]
            total = self.coefficient[p] * self.coefficient[p] / precision if precision > 0.0 else 0.0
            if total < least:
                least = total
                found = p
        return found

    def value_with(self, x):
        """Return the score with x; a parent that the others determine adds nothing."""
        rest: cython.double = self.rest
        left: cython.double = self.project(self.count, x)
        self.evaluations += 1
        if left > self.singular:
            rest -= self.covariance * self.covariance / left
        return self.of_rest(rest, self.count + 1)
