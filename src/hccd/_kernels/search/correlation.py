"""Partial correlations for the level search: an LDL factor that grows and shrinks with the set.

Row d of ``factor`` is what z_d adds to z_0 .. z_{d-1}; ``along_x`` and ``along_y`` are the covariances of x and y with
what it adds, ``inverse`` is one over the variance of that. One division for each variable, no root; for one and two
variables this is the closed form. A z that adds nothing (collinear with the set) changes nothing: what is given is the
span. If the set determines x or y, no variation is left to look at, and the answer is "not independent", by definition:
a test without evidence removes no edge.
"""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

if not cython.compiled:
    from .level import LevelSearch

NOT_A_NUMBER = cython.declare(cython.double, float("nan"))


class CorrelationSearch(LevelSearch):
    """The level search for a correlation matrix; ``critical[k]`` is the largest square called zero given k variables.

    Beyond its length nothing is: there are not enough rows.
    """

    def __init__(self, correlation, critical, singular, outer, by_strength, position):
        LevelSearch.__init__(self, correlation, outer, by_strength, position)
        self.correlation = correlation
        self.critical = critical
        self.singular = singular
        self.make_room(self.room)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.raw = np.zeros((order + 1, order + 1))
        self.factor = np.zeros((order + 1, order + 1))
        self.inverse = np.zeros(order + 1)
        self.along_x = np.zeros(order + 1)
        self.along_y = np.zeros(order + 1)
        self.rest_x = np.ones(order + 1)
        self.rest_y = np.ones(order + 1)
        self.rest_xy = np.zeros(order + 1)
        self.member = np.zeros(order + 1, np.intc)

    def begin(self):
        """Start from the plain correlation."""
        self.rest_xy[0] = self.correlation[self.x, self.y]

    def extend(self, depth, z):
        """Add the row of z to the factor, and take its share from x, y and their covariance."""
        i: cython.int
        j: cython.int
        total: cython.double
        share: cython.double
        left: cython.double = 1.0
        a: cython.double = self.correlation[self.x, z]
        b: cython.double = self.correlation[self.y, z]
        self.member[depth] = z
        for i in range(depth):
            total = self.correlation[z, self.member[i]]
            for j in range(i):
                total -= self.raw[depth, j] * self.factor[i, j]
            self.raw[depth, i] = total
            # A row that adds nothing has an inverse of zero and stays out of everything.
            share = total * self.inverse[i]
            self.factor[depth, i] = share
            left -= total * share
            a -= share * self.along_x[i]
            b -= share * self.along_y[i]
        left = 1.0 / left if left > self.singular else 0.0
        self.inverse[depth] = left
        self.along_x[depth] = a
        self.along_y[depth] = b
        self.rest_x[depth + 1] = self.rest_x[depth] - a * a * left
        self.rest_y[depth + 1] = self.rest_y[depth] - b * b * left
        self.rest_xy[depth + 1] = self.rest_xy[depth] - a * b * left

    def measure(self):
        """Leave the partial correlation behind; nan if the set determines x or y."""
        u: cython.double = self.rest_x[self.order]
        v: cython.double = self.rest_y[self.order]
        if u <= self.singular or v <= self.singular:
            self.statistic = NOT_A_NUMBER
        else:
            self.statistic = self.rest_xy[self.order] / sqrt(u * v)
        return 0.0

    def single(self, z):
        """Compare squares in closed form: what ``extend`` and ``independent`` say of one variable, to the bit."""
        a: cython.double = self.correlation[self.x, z]
        b: cython.double = self.correlation[self.y, z]
        u: cython.double = 1.0 - a * a
        v: cython.double = 1.0 - b * b
        w: cython.double = self.rest_xy[0] - a * b
        if self.critical.shape[0] < 2 or u <= self.singular or v <= self.singular or w * w > self.critical[1] * u * v:
            return False
        self.statistic = w / sqrt(u * v)
        return True

    def independent(self):
        """Compare squares; the root is taken only of a correlation that is kept."""
        u: cython.double = self.rest_x[self.order]
        v: cython.double = self.rest_y[self.order]
        w: cython.double = self.rest_xy[self.order]
        if self.order >= self.critical.shape[0] or u <= self.singular or v <= self.singular:
            return False
        if w * w > self.critical[self.order] * u * v:
            return False
        self.measure()
        return True
