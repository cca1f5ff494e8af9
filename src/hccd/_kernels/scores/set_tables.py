"""Tables of sets of variables, remembered: how many rows have each combination of their states.

One table serves every family of the set's variables, whoever is the child, and the tables of smaller sets are sums of
it. So rows are counted only for a set that has no table here and is no other set less one variable.

The last of the variables, in ascending order, varies fastest in a table. A family has its cells in another order: by
its parents in the order in which they came, then by the child.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .set_memory import SetMemory

# What all tables take together, in bytes, and how many of them are found again.
BYTES = 1 << 26
MEMORY_BITS = 17
# Tables that have more cells than a quarter of the rows cost as much to look through as rows to count.
ROWS_FOR_A_CELL = 4
# A larger table is looked for by trying every variable: not where that takes as long as to count.
ROWS_FOR_A_VARIABLE = 32


class SetTables:
    """Tables of sets of up to ``most`` variables."""

    def __init__(self, columns, most):
        n = len(columns.states)
        self.states = columns.states
        self.most_cells = columns.n_rows // ROWS_FOR_A_CELL
        self.tries = n if n * ROWS_FOR_A_VARIABLE <= columns.n_rows else 0
        self.memory = SetMemory(n, MEMORY_BITS)
        self.start = np.zeros(1 << MEMORY_BITS, np.int64)
        self.counts = np.empty(max(BYTES // 4, self.most_cells), np.intc)
        self.used = 0
        self.variable = np.zeros(most, np.intc)
        self.offset = np.zeros(self.most_cells + 1, np.intc)

    @cython.final
    def take(self, members, count, child, n_cells, cells):
        """Write the table of a family of ``n_cells`` cells, if it is known; return whether it is."""
        i: cython.int
        v: cython.int
        key: cython.ulonglong = self.memory.member_key[child]
        at: cython.ulonglong
        whole: cython.ulonglong
        for i in range(count):
            self.variable[i] = members[i]
            key ^= self.memory.member_key[members[i]]
        self.variable[count] = child
        self.size = count + 1
        self.n_cells = n_cells
        self.key = key
        at = self.memory.place(key)
        if self.memory.keys[at] == key:
            self.copy(cells, self.start[at], False)
            return True
        if self.used + n_cells > self.counts.shape[0]:
            self.memory.forget()
            self.used = 0
        for v in range(self.tries):
            whole = self.memory.place(key ^ self.memory.member_key[v])
            if self.memory.keys[whole] == key ^ self.memory.member_key[v] and not self.holds(v):
                self.sum_over(v, self.start[whole])
                self.copy(cells, self.remember(), False)
                return True
        return False

    @cython.final
    def keep(self, cells):
        """Remember the table of the family that was asked for last, and was not known."""
        self.copy(cells, self.remember(), True)

    @cython.final
    def remember(self):
        """Give the set at hand its place, and return where its table is, or is to be."""
        at: cython.ulonglong = self.memory.place(self.key)
        start: cython.longlong = self.used
        self.memory.keys[at] = self.key
        self.start[at] = start
        self.used += self.n_cells
        return start

    @cython.final
    def holds(self, v):
        """Whether v is in the set at hand."""
        i: cython.int
        for i in range(self.size):
            if self.variable[i] == v:
                return True
        return False

    @cython.final
    def stride(self, v):
        """Return how far apart two states of v are in the table: the combinations of all variables behind it."""
        i: cython.int
        result: cython.int = 1
        for i in range(self.size):
            if self.variable[i] > v:
                result *= self.states[self.variable[i]]
        return result

    @cython.final
    def copy(self, cells, start, back):
        """Copy a table to the family's cells, or back."""
        i: cython.int
        j: cython.int
        s: cython.int
        width: cython.int
        stride: cython.int
        found: cython.int = 1
        self.offset[0] = 0
        for i in range(self.size):
            width = self.states[self.variable[i]]
            stride = self.stride(self.variable[i])
            # From the last to the first: nothing is written over that is still to be read.
            for j in range(found - 1, -1, -1):
                for s in range(width - 1, -1, -1):
                    self.offset[j * width + s] = self.offset[j] + s * stride
            found *= width
        if back:
            for j in range(found):
                self.counts[start + self.offset[j]] = cells[j]
        else:
            for j in range(found):
                cells[j] = self.counts[start + self.offset[j]]

    @cython.final
    def sum_over(self, v, start):
        """Sum a table, that of the set at hand and v, over the states of v, behind all tables."""
        i: cython.int
        j: cython.int
        s: cython.int
        width: cython.int = self.states[v]
        stride: cython.int = self.stride(v)
        to: cython.longlong = self.used
        source: cython.longlong
        for i in range(self.n_cells):
            self.counts[to + i] = 0
        for i in range(self.n_cells // stride):
            for s in range(width):
                source = start + (i * width + s) * stride
                for j in range(stride):
                    self.counts[to + i * stride + j] += self.counts[source + j]
