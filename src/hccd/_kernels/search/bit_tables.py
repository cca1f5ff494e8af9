"""Tables counted by bits, for few cells: 64 rows at a time.

The rows of a cell are those bits of x, y and the set that are on together; a missing cell has none. The last state of a
variable without gaps is what the others leave. Strata of z_1 .. z_k as bits, and their tables, are made when first
needed and serve every set that begins with them; of a whole set only the tables are made, and no more of them than it
takes to be sure of the answer.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
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


TOO_MANY = cython.declare(cython.longlong, 1 << 40)


class BitTables:
    """The tables of one pair and of sets that grow and shrink, up to ``most_cells`` cells in all strata together."""

    def __init__(self, columns, strata_sum, most_cells):
        self.states = columns.states
        self.where = columns.where
        self.gaps = columns.gaps
        self.bits = columns.bits
        self.sum = strata_sum
        self.cells = self.sum.cells
        self.most_cells = most_cells
        # A table has at least four cells.
        self.most_strata = most_cells // 4
        self.both = np.empty((most_cells, columns.words), np.uint64)

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""
        # Strata of k variables in the rows from k * most_strata, and their tables.
        self.strata = np.empty(((order + 1) * self.most_strata, self.bits.shape[1]), np.uint64)
        self.tables = np.empty((order + 1) * self.most_cells, np.intc)
        self.n_strata = np.ones(order + 1, np.int64)
        self.member = np.zeros(order + 1, np.intc)

    @cython.final
    def begin(self, x, y):
        """Start from one stratum, which holds every row; nothing is known of this pair yet."""
        width: cython.longlong = cython.cast(cython.longlong, self.states[x]) * self.states[y]
        self.x = x
        self.y = y
        self.width = width
        self.split = -1
        self.n_strata[0] = 1
        # Only variables of few states have bits, and a table of fewer cells than four has nothing to tell.
        if self.where[x] < 0 or self.where[y] < 0 or width < 4:
            self.n_strata[0] = TOO_MANY

    @cython.final
    def extend(self, depth, z):
        """Take note of z; its strata and tables are made when they are needed."""
        strata: cython.longlong = self.n_strata[depth]
        self.member[depth] = z
        if self.split > depth:
            self.split = depth
        if self.where[z] < 0 or strata >= TOO_MANY:
            self.n_strata[depth + 1] = TOO_MANY
        else:
            self.n_strata[depth + 1] = strata * self.states[z]

    @cython.final
    def fits(self, order):
        """Whether the cells of the whole set are few enough."""
        return self.n_strata[order] <= self.most_strata and self.n_strata[order] * self.width <= self.most_cells

    @cython.final
    def count(self, order):
        """Count the cells of every stratum of the whole set, and add them to the sum one by one."""
        i: cython.int
        p: cython.int
        c: cython.int
        k: cython.int
        row: cython.int
        cells: cython.int = cython.cast(cython.int, self.width)
        depth: cython.int = order - 1
        width: cython.int
        z: cython.int
        if self.split < 0:
            self.pair_up()
        if order == 0:
            for k in range(cells):
                self.cells[k] = self.tables[k]
            self.sum.add_table(0, 0)
            return
        while self.split < depth:
            self.split_strata(self.split)
        z = self.member[depth]
        width = self.states[z]
        for p in range(cython.cast(cython.int, self.n_strata[depth])):
            for c in range(width):
                k = (p * width + c) * cells
                if c == width - 1 and not self.gaps[z]:
                    self.take_the_rest(depth * self.most_cells + p * cells, p * width * cells, width)
                elif depth == 0:
                    count_cells(self.bits, self.where[z] + c, self.both, cells, self.cells, k)
                else:
                    # The rows behind the last depth are free: no set goes there.
                    row = (depth + 1) * self.most_strata
                    if write_common(
                        self.strata, depth * self.most_strata + p, self.bits, self.where[z] + c, self.strata, row
                    ):
                        count_cells(self.strata, row, self.both, cells, self.cells, k)
                    else:
                        for i in range(cells):
                            self.cells[k + i] = 0
                        continue
                self.sum.add_table(k, cython.cast(cython.int, self.n_strata[order]) - p * width - c - 1)
                if self.sum.decided:
                    return

    @cython.final
    def pair_up(self):
        """Find the rows of each cell of x and y, and count them."""
        i: cython.int
        j: cython.int
        n_y: cython.int = self.states[self.y]
        for i in range(self.states[self.x]):
            for j in range(n_y):
                self.tables[i * n_y + j] = write_common(
                    self.bits, self.where[self.x] + i, self.bits, self.where[self.y] + j, self.both, i * n_y + j
                )
        self.split = 0

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
        start: cython.int = (depth + 1) * self.most_cells
        for p in range(cython.cast(cython.int, self.n_strata[depth])):
            for c in range(self.states[z]):
                part = p * self.states[z] + c
                row = (depth + 1) * self.most_strata + part
                if depth == 0:
                    write_common(self.bits, self.where[z] + c, self.bits, self.where[z] + c, self.strata, row)
                else:
                    write_common(
                        self.strata, depth * self.most_strata + p, self.bits, self.where[z] + c, self.strata, row
                    )
                count_cells(self.strata, row, self.both, cells, self.tables, start + part * cells)
        self.split = depth + 1
