"""Coded columns made ready for counting: states as numbers and, where they are few, as bits.

A variable of few states has a row of bits for each of them, one bit for each row of the data; those that are on in two
rows of bits are counted 64 at a time. Variables of many states have none. What is counted is not decided here.

A missing cell has the number behind the last state, and no bit. A row may stand for several: it counts as often as its
weight says, a whole number, and then there are no bits. Sampling weights come as large whole numbers, and ``unit`` says
how many rows one of them is.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

# More states than this would hardly ever come into as few cells as are counted by bits.
BIT_STATES = cython.declare(cython.int, 12)


class CodedColumns:
    """Columns shared by all searches on the same data.

    ``data[v, r]`` is the state of variable v in row r; ``states[v]`` how many there are, without the missing cell's,
    which variables with ``gaps`` have; ``n_log_n[k]`` is k log k, as far as it goes. ``weights`` are None if every row
    counts once; no row alone weighs more than ``alone``.
    """

    def __init__(self, data, states, n_log_n, gaps=None, weights=None, unit=1.0, alone=1):
        n, n_rows = data.shape
        words = (n_rows + 63) // 64
        few = (np.asarray(states) <= BIT_STATES) & (weights is None)
        where = np.full(n, -1, np.intc)
        where[few] = np.cumsum(np.asarray(states)[few]) - np.asarray(states)[few]
        self.data = data
        self.states = states
        self.most_states = int(np.max(np.asarray(states), initial=1))
        self.gaps = np.zeros(n, np.uint8) if gaps is None else np.asarray(gaps, np.uint8)
        self.gapped = bool(np.any(np.asarray(self.gaps)))
        self.weighted = weights is not None
        self.weights = np.ones(n_rows, np.intc) if weights is None else weights
        self.total = int(np.sum(np.asarray(self.weights), dtype=np.int64))
        self.unit = unit
        self.alone = alone
        self.n_log_n = n_log_n
        self.n_rows = n_rows
        self.words = words
        self.where = where
        # One row more, so that there is a first one even if no variable has few states.
        self.bits = np.zeros((int(np.asarray(states)[few].sum()) + 1, words), np.uint64)
        self.set_bits()

    @cython.final
    def set_bits(self):
        """Turn on the bit of every row in the state that it has."""
        v: cython.int
        r: cython.int
        row: cython.int
        whole: cython.bint
        one: cython.ulonglong = 1
        for v in range(self.data.shape[0]):
            row = self.where[v]
            whole = not self.gaps[v]
            if row >= 0:
                for r in range(self.n_rows):
                    if whole or self.data[v, r] < self.states[v]:
                        self.bits[row + self.data[v, r], r >> 6] |= one << (r & 63)
