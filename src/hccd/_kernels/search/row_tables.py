"""Tables counted row by row, from the row codes of the set.

Tables that are small next to the rows are counted into one dense array, all strata in one pass over the rows; the last
variable of the set is looked up on the way and needs no codes, unless there are gaps or weights. Where strata and cells
outnumber the rows, counting is sparse: stratum by stratum, touching only what occurs.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .row_codes import RowCodes


class RowTables(RowCodes):
    """The tables of one pair and of sets that grow and shrink; up to ``dense_cells`` cells they are dense."""

    def __init__(self, columns, strata_sum, dense_cells):
        RowCodes.__init__(self, columns)
        self.sum = strata_sum
        self.cells = self.sum.cells
        self.margin_y = self.sum.margin_y
        self.seen = self.sum.seen
        self.seen_cell = self.sum.seen_cell
        self.weights = columns.weights
        self.plain = not (columns.gapped or columns.weighted)
        self.dense_cells = dense_cells
        self.pair = np.empty(columns.n_rows, np.intc)

    @cython.final
    def begin(self, x, y):
        """Start from one stratum, which holds every row; nothing is known of this pair yet."""
        self.x = x
        self.y = y
        self.width = cython.cast(cython.longlong, self.states[x]) * self.states[y]
        self.paired = False
        self.coded = 0
        if self.gapped:
            self.leave_out()

    @cython.final
    def leave_out(self):
        """Leave the rows that miss x or y out of the one stratum."""
        r: cython.int
        for r in range(self.n_rows):
            self.codes[0, r] = 0
            if self.data[self.x, r] == self.states[self.x] or self.data[self.y, r] == self.states[self.y]:
                self.codes[0, r] = -1

    @cython.final
    def count(self, order):
        """Count the cells of every stratum of the whole set, and add them to the sum."""
        if self.plain and order > 0 and self.narrow(order):
            # The codes of the last variable are counted as they come and need not be kept.
            self.count_dense(order - 1, self.member[order - 1])
            return
        self.code_up_to(order)
        if self.width * self.n_codes[order] <= self.dense_cells:
            self.count_dense(order, -1)
        else:
            self.count_sparse(order)

    @cython.final
    def narrow(self, order):
        """Whether the last variable of the set can be counted without codes of its own."""
        strata: cython.longlong
        self.code_up_to(order - 1)
        strata = cython.cast(cython.longlong, self.n_codes[order - 1]) * self.states[self.member[order - 1]]
        return strata <= self.n_rows and strata * self.width <= self.dense_cells

    @cython.final
    def count_dense(self, depth, last):
        """Count all strata into one array, row by row, then add them to the sum one by one.

        Strata are the codes at ``depth``, split by the states of ``last`` if that is a variable.
        """
        s: cython.int
        k: cython.int
        r: cython.int
        wide: cython.int
        n_y: cython.int = self.states[self.y]
        x: cython.int = self.x
        y: cython.int = self.y
        width: cython.int = cython.cast(cython.int, self.width)
        n_strata: cython.int = self.n_codes[depth]
        if not self.paired:
            for r in range(self.n_rows):
                self.pair[r] = self.data[x, r] * n_y + self.data[y, r]
            self.paired = True
        if last >= 0:
            n_strata *= self.states[last]
        for k in range(n_strata * width):
            self.cells[k] = 0
        if not self.plain:
            for r in range(self.n_rows):
                if self.codes[depth, r] >= 0:
                    self.cells[self.codes[depth, r] * width + self.pair[r]] += self.weights[r]
        elif last < 0 and depth == 0:
            for r in range(self.n_rows):
                self.cells[self.pair[r]] += 1
        elif last < 0:
            for r in range(self.n_rows):
                self.cells[self.codes[depth, r] * width + self.pair[r]] += 1
        elif depth == 0:
            for r in range(self.n_rows):
                self.cells[self.data[last, r] * width + self.pair[r]] += 1
        else:
            wide = self.states[last]
            for r in range(self.n_rows):
                self.cells[(self.codes[depth, r] * wide + self.data[last, r]) * width + self.pair[r]] += 1
        for s in range(n_strata):
            self.sum.add_table(s * width, n_strata - s - 1)
            if self.sum.decided:
                return

    @cython.final
    def count_sparse(self, order):
        """Stratum by stratum, touching only what occurs: no cost for states, cells or strata never seen."""
        i: cython.int
        j: cython.int
        k: cython.int
        b: cython.int
        start: cython.int
        stop: cython.int
        columns: cython.int
        stratum: cython.int
        n_parts: cython.int
        total: cython.int
        y: cython.int = self.y
        self.code_up_to(order)
        for b in range(self.states[y]):
            self.cells[b] = 0
            self.margin_y[b] = 0
        # Parts of a stratum, one for each state of x that occurs there, get neighbouring codes.
        self.renumber(order, self.x)
        self.sort_rows(order + 1)
        n_parts = self.n_codes[order + 1]
        i = 0
        while i < n_parts:
            start = self.bucket[i]
            stratum = self.codes[order, self.row_order[start]]
            j = i + 1
            while j < n_parts and self.codes[order, self.row_order[self.bucket[j]]] == stratum:
                j += 1
            stop = self.bucket[j]
            columns = 0
            total = 0
            for k in range(start, stop):
                b = self.data[y, self.row_order[k]]
                if self.margin_y[b] == 0:
                    self.seen[columns] = b
                    columns += 1
                self.margin_y[b] += self.weights[self.row_order[k]]
                total += self.weights[self.row_order[k]]
            self.sum.rows += total
            if total > self.sum.alone:
                self.sum.repeated = True
            if j - i > 1 and columns > 1:
                for k in range(i, j):
                    self.count_part(k)
                self.sum.add_parts(total, j - i, columns)
            for k in range(columns):
                self.margin_y[self.seen[k]] = 0
            i = j

    @cython.final
    def count_part(self, part):
        """Count the rows of one stratum that have one state of x, and add them to the sum."""
        k: cython.int
        b: cython.int
        y: cython.int = self.y
        cells: cython.int = 0
        total: cython.int = 0
        for k in range(self.bucket[part], self.bucket[part + 1]):
            b = self.data[y, self.row_order[k]]
            if self.cells[b] == 0:
                self.seen_cell[cells] = b
                cells += 1
            self.cells[b] += self.weights[self.row_order[k]]
            total += self.weights[self.row_order[k]]
        self.sum.add_part(total, cells)
