"""Contingency tables for the level search: states of x and y counted in every stratum of the set.

Three ways to count, by what is to be counted:

* **bits**, for few cells: a bit for every row in each state of each variable. The rows of a cell are those bits of x, y
  and the set that are on together, 64 rows at a time. The last state of a variable is what the others leave.
* **rows**, for tables that are small next to the rows: the row codes of z_1 .. z_k in mixed radix are kept for every k,
  so that a set costs one pass over the rows.
* **sparse**, where strata and cells outnumber the rows: stratum by stratum, touching only what occurs.

What is known of z_1 .. z_k (codes, strata as bits, tables) is computed when first needed and serves every set that
begins with them. Codes are renumbered as soon as they could outnumber the rows. Degrees of freedom are summed over
strata, (states of x that occur there - 1)(states of y that occur there - 1) each; an empty stratum adds nothing.

A search stops at the stratum that makes dependence certain: strata only add to the statistic.
"""

import cython
import numpy as np

if not cython.compiled:
    from .level import LevelSearch

    # Compiled, these are C functions; see the declarations.
    def count_common(a, i, b, j):
        """How many bits are on in both rows."""
        return sum((int(u) & int(v)).bit_count() for u, v in zip(a[i], b[j], strict=True))

    def write_common(a, i, b, j, out, k):
        """Write the bits that are on in both rows to a third; return how many they are."""
        out[k] = a[i] & b[j]
        return count_common(a, i, b, j)

    def count_cells(a, i, cells, n_cells, counts, start):
        """Count the bits that row i has in common with each of the first rows of ``cells``."""
        for k in range(n_cells):
            counts[start + k] = count_common(a, i, cells, k)


# What a table is reduced to; the caller passes the number.
G_STATISTIC = cython.declare(cython.int, 0)
CHI_SQUARE = cython.declare(cython.int, 1)
INFORMATION = cython.declare(cython.int, 2)

# Critical values are looked up to here at first; beyond that, when they are met.
USUAL_FREEDOM = cython.declare(cython.int, 512)

# Counting bits takes about one step for each cell and 64 rows, counting rows a few for each row; and dependence is
# often certain after the first strata, which counting rows cannot make use of. Between 200 and 800 it hardly matters.
BIT_CELLS = cython.declare(cython.int, 400)
# A table has at least four cells.
BIT_STRATA = cython.declare(cython.int, 100)
TOO_MANY = cython.declare(cython.longlong, 1 << 40)
# More states than this would hardly ever come into so few cells.
BIT_STATES = cython.declare(cython.int, 12)


class Columns:
    """Coded columns made ready for counting; shared by all searches on the same data.

    ``data[v, r]`` is the state of variable v in row r; ``states[v]`` how many there are; ``n_log_n[k]`` is k log k.
    """

    def __init__(self, data, states, n_log_n):
        n, n_rows = data.shape
        words = (n_rows + 63) // 64
        few = np.asarray(states) <= BIT_STATES
        where = np.full(n, -1, np.intc)
        where[few] = np.cumsum(np.asarray(states)[few]) - np.asarray(states)[few]
        self.data = data
        self.states = states
        self.n_log_n = n_log_n
        self.n_rows = n_rows
        self.words = words
        self.where = where
        # One row more, so that there is a first one even if no variable has few states.
        self.bits = np.zeros((int(np.asarray(states)[few].sum()) + 1, words), np.uint64)
        self.set_bits()

    def set_bits(self):
        """Turn on the bit of every row in the state that it has."""
        v: cython.int
        r: cython.int
        row: cython.int
        one: cython.ulonglong = 1
        for v in range(self.data.shape[0]):
            row = self.where[v]
            if row >= 0:
                for r in range(self.n_rows):
                    self.bits[row + self.data[v, r], r >> 6] |= one << (r & 63)


