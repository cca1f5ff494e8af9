"""Scores of families of a discrete network: the probability of the child's column, averaged over two priors.

For a child with r states, N_jk rows with the parents in their j-th combination and the child in state k, and q
combinations that occur, both priors are Dirichlet distributions, one for each combination:

* **sparse**: a/(q r) for each state (BDs: Scutari 2016; BDeu, but combinations that do not occur get nothing). Right
  where parents all but determine the child.
* **pooled**: s p_k, with p_k the share of state k in all rows, averaged over s = 1/16, 1/4, 1 .. 1024 (in the manner of
  Azzimonti, Corani and Zaffalon 2019). Where combinations are many and rows few, it lets them borrow from each other: a
  parent of 100 states is not priced like 100 unrelated experiments.

Without parents the score is that of the first alone; the second is measured from there, as if the shares p_k had not
been seen. With parents it is the logarithm of the mean of both.

Rows may have weights. There are no missing cells here: they are filled in before (``completion.py``).

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp, log

if not cython.compiled:
    from ..search.row_codes import RowCodes
    from .families import Families
    from .log_gamma import log_gamma
    from .set_memory import SetMemory
    from .set_tables import SetTables

#: The weights of the pooled prior, in rows.
WEIGHTS = (0.0625, 0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
N_WEIGHTS = cython.declare(cython.int, 8)
LOG_TWO = cython.declare(cython.double, 0.69314718055994530942)

# Logarithms of rising factorials are tabled up to this many bytes; those of more rows are computed each time.
TABLED_BYTES = 1 << 26
# Scores that are remembered: a quarter of a million, in four megabytes.
MEMORY_BITS = 18


class TableFamilies(Families):
    """Scores of families of up to ``max_parents`` parents and one; ``ess`` is the weight a of the sparse prior.

    With ``uniform`` the score is BDeu, which other packages have: a is shared by all combinations of parents, whether
    they occur or not, and there is no pooled prior.
    """

    def __init__(self, columns, ess, max_parents, uniform=False):
        n, n_rows = columns.data.shape
        self.uniform = uniform
        self.n_combinations = 1.0
        self.n_rows = n_rows
        self.weighted = columns.weighted
        self.weights = columns.weights
        self.total = columns.total
        self.unit = columns.unit
        self.n_counted = round(columns.total * columns.unit)
        self.ess = ess
        self.data = columns.data
        self.states = columns.states
        self.rows = RowCodes(columns)
        self.rows.make_room(max_parents + 2)
        self.dense_cells = 4 * n_rows + 256
        self.cells = np.zeros(max(self.dense_cells, n_rows + 1), np.intc)
        self.cell_state = np.zeros(n_rows + 1, np.intc)
        self.margin = np.zeros(n_rows + 1, np.intc)
        self.weight = np.array(WEIGHTS)
        self.pooled = np.zeros(N_WEIGHTS)
        # How many rows have each state; those of v are from first_state[v] on.
        ends = np.cumsum(columns.states, dtype=np.int64)
        n_states = int(np.sum(columns.states))
        self.first_state = ends - columns.states
        self.state_rows = np.zeros(n_states, np.int64)
        for v, end in enumerate(ends):
            counts = np.bincount(columns.data[v], columns.weights if columns.weighted else None, columns.states[v])
            np.asarray(self.state_rows)[end - len(counts) : end] = counts
        # All logarithms are tabled, or those of equally many rows for every state.
        most = TABLED_BYTES // (8 * N_WEIGHTS)
        self.tabled = self.total if n * self.total + n_states <= most else max(most // n_states, 1)
        if self.unit != 1.0:
            self.tabled = 0
        # of_rows[c, g]: the logarithm of s (s + 1) .. (s + c - 1) for the g-th weight s.
        self.of_rows = np.zeros((self.tabled + 1, N_WEIGHTS))
        steps = np.log(np.arange(self.tabled)[:, None] + np.array(WEIGHTS))
        np.cumsum(steps, axis=0, out=np.asarray(self.of_rows)[1:])
        # The same for s p_k, the weight of each state of a child, from row first_row[state] on.
        lengths = np.minimum(self.state_rows, self.tabled) + 1
        self.first_row = np.cumsum(lengths) - lengths
        self.of_state = np.zeros((int(lengths.sum()), N_WEIGHTS))
        self.filled = np.zeros(n, np.uint8)
        self.without_parents = np.zeros(n)
        self.shift = np.zeros(n)
        self.child = -1
        self.count = 0
        self.tables = SetTables(columns, max_parents + 2)
        self.memory = SetMemory(n, MEMORY_BITS)
        self.scores = np.zeros(1 << MEMORY_BITS)
        self.key = 0

    def begin(self, child, members, count):
        """Turn to a family; row codes of parents that the last one began with are there already."""
        d: cython.int
        same: bool = True
        self.child = child
        if not self.filled[child]:
            self.fill(child)
        self.key = self.memory.child_key[child]
        for d in range(count):
            self.key ^= self.memory.member_key[members[d]]
            same = same and d < self.count and self.rows.member[d] == members[d]
            if not same:
                self.rows.extend(d, members[d])
        self.count = count

    @cython.final
    def fill(self, child):
        """Make the tables of a child, and the score that it has alone."""
        k: cython.int
        c: cython.int
        g: cython.int
        rows: cython.int
        row: cython.longlong
        share: cython.double
        a: cython.double
        likelihood: cython.double = 0.0
        alone: cython.double = log_gamma(self.ess) - log_gamma(self.ess + self.unit * self.total)
        a = self.ess / self.states[child]
        for k in range(self.states[child]):
            rows = self.state_rows[self.first_state[child] + k]
            row = self.first_row[self.first_state[child] + k]
            if rows > 0:
                share = cython.cast(cython.double, rows) / self.total
                likelihood += self.unit * rows * log(share)
                alone += log_gamma(a + self.unit * rows) - log_gamma(a)
                for c in range(min(rows, self.tabled)):
                    for g in range(N_WEIGHTS):
                        self.of_state[row + 1, g] = self.of_state[row, g] + log(self.weight[g] * share + c)
                    row += 1
        self.without_parents[child] = alone
        # Without dependence the pooled prior gives what is expected from the shares: it is measured from there.
        self.shift[child] = alone - likelihood - log(cython.cast(cython.double, N_WEIGHTS))
        self.filled[child] = 1

    def record(self):
        """Return what is remembered as well."""
        places = np.flatnonzero(self.memory.keys)
        remembered = {
            "places": places,
            "place_key": np.asarray(self.memory.keys)[places],
            "place_score": np.asarray(self.scores)[places],
        }
        return {**Families.record(self), **remembered}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        self.memory.forget()
        np.asarray(self.memory.keys)[kept["places"]] = kept["place_key"]
        np.asarray(self.scores)[kept["places"]] = kept["place_score"]
        Families.restore(self, kept)

    def value(self):
        """Return the score of the family at hand."""
        if self.count == 0:
            return self.without_parents[self.child]
        return self.recall(self.key, self.count)

    def value_with(self, x):
        """Return the score with the parent x more."""
        self.rows.extend(self.count, x)
        return self.recall(self.key ^ self.memory.member_key[x], self.count + 1)

    @cython.final
    def recall(self, key, depth):
        """Return the score of the first variables of the set, computed if it is not remembered."""
        place: cython.ulonglong = self.memory.place(key)
        if self.memory.keys[place] != key:
            self.scores[place] = self.measure(depth)
            self.memory.keys[place] = key
        return self.scores[place]

    @cython.final
    def measure(self, depth):
        """Score the child given the first variables of the set."""
        g: cython.int
        n_codes: cython.int = self.combinations(depth)
        coded: cython.bint = n_codes == 0
        d: cython.int
        sparse: cython.double
        best: cython.double
        total: cython.double = 0.0
        for g in range(N_WEIGHTS):
            self.pooled[g] = 0.0
        self.n_combinations = 1.0
        for d in range(depth):
            self.n_combinations *= self.states[self.rows.member[d]]
        if coded:
            self.rows.code_up_to(depth)
            n_codes = self.rows.n_codes[depth]
        # As if every family were counted alone: how long a search goes on does not depend on what is remembered.
        self.work += 2 * self.n_counted + 4 * N_WEIGHTS * n_codes
        self.evaluations += 1
        if cython.cast(cython.longlong, n_codes) * self.states[self.child] > self.dense_cells:
            self.rows.code_up_to(depth)
            sparse = self.count_sparse(depth)
        else:
            if coded:
                self.count_codes(depth)
            else:
                self.tabulate(depth, n_codes)
            sparse = self.sum_cells(n_codes)
        if self.uniform:
            return sparse
        best = self.pooled[0]
        for g in range(1, N_WEIGHTS):
            best = max(best, self.pooled[g])
        for g in range(N_WEIGHTS):
            total += exp(self.pooled[g] - best)
        best += log(total) + self.shift[self.child]
        if best > sparse:
            return best + log(1.0 + exp(sparse - best)) - LOG_TWO
        return sparse + log(1.0 + exp(best - sparse)) - LOG_TWO

    @cython.final
    def combinations(self, depth):
        """Return how many combinations the first variables of the set may have; 0 if they may outnumber the rows."""
        d: cython.int
        wide: cython.longlong = 1
        for d in range(depth):
            wide *= self.states[self.rows.member[d]]
            if wide > self.n_rows:
                return 0
        return cython.cast(cython.int, wide)

    @cython.final
    def tabulate(self, depth, n_codes):
        """Fill the cells of a family of few combinations: by a table that is known, or by counting rows."""
        n_cells: cython.int = n_codes * self.states[self.child]
        if n_cells > self.tables.most_cells:
            self.count_rows(depth, n_cells)
        elif not self.tables.take(self.rows.member, depth, self.child, n_cells, self.cells):
            self.count_rows(depth, n_cells)
            self.tables.keep(self.cells)

    @cython.final
    def count_rows(self, depth, n_cells):
        """Count rows by the codes of all parents but the last, the last, and the child."""
        r: cython.int
        k: cython.int
        lane: cython.int
        at: cython.int
        done: cython.int = 0
        last: cython.int = self.rows.member[depth - 1]
        width: cython.int = self.states[last]
        child: cython.int = self.child
        n_states: cython.int = self.states[child]
        if self.weighted:
            self.rows.code_up_to(depth)
            self.count_codes(depth)
            return
        self.rows.code_up_to(depth - 1)
        for k in range(n_cells):
            self.cells[k] = 0
        # Rows that follow each other into one cell wait for each other: few cells are counted in four arrays by turns.
        if n_cells <= self.n_rows // 16:
            for k in range(n_cells, 4 * n_cells):
                self.cells[k] = 0
            for r in range(0, self.n_rows - 3, 4):
                for lane in range(4):
                    at = self.rows.codes[depth - 1, r + lane] * width + self.data[last, r + lane]
                    self.cells[lane * n_cells + at * n_states + self.data[child, r + lane]] += 1
            done = self.n_rows - self.n_rows % 4
            for lane in range(1, 4):
                for k in range(n_cells):
                    self.cells[k] += self.cells[lane * n_cells + k]
        for r in range(done, self.n_rows):
            at = self.rows.codes[depth - 1, r] * width + self.data[last, r]
            self.cells[at * n_states + self.data[child, r]] += 1

    @cython.final
    def count_codes(self, depth):
        """Count rows by the codes of all parents, and the child."""
        r: cython.int
        k: cython.int
        n_states: cython.int = self.states[self.child]
        child: cython.int = self.child
        for k in range(self.rows.n_codes[depth] * n_states):
            self.cells[k] = 0
        for r in range(self.n_rows):
            self.cells[self.rows.codes[depth, r] * n_states + self.data[child, r]] += self.weights[r]

    @cython.final
    def sum_cells(self, n_codes):
        """Return the sparse score of the cells that were counted, and add up the pooled ones."""
        j: cython.int
        k: cython.int
        c: cython.int
        rows: cython.int
        occurring: cython.int = 0
        n_states: cython.int = self.states[self.child]
        for j in range(n_codes):
            rows = 0
            for k in range(n_states):
                rows += self.cells[j * n_states + k]
            self.margin[j] = rows
            if rows > 0:
                occurring += 1
        self.enter(occurring, n_states)
        for j in range(n_codes):
            if self.margin[j] > 0:
                self.add_combination(self.margin[j])
                for k in range(n_states):
                    c = self.cells[j * n_states + k]
                    if c > 0:
                        self.add_cell(k, c)
        return self.sparse

    @cython.final
    def count_sparse(self, depth):
        """Count only what occurs; return the sparse score, and add up the pooled ones."""
        r: cython.int
        j: cython.int
        n_codes: cython.int = self.rows.n_codes[depth]
        n_cells: cython.int
        child: cython.int = self.child
        occurring: cython.int = 0
        self.rows.renumber(depth, child)
        n_cells = self.rows.n_codes[depth + 1]
        for j in range(n_codes):
            self.margin[j] = 0
        for j in range(n_cells):
            self.cells[j] = 0
        for r in range(self.n_rows):
            self.margin[self.rows.codes[depth, r]] += self.weights[r]
            j = self.rows.codes[depth + 1, r]
            self.cells[j] += self.weights[r]
            self.cell_state[j] = self.data[child, r]
        for j in range(n_codes):
            if self.margin[j] > 0:
                occurring += 1
        self.enter(occurring, self.states[child])
        for j in range(n_codes):
            if self.margin[j] > 0:
                self.add_combination(self.margin[j])
        for j in range(n_cells):
            self.add_cell(self.cell_state[j], self.cells[j])
        return self.sparse

    @cython.final
    def enter(self, occurring, n_states):
        """Begin a sum over ``occurring`` combinations of parents."""
        self.of_combination = self.ess / (self.n_combinations if self.uniform else occurring)
        self.of_cell = self.of_combination / n_states
        self.log_combination = log(self.of_combination)
        self.log_cell = log(self.of_cell)
        self.gamma_combination = log_gamma(self.of_combination)
        self.gamma_cell = log_gamma(self.of_cell)
        self.sparse = 0.0

    @cython.final
    def add_combination(self, rows):
        """Add the part of a combination of parents that so many rows have."""
        g: cython.int
        # The gamma function of x + 1 is x times that of x: most counts are 1 where tables are sparse.
        if rows == 1 and self.unit == 1.0:
            self.sparse -= self.log_combination
        else:
            self.sparse -= log_gamma(self.of_combination + self.unit * rows) - self.gamma_combination
        if rows <= self.tabled:
            for g in range(N_WEIGHTS):
                self.pooled[g] -= self.of_rows[rows, g]
        else:
            for g in range(N_WEIGHTS):
                self.pooled[g] -= log_gamma(self.weight[g] + self.unit * rows) - log_gamma(self.weight[g])

    @cython.final
    def add_cell(self, state, rows):
        """Add the part of a state of the child within a combination."""
        g: cython.int
        number: cython.longlong = self.first_state[self.child] + state
        row: cython.longlong = self.first_row[number] + rows
        prior: cython.double
        if rows == 1 and self.unit == 1.0:
            self.sparse += self.log_cell
        else:
            self.sparse += log_gamma(self.of_cell + self.unit * rows) - self.gamma_cell
        if rows <= self.tabled:
            for g in range(N_WEIGHTS):
                self.pooled[g] += self.of_state[row, g]
        else:
            for g in range(N_WEIGHTS):
                prior = self.weight[g] * self.state_rows[number] / self.total
                self.pooled[g] += log_gamma(prior + self.unit * rows) - log_gamma(prior)
