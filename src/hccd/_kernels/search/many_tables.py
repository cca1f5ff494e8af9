"""Tables of many sets of columns, counted over a batch of rows and added to those of the batches before.

A table of few cells is counted by bits, 64 rows at a time (``bit_tables.py``), any other row by row. A missing cell is
one more state here: who reads the tables leaves such cells out.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .bit_tables import count_cells, write_common

# As in contingency.py.
BIT_CELLS = cython.declare(cython.longlong, 400)


def count_tables(codes, widths, bits, where, members, first, cells, start):
    """Add the tables of a batch to ``cells``.

    ``codes[v, r]`` is the state of column v in row r, of ``widths[v]``; columns with ``where[v] >= 0`` have a row of
    ``bits`` for each state from there on. Table e is of the columns ``members[first[e] : first[e + 1]]``, the last one
    changing fastest, and begins at ``cells[start[e]]``.
    """
    e: cython.Py_ssize_t
    i: cython.Py_ssize_t
    most: cython.int = 1
    for e in range(start.shape[0]):
        most = max(most, cython.cast(cython.int, first[e + 1] - first[e]))
    counter: TableCounter = TableCounter(codes, widths, bits, where, most)
    width: cython.longlong
    few: cython.bint
    with cython.nogil:
        for e in range(start.shape[0]):
            width = 1
            few = True
            for i in range(first[e], first[e + 1]):
                width *= widths[members[i]]
                few = few and where[members[i]] >= 0
            if few and width <= BIT_CELLS:
                counter.by_bits(members, first[e], first[e + 1], cells, start[e])
            else:
                counter.by_rows(members, first[e], first[e + 1], cells, start[e])


class TableCounter:
    """A batch of rows with room for counting sets of up to ``most`` columns."""

    def __init__(self, codes, widths, bits, where, most):
        self.codes = codes
        self.widths = widths
        self.bits = bits
        self.where = where
        self.strata = np.empty((most, bits.shape[1]), np.uint64)
        self.digit = np.zeros(most + 1, np.intc)
        self.found = np.zeros(int(np.max(np.asarray(widths), initial=1)), np.intc)
        self.code = np.zeros(codes.shape[1], np.intc)

    @cython.final
    def by_rows(self, members, first, last, cells, start):
        """Count row by row."""
        r: cython.Py_ssize_t
        i: cython.Py_ssize_t
        v: cython.int = members[first]
        width: cython.int
        n: cython.Py_ssize_t = self.codes.shape[1]
        for r in range(n):
            self.code[r] = self.codes[v, r]
        for i in range(first + 1, last):
            v = members[i]
            width = self.widths[v]
            for r in range(n):
                self.code[r] = self.code[r] * width + self.codes[v, r]
        for r in range(n):
            cells[start + self.code[r]] += 1

    @cython.final
    def by_bits(self, members, first, last, cells, start):
        """Count stratum by stratum of all columns but the last two; one without rows is passed over."""
        depth: cython.int = 0
        order: cython.int = cython.cast(cython.int, last - first - 2)
        v: cython.int
        d: cython.int
        rows: cython.int
        stratum: cython.longlong
        self.digit[0] = 0
        while depth >= 0:
            if depth == order:
                stratum = 0
                for d in range(order):
                    stratum = stratum * self.widths[members[first + d]] + self.digit[d]
                self.add_pair(order, members[last - 2], members[last - 1], cells, start, stratum)
                depth -= 1
                if depth >= 0:
                    self.digit[depth] += 1
                continue
            v = members[first + depth]
            if self.digit[depth] == self.widths[v]:
                depth -= 1
                if depth >= 0:
                    self.digit[depth] += 1
                continue
            d = self.where[v] + self.digit[depth]
            if depth == 0:
                rows = write_common(self.bits, d, self.bits, d, self.strata, 0)
            else:
                rows = write_common(self.strata, depth - 1, self.bits, d, self.strata, depth)
            if rows == 0:
                self.digit[depth] += 1
            else:
                depth += 1
                self.digit[depth] = 0

    @cython.final
    def add_pair(self, order, x, y, cells, start, stratum):
        """Add the table of the last two columns in one stratum; the last state of y is what the others leave."""
        i: cython.int
        j: cython.int
        rows: cython.int
        n_y: cython.int = self.widths[y]
        place: cython.longlong = start + stratum * self.widths[x] * n_y
        for i in range(self.widths[x]):
            # The row behind the strata is free.
            if order == 0:
                rows = write_common(self.bits, self.where[x] + i, self.bits, self.where[x] + i, self.strata, order)
            else:
                rows = write_common(self.strata, order - 1, self.bits, self.where[x] + i, self.strata, order)
            if rows > 0:
                count_cells(self.strata, order, self.bits[self.where[y] :], n_y - 1, self.found, 0)
                for j in range(n_y - 1):
                    cells[place + j] += self.found[j]
                    rows -= self.found[j]
                cells[place + n_y - 1] += rows
            place += n_y