class TableSearch(LevelSearch):
    """The level search for coded columns.

    ``critical_values(most)`` returns the largest statistic called independent for 0 .. most degrees of freedom, for G
    and chi-square; for mutual information its only entry is the largest G.
    """

    def __init__(self, kind, columns, critical_values, ties, outer, by_strength, position):
        LevelSearch.__init__(self, ties, outer, by_strength, position)
        # A table takes microseconds to count.
        self.grain = 16
        n_rows = columns.n_rows
        most = int(np.max(np.asarray(columns.states), initial=1))
        # Counting into one dense table is quickest while the table is small next to the rows.
        dense = 2 * n_rows + 256
        self.kind = kind
        self.data = columns.data
        self.states = columns.states
        self.n_log_n = columns.n_log_n
        self.bits = columns.bits
        self.where = columns.where
        self.words = columns.words
        self.n_rows = n_rows
        self.critical_values = critical_values
        self.critical = critical_values(USUAL_FREEDOM)
        self.dense_cells = dense
        self.cells = np.empty(max(dense, most, BIT_CELLS), np.intc)
        self.pair = np.empty(n_rows, np.intc)
        self.margin_x = np.empty(most, np.intc)
        self.margin_y = np.empty(most, np.intc)
        self.seen = np.empty(n_rows, np.intc)
        self.seen_cell = np.empty(n_rows, np.intc)
        self.bucket = np.empty(n_rows + 2, np.intc)
        self.row_order = np.empty(n_rows, np.intc)
        self.stamp = np.empty(most, np.intc)
        self.renumbered = np.empty(most, np.intc)
        self.both = np.empty((BIT_CELLS, columns.words), np.uint64)
        # Whether to stop as soon as dependence is certain; then the statistic is not complete.
        self.hasty = True
        self.make_room(self.room)

    def need_critical(self, freedom):
        """Get the critical values for up to this many degrees of freedom."""
        self.critical = self.critical_values(1 << int(freedom).bit_length())

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        # Level k holds the codes of k variables; the one beyond the set is for the states of x within it.
        codes = np.empty((order + 2, self.n_rows), np.intc)
        codes[0] = 0
        self.codes = codes
        self.n_codes = np.ones(order + 2, np.intc)
        self.member = np.zeros(order + 1, np.intc)
        # Strata of k variables as bits in the rows from k * BIT_STRATA, and their tables.
        self.strata = np.empty(((order + 1) * BIT_STRATA, self.words), np.uint64)
        self.tables = np.empty((order + 1) * BIT_CELLS, np.intc)
        self.n_strata = np.ones(order + 1, np.int64)

    def statistics(self, x, y, given, statistic, freedom, information):
        """Write statistic, degrees of freedom and conditional mutual information of each (x, y | given).

        Degrees of freedom are -1 where every row is alone in its stratum.
        """
        e: cython.Py_ssize_t
        d: cython.int
        known: cython.int
        kind: cython.int = self.kind
        self.order = given.shape[1]
        self.make_room(self.order)
        self.hasty = False
        with cython.nogil:
            for e in range(x.shape[0]):
                known = 0
                if e > 0 and x[e] == x[e - 1] and y[e] == y[e - 1]:
                    while known < self.order and given[e, known] == given[e - 1, known]:
                        known += 1
                else:
                    self.x = x[e]
                    self.y = y[e]
                    self.begin()
                for d in range(known, self.order):
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
        self.hasty = True

    def all_pairs(self, statistic, freedom, information):
        """Write statistic, degrees of freedom and mutual information of every pair to symmetric matrices."""
        i: cython.int
        j: cython.int
        kind: cython.int = self.kind
        self.order = 0
        self.hasty = False
        with cython.nogil:
            for i in range(self.states.shape[0]):
                for j in range(i + 1, self.states.shape[0]):
                    self.x = i
                    self.y = j
                    self.begin()
                    self.kind = G_STATISTIC
                    self.tabulate()
                    information[i, j] = information[j, i] = self.statistic / (2.0 * self.n_rows)
                    if kind == CHI_SQUARE:
                        self.kind = kind
                        self.tabulate()
                    statistic[i, j] = statistic[j, i] = self.statistic
                    freedom[i, j] = freedom[j, i] = self.freedom
        self.kind = kind
        self.hasty = True

    def begin(self):
        """Start from one stratum, which holds every row; nothing is known of this pair yet."""
        self.width = cython.cast(cython.longlong, self.states[self.x]) * self.states[self.y]
        self.paired = False
        self.coded = 0
        self.split = -1
        # As bits: only variables of few states have them, and a table of fewer cells than four has nothing to tell.
        self.n_strata[0] = 1
        if self.where[self.x] < 0 or self.where[self.y] < 0 or self.width < 4:
            self.n_strata[0] = TOO_MANY

    def extend(self, depth, z):
        """Take note of z; its codes, strata and tables are made when they are needed."""
        strata: cython.longlong = self.n_strata[depth]
        self.member[depth] = z
        if self.coded > depth:
            self.coded = depth
        if self.split > depth:
            self.split = depth
        if self.where[z] < 0 or strata >= TOO_MANY:
            self.n_strata[depth + 1] = TOO_MANY
        else:
            self.n_strata[depth + 1] = strata * self.states[z]

    def tabulate(self):
        """Compute statistic and degrees of freedom of x and y in the strata of the whole set."""
        self.statistic = 0.0
        self.freedom = 0
        self.repeated = False
        self.decided = False
        if self.n_strata[self.order] <= BIT_STRATA and self.n_strata[self.order] * self.width <= BIT_CELLS:
            self.count_bits()
        elif self.order > 0 and not self.narrow():
            self.code_up_to(self.order)
            if self.width * self.n_codes[self.order] <= self.dense_cells:
                self.count_rows(self.order, -1)
            else:
                self.count_sparse()
        elif self.order == 0 and self.width > self.dense_cells:
            self.count_sparse()
        else:
            # The codes of the last variable are counted as they come and need not be kept.
            self.code_up_to(self.order - 1)
            self.count_rows(self.order - 1, self.member[self.order - 1] if self.order > 0 else -1)
        if self.kind != CHI_SQUARE:
            self.statistic = 2.0 * self.statistic
        # Rounding may leave a zero slightly below zero.
        if self.statistic < 0.0:
            self.statistic = 0.0
        # Every row alone in its stratum: there is nothing to judge by.
        if self.freedom == 0 and not self.repeated:
            self.freedom = -1

    @cython.final
    def narrow(self):
        """Whether the last variable of the set can be counted without codes of its own."""
        strata: cython.longlong
        self.code_up_to(self.order - 1)
        strata = cython.cast(cython.longlong, self.n_codes[self.order - 1]) * self.states[self.member[self.order - 1]]
        return strata <= self.n_rows and strata * self.width <= self.dense_cells

    @cython.final
    def code_up_to(self, depth):
        """Make the row codes of the first variables of the set, as far as they are not there."""
        r: cython.int
        z: cython.int
        width: cython.int
        wide: cython.longlong
        while self.coded < depth:
            z = self.member[self.coded]
            width = self.states[z]
            wide = cython.cast(cython.longlong, self.n_codes[self.coded]) * width
            if wide > self.n_rows:
                self.renumber(self.coded, z)
            else:
                for r in range(self.n_rows):
                    self.codes[self.coded + 1, r] = self.codes[self.coded, r] * width + self.data[z, r]
                self.n_codes[self.coded + 1] = cython.cast(cython.int, wide)
            self.coded += 1

    @cython.final
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

    @cython.final
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

    @cython.final
    def count_bits(self):
        """Count the cells of every stratum bit by bit, and reduce them one by one."""
        i: cython.int
        j: cython.int
        p: cython.int
        c: cython.int
        k: cython.int
        row: cython.int
        cells: cython.int = cython.cast(cython.int, self.width)
        n_y: cython.int = self.states[self.y]
        depth: cython.int = self.order - 1
        width: cython.int
        z: cython.int
        if self.split < 0:
            for i in range(self.states[self.x]):
                for j in range(n_y):
                    self.tables[i * n_y + j] = write_common(
                        self.bits, self.where[self.x] + i, self.bits, self.where[self.y] + j, self.both, i * n_y + j
                    )
            self.split = 0
        if self.order == 0:
            for k in range(cells):
                self.cells[k] = self.tables[k]
            self.add_stratum(0, 0)
            return
        while self.split < depth:
            self.split_strata(self.split)
        z = self.member[depth]
        width = self.states[z]
        for p in range(cython.cast(cython.int, self.n_strata[depth])):
            for c in range(width):
                k = (p * width + c) * cells
                if c == width - 1:
                    self.take_the_rest(depth * BIT_CELLS + p * cells, p * width * cells, width)
                elif depth == 0:
                    count_cells(self.bits, self.where[z] + c, self.both, cells, self.cells, k)
                else:
                    # The rows behind the last depth are free: no set goes there.
                    row = (depth + 1) * BIT_STRATA
                    if write_common(
                        self.strata, depth * BIT_STRATA + p, self.bits, self.where[z] + c, self.strata, row
                    ):
                        count_cells(self.strata, row, self.both, cells, self.cells, k)
                    else:
                        for i in range(cells):
                            self.cells[k + i] = 0
                        continue
                self.add_stratum(k, cython.cast(cython.int, self.n_strata[self.order]) - p * width - c - 1)
                if self.decided:
                    return

    @cython.final
    def take_the_rest(self, whole, parts, width):
        """Fill the table of a variable's last state: what the others leave of the table without the variable."""
        c: cython.int
        k: cython.int
        left: cython.int
        cells: cython.int = cython.cast(cython.int, self.width)
        for k in range(cells):
            left = self.tables[whole + k]
            for c in range(width - 1):
                left -= self.cells[parts + c * cells + k]
            self.cells[parts + (width - 1) * cells + k] = left

    @cython.final
    def split_strata(self, depth):
        """Split every stratum of the first ``depth`` variables by the next one, and count the parts."""
        p: cython.int
        c: cython.int
        part: cython.int
        row: cython.int
        z: cython.int = self.member[depth]
        cells: cython.int = cython.cast(cython.int, self.width)
        for p in range(cython.cast(cython.int, self.n_strata[depth])):
            for c in range(self.states[z]):
                part = p * self.states[z] + c
                row = (depth + 1) * BIT_STRATA + part
                if depth == 0:
                    write_common(self.bits, self.where[z] + c, self.bits, self.where[z] + c, self.strata, row)
                else:
                    write_common(self.strata, depth * BIT_STRATA + p, self.bits, self.where[z] + c, self.strata, row)
                count_cells(self.strata, row, self.both, cells, self.tables, (depth + 1) * BIT_CELLS + part * cells)
        self.split = depth + 1

    @cython.final
    def count_rows(self, depth, last):
        """Count all strata into one array, row by row, then reduce them one by one.

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
        n_strata: cython.int = self.n_codes[depth] if depth > 0 else 1
        if not self.paired:
            for r in range(self.n_rows):
                self.pair[r] = self.data[x, r] * n_y + self.data[y, r]
            self.paired = True
        if last >= 0:
            n_strata *= self.states[last]
        for k in range(n_strata * width):
            self.cells[k] = 0
        if last < 0 and depth <= 0:
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
            self.add_stratum(s * width, n_strata - s - 1)
            if self.decided:
                return

    @cython.final
    def add_stratum(self, start, left):
        """Add what the table of one stratum says; ``left`` strata are still to come."""
        i: cython.int
        j: cython.int
        k: cython.int = start
        r: cython.int
        rows: cython.int = 0
        columns: cython.int = 0
        total: cython.int = 0
        n_x: cython.int = self.states[self.x]
        n_y: cython.int = self.states[self.y]
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
        if total > 1:
            self.repeated = True
        if rows < 2 or columns < 2:
            return
        self.freedom += cython.cast(cython.longlong, rows - 1) * (columns - 1)
        k = start
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
            for i in range(n_x * n_y):
                value += self.n_log_n[self.cells[k + i]]
            self.statistic += value
        if self.hasty and left > 0:
            self.decide(left)

    @cython.final
    def decide(self, left):
        """Whether dependence is certain, whatever the strata to come hold."""
        most: cython.longlong = 0
        value: cython.double = self.statistic if self.kind == CHI_SQUARE else 2.0 * self.statistic
        if self.kind != INFORMATION:
            most = self.freedom + cython.cast(cython.longlong, left) * (self.states[self.x] - 1) * (
                self.states[self.y] - 1
            )
        # A margin for rounding: the decision must be that of the complete sum.
        if most < self.critical.shape[0]:
            self.decided = value > self.critical[most] * (1.0 + 1e-9) + 1e-9

    @cython.final
    def share(self, count, of_x, of_y):
        """One cell's part of chi-square: its square over the product of its margins."""
        return cython.cast(cython.double, count) * count / (cython.cast(cython.double, of_x) * of_y)

    @cython.final
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
        self.code_up_to(level)
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
        if self.decided:
            return False
        if self.kind == INFORMATION:
            return self.statistic <= self.critical[0]
        if self.freedom <= 0:
            return self.freedom == 0
        if self.freedom >= self.critical.shape[0]:
            if self.freedom > self.missing_freedom:
                self.missing_freedom = self.freedom
            return False
        return self.statistic <= self.critical[self.freedom]
