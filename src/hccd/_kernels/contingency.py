"""Contingency tables for the level search: states of x and y counted in every stratum of the set.

Row codes of z_1 .. z_k are kept for every k, so a set costs one pass over the rows for its last variable. Codes
are renumbered as soon as they could outnumber the rows. Degrees of freedom are summed over strata, (states of x
that occur there - 1)(states of y that occur there - 1) each; an empty stratum adds nothing.
"""

import cython
import numpy as np

if not cython.compiled:
    from .level import LevelSearch

# What a table is reduced to; the caller passes the number.
G_STATISTIC = cython.declare(cython.int, 0)
CHI_SQUARE = cython.declare(cython.int, 1)
INFORMATION = cython.declare(cython.int, 2)


class TableSearch(LevelSearch):
    """The level search for coded columns.

    ``critical[df]`` is the largest statistic called independent, for G and chi-square; for mutual information
    ``critical[0]`` is the largest G. ``n_log_n[k]`` is k log k.
    """

    def __init__(
        self,
        kind,
        data,
        states,
        critical,
        n_log_n,
        order,
        live,
        strength,
        by_strength,
        position,
        first,
        neighbors,
        degree,
    ):
        LevelSearch.__init__(self, order, live, strength, by_strength, position, first, neighbors, degree)
        n_rows = data.shape[1]
        most = int(np.max(states, initial=1))
        # Counting into one dense table is quickest while the table is small next to the rows.
        dense = 2 * n_rows + 256
        self.kind = kind
        self.data = data
        self.states = states
        self.n_rows = n_rows
        self.critical = critical
        self.n_log_n = n_log_n
        self.dense_cells = dense
        # Level k holds the codes of k variables; the one beyond the set is for the states of x within it.
        codes = np.empty((order + 2, n_rows), np.intc)
        codes[0] = 0
        self.codes = codes
        self.n_codes = np.ones(order + 2, np.intc)
        self.cells = np.empty(max(dense, most), np.intc)
        self.margin_x = np.empty(most, np.intc)
        self.margin_y = np.empty(most, np.intc)
        self.seen = np.empty(n_rows, np.intc)
        self.seen_cell = np.empty(n_rows, np.intc)
        self.bucket = np.empty(n_rows + 2, np.intc)
        self.row_order = np.empty(n_rows, np.intc)
        self.stamp = np.empty(most, np.intc)
        self.renumbered = np.empty(most, np.intc)

    def statistics(self, x, y, given, statistic, freedom, information):
        """Write statistic, degrees of freedom and conditional mutual information of each (x, y | given).

        Degrees of freedom are -1 where every row is alone in its stratum.
        """
        e: cython.Py_ssize_t
        d: cython.int
        kind: cython.int = self.kind
        with cython.nogil:
            for e in range(x.shape[0]):
                self.x = x[e]
                self.y = y[e]
                for d in range(self.order):
                    self.extend(d, given[e, d])
                self.kind = G_STATISTIC
                self.tabulate()
                information[e] = self.statistic / (2.0 * self.n_rows)
                if kind == CHI_SQUARE:
                    self.kind = kind
                    self.tabulate()
                statistic[e] = self.statistic
                freedom[e] = self.freedom
        self.kind = kind

    def begin(self):
        """Start from one stratum, which holds every row: level 0 of the codes, all zero from the beginning."""

    def extend(self, depth, z):
        """Split every stratum by the states of z."""
        r: cython.int
        width: cython.int = self.states[z]
        wide: cython.longlong = cython.cast(cython.longlong, self.n_codes[depth]) * width
        if wide > self.n_rows:
            self.renumber(depth, z)
            return
        for r in range(self.n_rows):
            self.codes[depth + 1, r] = self.codes[depth, r] * width + self.data[z, r]
        self.n_codes[depth + 1] = cython.cast(cython.int, wide)

    def sort_rows(self, depth):
        """Order the rows by their code: bucket c is row_order[bucket[c] : bucket[c + 1]]."""
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

    def renumber(self, depth, z):
        """Give new codes to the combinations that occur, and to no others."""
        c: cython.int
        i: cython.int
        r: cython.int
        state: cython.int
        count: cython.int = 0
        self.sort_rows(depth)
        for i in range(self.states[z]):
            self.stamp[i] = -1
        for c in range(self.n_codes[depth]):
            for i in range(self.bucket[c], self.bucket[c + 1]):
                r = self.row_order[i]
                state = self.data[z, r]
                if self.stamp[state] != c:
                    self.stamp[state] = c
                    self.renumbered[state] = count
                    count += 1
                self.codes[depth + 1, r] = self.renumbered[state]
        self.n_codes[depth + 1] = count

    def tabulate(self):
        """Compute statistic and degrees of freedom of x and y in the strata of the whole set."""
        width: cython.longlong = cython.cast(cython.longlong, self.states[self.x]) * self.states[self.y]
        self.statistic = 0.0
        self.freedom = 0
        self.repeated = False
        if width * self.n_codes[self.order] <= self.dense_cells:
            self.count_dense(cython.cast(cython.int, width))
        else:
            self.count_sparse()
        if self.kind != CHI_SQUARE:
            self.statistic = 2.0 * self.statistic
        # Rounding may leave a zero slightly below zero.
        if self.statistic < 0.0:
            self.statistic = 0.0
        # Every row alone in its stratum: there is nothing to judge by.
        if self.freedom == 0 and not self.repeated:
            self.freedom = -1

    def count_dense(self, width):
        """Count all strata into one array, then reduce them one by one."""
        s: cython.int
        i: cython.int
        j: cython.int
        k: cython.int
        r: cython.int
        rows: cython.int
        columns: cython.int
        total: cython.int
        n_x: cython.int = self.states[self.x]
        n_y: cython.int = self.states[self.y]
        n_strata: cython.int = self.n_codes[self.order]
        level: cython.int = self.order
        x: cython.int = self.x
        y: cython.int = self.y
        value: cython.double
        for k in range(n_strata * width):
            self.cells[k] = 0
        for r in range(self.n_rows):
            self.cells[self.codes[level, r] * width + self.data[x, r] * n_y + self.data[y, r]] += 1
        for s in range(n_strata):
            total = 0
            rows = 0
            columns = 0
            for j in range(n_y):
                self.margin_y[j] = 0
            k = s * width
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
            if total > 1:
                self.repeated = True
            if rows < 2 or columns < 2:
                continue
            self.freedom += cython.cast(cython.longlong, rows - 1) * (columns - 1)
            k = s * width
            if self.kind == CHI_SQUARE:
                value = 0.0
                for i in range(n_x):
                    for j in range(n_y):
                        r = self.cells[k]
                        k += 1
                        if r > 0:
                            value += self.share(r, self.margin_x[i], self.margin_y[j])
                self.statistic += total * (value - 1.0)
            else:
                value = self.n_log_n[total]
                for i in range(n_x):
                    value -= self.n_log_n[self.margin_x[i]]
                for j in range(n_y):
                    value -= self.n_log_n[self.margin_y[j]]
                for i in range(width):
                    value += self.n_log_n[self.cells[k + i]]
                self.statistic += value

    def share(self, count, of_x, of_y):
        """One cell's part of chi-square: its square over the product of its margins."""
        return cython.cast(cython.double, count) * count / (cython.cast(cython.double, of_x) * of_y)

    def count_sparse(self):
        """Stratum by stratum, touching only what occurs: no cost for states, cells or strata never seen."""
        i: cython.int
        j: cython.int
        k: cython.int
        b: cython.int
        start: cython.int
        stop: cython.int
        count: cython.int
        columns: cython.int
        cells: cython.int
        stratum: cython.int
        y: cython.int = self.y
        level: cython.int = self.order
        n_parts: cython.int
        value: cython.double
        for b in range(self.states[y]):
            self.cells[b] = 0
            self.margin_y[b] = 0
        # Parts of a stratum, one for each state of x that occurs there, get neighbouring codes.
        self.renumber(level, self.x)
        self.sort_rows(level + 1)
        n_parts = self.n_codes[level + 1]
        i = 0
        while i < n_parts:
            start = self.bucket[i]
            stratum = self.codes[level, self.row_order[start]]
            j = i + 1
            while j < n_parts and self.codes[level, self.row_order[self.bucket[j]]] == stratum:
                j += 1
            stop = self.bucket[j]
            columns = 0
            for k in range(start, stop):
                b = self.data[y, self.row_order[k]]
                if self.margin_y[b] == 0:
                    self.seen[columns] = b
                    columns += 1
                self.margin_y[b] += 1
            if stop - start > 1:
                self.repeated = True
            if j - i > 1 and columns > 1:
                self.freedom += cython.cast(cython.longlong, j - i - 1) * (columns - 1)
                value = 0.0
                while i < j:
                    count = self.bucket[i + 1] - self.bucket[i]
                    cells = 0
                    for k in range(self.bucket[i], self.bucket[i + 1]):
                        b = self.data[y, self.row_order[k]]
                        if self.cells[b] == 0:
                            self.seen_cell[cells] = b
                            cells += 1
                        self.cells[b] += 1
                    for k in range(cells):
                        b = self.seen_cell[k]
                        if self.kind == CHI_SQUARE:
                            value += self.share(self.cells[b], count, self.margin_y[b])
                        else:
                            value += self.n_log_n[self.cells[b]]
                        self.cells[b] = 0
                    if self.kind != CHI_SQUARE:
                        value -= self.n_log_n[count]
                    i += 1
                if self.kind == CHI_SQUARE:
                    self.statistic += (stop - start) * (value - 1.0)
                else:
                    for k in range(columns):
                        value -= self.n_log_n[self.margin_y[self.seen[k]]]
                    self.statistic += value + self.n_log_n[stop - start]
            for k in range(columns):
                self.margin_y[self.seen[k]] = 0
            i = j

    def independent(self):
        """Compare with the critical value; if the set determines x or y, they have nothing left to share."""
        self.tabulate()
        if self.kind == INFORMATION:
            return self.statistic <= self.critical[0]
        if self.freedom <= 0:
            return self.freedom == 0
        if self.freedom >= self.critical.shape[0]:
            if self.freedom > self.missing_freedom:
                self.missing_freedom = self.freedom
            return False
        return self.statistic <= self.critical[self.freedom]
