"""The level search for coded columns: states of x and y counted in every stratum of the set.

Three ways to count, by what is to be counted:

* **bits**, for few cells: a bit for every row in each state of each variable (``bit_tables.py``);
* **rows**, for tables that are small next to the rows: one pass over the rows, by their codes (``row_tables.py``);
* **sparse**, where strata and cells outnumber the rows: only what occurs is touched (``row_tables.py``).

What is known of z_1 .. z_k (codes, strata as bits, tables) is computed when first needed and serves every set that
begins with them. What the tables say, and whether that is enough to be sure, is left to ``strata_sum.py``.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from math import inf as INFINITY

    from .bit_tables import BitTables
    from .level import LevelSearch
    from .row_tables import RowTables
    from .strata_sum import StrataSum

# Counting bits takes about one step for each cell and 64 rows, counting rows a few for each row; and dependence is
# often certain after the first strata, which counting rows cannot make use of. Between 200 and 800 it hardly matters.
BIT_CELLS = cython.declare(cython.int, 400)


class TableSearch(LevelSearch):
    """The level search for coded columns.

    ``kind`` and ``critical_values`` are those of ``StrataSum``. ``answers``, or None, are asked first, and told; they
    are for mutual information, whose statistic alone decides.
    """

    def __init__(self, kind, columns, critical_values, association, outer, by_strength, position, answers=None):
        LevelSearch.__init__(self, association, outer, by_strength, position)
        # A table takes microseconds to count.
        self.grain = 16
        # Counting into one dense table is quickest while the table is small next to the rows.
        dense_cells = 2 * columns.n_rows + 256
        self.states = columns.states
        self.sum = StrataSum(kind, columns, critical_values, max(dense_cells, BIT_CELLS))
        self.bits = BitTables(columns, self.sum, BIT_CELLS)
        self.rows = RowTables(columns, self.sum, dense_cells)
        self.remembers = answers is not None
        self.answers = answers
        self.make_room(self.room)

    def need_critical(self, freedom):
        """Get the critical values for up to this many degrees of freedom."""
        self.sum.need_critical(freedom)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        self.bits.make_room(order)
        self.rows.make_room(order)
        self.asked = np.zeros(order + 1, np.uint64)

    @cython.final
    def measure(self):
        """Leave the complete statistic and its degrees of freedom behind; return the mutual information."""
        information: cython.double
        rows: cython.longlong
        chi_square: cython.bint = self.sum.chi_square
        self.sum.hasty = False
        self.sum.chi_square = False
        self.tabulate()
        # Without rows there is no information; mutual information as a statistic is of all rows already.
        rows = self.sum.total if not self.sum.by_freedom else max(self.sum.rows, 1)
        information = self.sum.statistic / (2.0 * self.sum.unit * rows)
        if chi_square:
            self.sum.chi_square = True
            self.tabulate()
        self.sum.hasty = True
        self.statistic = self.sum.statistic
        self.freedom = self.sum.freedom
        return information

    def begin(self):
        """Turn to the pair at hand: nothing is given yet."""
        self.sum.begin(self.states[self.x], self.states[self.y])
        self.bits.begin(self.x, self.y)
        self.rows.begin(self.x, self.y)
        if self.remembers:
            self.asked[0] = self.answers.pair(self.x, self.y)

    def extend(self, depth, z):
        """Take note of z; nothing is counted before it is needed."""
        self.bits.extend(depth, z)
        self.rows.extend(depth, z)
        if self.remembers:
            self.asked[depth + 1] = self.answers.with_member(self.asked[depth], z)

    @cython.final
    def tabulate(self):
        """Sum over the strata of the whole set."""
        self.sum.clear()
        if self.bits.fits(self.order):
            self.bits.count(self.order)
        else:
            self.rows.count(self.order)
        self.sum.close()

    def independent(self):
        """Whether the sum says so; note the degrees of freedom if there is no critical value for them."""
        if self.remembers and self.answers.knows(self.asked[self.order]):
            self.statistic = self.answers.recall(self.asked[self.order])
            self.freedom = 0
            return self.statistic <= self.sum.critical[0]
        self.tabulate()
        if self.sum.independent():
            self.statistic = self.sum.statistic
            self.freedom = self.sum.freedom
            if self.remembers:
                self.answers.keep(self.asked[self.order], self.statistic)
            return True
        if self.remembers:
            self.answers.keep(self.asked[self.order], INFINITY)
        if self.sum.missing_freedom > self.missing_freedom:
            self.missing_freedom = self.sum.missing_freedom
        return False
