"""The level search for variables that are blocks of columns: the likelihood ratio of Gaussian blocks.

With D(.) the determinant of what the set leaves of a block, the statistic is::

    (N - 1 - r - (p + q + 1) / 2) (ln D(x) + ln D(y) - ln D(x, y))

where r, p and q are the ranks of the set, and of x and y given it. The factor is Bartlett's: with it, the statistic has
nearly the chi-square distribution of p q degrees of freedom. If the set determines x or y, or if the factor is below 1,
there is nothing to judge by, and the answer is "not independent".

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .block_factor import BlockFactor
    from .level import LevelSearch

NOT_A_NUMBER = cython.declare(cython.double, float("nan"))


class BlockSearch(LevelSearch):
    """The level search for blocks; ``critical[f]`` is the largest statistic called zero with f degrees of freedom."""

    def __init__(self, correlation, first, n_rows, singular, critical, association, outer, by_strength, position):
        LevelSearch.__init__(self, association, outer, by_strength, position)
        # Some numbers of a matrix: quicker than a table, dearer than a correlation.
        self.grain = 64
        self.n_rows = n_rows
        self.critical = critical
        # The largest squared correlation that is called zero, by the rank of the set.
        factor = np.maximum(n_rows - 2.5 - np.arange(len(correlation) + 1), 1.0)
        self.limit = -np.expm1(-critical[1] / factor)
        self.width = np.diff(first).astype(np.intc)
        self.blocks = BlockFactor(correlation, first, singular, 2 * int(np.max(self.width, initial=1)))
        self.make_room(self.room)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.blocks.make_room(max(order, 1))

    def begin(self):
        """Look at x and y; nothing is given yet."""
        self.blocks.clear_targets()
        self.blocks.look_at(self.x, self.width[self.x])
        self.blocks.look_at(self.y, self.width[self.y])
        self.blocks.begin()

    def extend(self, depth, z):
        """Add the columns of z to the set."""
        self.blocks.extend(depth, z)

    def measure(self):
        """Leave the statistic and its degrees of freedom behind; return the information."""
        middle: cython.int = self.width[self.x]
        stop: cython.int = middle + self.width[self.y]
        p: cython.int = self.blocks.hold(self.order, 0, middle)
        q: cython.int = self.blocks.hold(self.order, middle, stop)
        told: cython.double
        factor: cython.double = self.n_rows - 1.0 - self.blocks.rank[self.order] - 0.5 * (p + q + 1)
        self.freedom = cython.cast(cython.longlong, p) * q
        if self.freedom == 0 or factor < 1.0:
            self.freedom = 0
            self.statistic = NOT_A_NUMBER
            return 0.0
        told = max(self.blocks.log_told(self.order, middle, stop), 0.0)
        self.statistic = factor * told
        return 0.5 * told

    def independent(self):
        """Whether the statistic says so; for two single columns squares are compared first, as in correlation.py."""
        u: cython.double
        v: cython.double
        w: cython.double
        if self.width[self.x] == 1 and self.width[self.y] == 1:
            u = self.blocks.rest[self.order, 0, 0]
            v = self.blocks.rest[self.order, 1, 1]
            w = self.blocks.rest[self.order, 1, 0]
            # Far enough from the limit for rounding not to matter.
            if w * w > 1.000001 * self.limit[self.blocks.rank[self.order]] * u * v:
                return False
        self.measure()
        return self.freedom > 0 and self.statistic <= self.critical[self.freedom]
