"""What contingency tables say: a statistic and its degrees of freedom, summed over strata, and the verdict.

With counts O, row sums R, column sums C and total n of a stratum, it adds

    G / 2 = sum O log O - sum R log R - sum C log C + n log n,    or    X2 = n (sum O^2 / (R C) - 1),

and (states of x that occur there - 1)(states of y that occur there - 1) degrees of freedom; an empty stratum adds
nothing. Mutual information is G by another scale.

Strata only add to the statistic, so the sum is ``decided`` at the stratum that makes dependence certain; whoever counts
may then stop. Counts are in units of ``columns.unit`` rows: a sum of either kind grows with its unit. How tables are
counted is not known here: a stratum comes as a dense table of cells, or part by part with the cells that are not empty.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import log

# What a table is reduced to; the caller passes the number. Otherwise it is G with its degrees of freedom.
CHI_SQUARE = cython.declare(cython.int, 1)
INFORMATION = cython.declare(cython.int, 2)

# Critical values are looked up to here at first; beyond that, when they are met.
USUAL_FREEDOM = cython.declare(cython.int, 512)


class StrataSum:
    """The sum over the strata of one question, with room for tables of up to ``most_cells`` cells.

    ``critical_values(most)`` returns the largest statistic called independent for 0 .. most degrees of freedom, for G
    and chi-square; for mutual information its only entry is the largest G.
    """

    def __init__(self, kind, columns, critical_values, most_cells):
        self.chi_square = kind == CHI_SQUARE
        self.by_freedom = kind != INFORMATION
        self.n_log_n = columns.n_log_n
        self.total = columns.total
        self.unit = columns.unit
        self.alone = columns.alone
        self.critical_values = critical_values
        self.critical = critical_values(USUAL_FREEDOM)
        self.cells = np.empty(max(most_cells, columns.most_states), np.intc)
        self.margin_x = np.empty(columns.most_states, np.intc)
        self.margin_y = np.empty(columns.most_states, np.intc)
        self.seen = np.empty(columns.n_rows, np.intc)
        self.seen_cell = np.empty(columns.n_rows, np.intc)
        # Whether to stop as soon as dependence is certain; then the statistic is not complete.
        self.hasty = True

    def need_critical(self, freedom):
        """Get the critical values for up to this many degrees of freedom."""
        self.critical = self.critical_values(1 << int(freedom).bit_length())

    @cython.final
    def begin(self, n_x, n_y):
        """Turn to a pair of variables with so many states."""
        self.n_x = n_x
        self.n_y = n_y

    @cython.final
    def clear(self):
        """Start from no strata."""
        self.statistic = 0.0
        self.freedom = 0
        self.part = 0.0
        self.rows = 0
        self.repeated = False
        self.decided = False

    @cython.final
    def add_table(self, start, left):
        """Add what the dense table of one stratum says, from cell ``start`` on; ``left`` strata are still to come."""
        i: cython.int
        j: cython.int
        k: cython.int = start
        r: cython.int
        rows: cython.int = 0
        columns: cython.int = 0
        total: cython.int = 0
        n_x: cython.int = self.n_x
        n_y: cython.int = self.n_y
        tabled: cython.bint
        value: cython.double
        for j in range(n_y):
            self.margin_y[j] = 0
        for i in range(n_x):
            r = 0
            for j in range(n_y):
                r += self.cells[k]
                self.margin_y[j] += self.cells[k]
                k += 1
            self.margin_x[i] = r
            total += r
            if r > 0:
                rows += 1
        for j in range(n_y):
            if self.margin_y[j] > 0:
                columns += 1
        self.rows += total
        if total > self.alone:
            self.repeated = True
        if rows < 2 or columns < 2:
            return
        self.freedom += cython.cast(cython.longlong, rows - 1) * (columns - 1)
        k = start
        if self.chi_square:
            value = 0.0
            for i in range(n_x):
                for j in range(n_y):
                    r = self.cells[k]
                    k += 1
                    if r > 0:
                        value += self.share(r, self.margin_x[i], self.margin_y[j])
            self.statistic += total * (value - 1.0)
        else:
            # No cell has more than all of them.
            tabled = total < self.n_log_n.shape[0]
            value = self.term(total)
            for i in range(n_x):
                value -= self.n_log_n[self.margin_x[i]] if tabled else self.term(self.margin_x[i])
            for j in range(n_y):
                value -= self.n_log_n[self.margin_y[j]] if tabled else self.term(self.margin_y[j])
            for i in range(n_x * n_y):
                value += self.n_log_n[self.cells[k + i]] if tabled else self.term(self.cells[k + i])
            self.statistic += value
        if self.hasty and left > 0:
            self.decide(left)

    @cython.final
    def term(self, count):
        """Return n log n; large numbers are not tabled."""
        if count < self.n_log_n.shape[0]:
            return self.n_log_n[count]
        return count * log(cython.cast(cython.double, count))

    @cython.final
    def decide(self, left):
        """Whether dependence is certain, whatever the strata to come hold."""
        most: cython.longlong = 0
        value: cython.double = self.unit * (self.statistic if self.chi_square else 2.0 * self.statistic)
        if self.by_freedom:
            most = self.freedom + cython.cast(cython.longlong, left) * (self.n_x - 1) * (self.n_y - 1)
        # A margin for rounding: the decision must be that of the complete sum.
        if most < self.critical.shape[0]:
            self.decided = value > self.critical[most] * (1.0 + 1e-9) + 1e-9

    @cython.final
    def share(self, count, of_x, of_y):
        """One cell's part of chi-square: its square over the product of its margins."""
        return cython.cast(cython.double, count) * count / (cython.cast(cython.double, of_x) * of_y)

    @cython.final
    def add_part(self, count, n_cells):
        """Add the rows of one state of x in a stratum: ``count`` of them, in the first cells of ``seen_cell``.

        They are cleared on the way. The margins of y are those of the whole stratum.
        """
        b: cython.int
        k: cython.int
        value: cython.double = self.part
        for k in range(n_cells):
            b = self.seen_cell[k]
            if self.chi_square:
                value += self.share(self.cells[b], count, self.margin_y[b])
            else:
                value += self.term(self.cells[b])
            self.cells[b] = 0
        if not self.chi_square:
            value -= self.term(count)
        self.part = value

    @cython.final
    def add_parts(self, total, n_parts, n_columns):
        """Add the stratum whose parts have been added: its rows, and how many states of x and y (``seen``) occur."""
        k: cython.int
        value: cython.double = self.part
        self.freedom += cython.cast(cython.longlong, n_parts - 1) * (n_columns - 1)
        if self.chi_square:
            self.statistic += total * (value - 1.0)
        else:
            for k in range(n_columns):
                value -= self.term(self.margin_y[self.seen[k]])
            self.statistic += value + self.term(total)
        self.part = 0.0

    @cython.final
    def close(self):
        """Make the sum a statistic, and the degrees of freedom -1 where every row is alone in its stratum.

        Mutual information is of the rows that count; as a statistic it is what all rows would have of it.
        """
        if not self.chi_square:
            self.statistic = 2.0 * self.statistic
        self.statistic *= self.unit
        if not self.by_freedom and self.rows > 0:
            self.statistic *= cython.cast(cython.double, self.total) / self.rows
        # Rounding may leave a zero slightly below zero.
        if self.statistic < 0.0:
            self.statistic = 0.0
        # A column that never varies shares nothing, however few rows there are.
        if self.freedom == 0 and not self.repeated and self.n_x > 1 and self.n_y > 1:
            self.freedom = -1

    @cython.final
    def independent(self):
        """Compare with the critical value; if the set determines x or y, they have nothing left to share.

        Without a critical value the degrees of freedom are left in ``missing_freedom``, and the answer is void.
        """
        self.missing_freedom = -1
        if self.decided:
            return False
        if not self.by_freedom:
            return self.statistic <= self.critical[0]
        if self.freedom <= 0:
            # No degrees of freedom, or nothing to judge by.
            return self.freedom == 0
        if self.freedom >= self.critical.shape[0]:
            self.missing_freedom = self.freedom
            return False
        return self.statistic <= self.critical[self.freedom]
