"""The level search for blocks of columns with missing cells: every test has a number of rows of its own.

Otherwise it is the search of blocks.py, on covariances that were estimated from all rows.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .blocks import BlockSearch


class GapSearch(BlockSearch):
    """The search for blocks; ``effective`` says how many rows a test is worth."""

    def __init__(self, correlation, first, effective, singular, critical, association, outer, by_strength, position):
        self.effective = effective
        # No rows at all: then nothing is called dependent before the rows of the test are known.
        BlockSearch.__init__(
            self, correlation, first, 0.0, singular, critical, association, outer, by_strength, position
        )

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.member = np.zeros(max(order, 1), np.intc)
        self.effective.make_room(order)
        BlockSearch.make_room(self, order)

    def extend(self, depth, z):
        """Add the columns of z to the set."""
        self.member[depth] = z
        BlockSearch.extend(self, depth, z)

    def measure(self):
        """Count the rows of the test, and leave its statistic behind."""
        self.n_rows = self.effective.rows(self.x, self.y, self.member, self.order)
        return BlockSearch.measure(self)
