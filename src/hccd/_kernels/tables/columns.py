"""Discrete columns: the states that occur get numbers, in the order of their values or of their first rows.

Both loops go twice or once over each column and never sort: what they need is a table as long as the range of values.
"""

import cython
import numpy as np


def code_whole(values, low, width, codes, states):
    """Number the states of whole numbers: ``low[i] <= values[i, :] < low[i] + width[i]``, small widths.

    Row i of ``codes`` gets the rank of each value among the values that occur in row i of ``values``, and
    ``states[i]`` how many occur; ranks beyond 65,535 wrap around.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    s: cython.Py_ssize_t
    base: cython.longlong
    occurring: cython.int
    rows: cython.Py_ssize_t = values.shape[1]
    rank: cython.int[::1] = np.zeros(np.max(width, initial=0), np.intc)
    with cython.nogil:
        for i in range(values.shape[0]):
            base = low[i]
            for s in range(width[i]):
                rank[s] = 0
            for j in range(rows):
                rank[values[i, j] - base] = 1
            occurring = 0
            for s in range(width[i]):
                if rank[s]:
                    rank[s] = occurring
                    occurring += 1
            for j in range(rows):
                codes[i, j] = rank[values[i, j] - base] & 0xFFFF
            states[i] = occurring


def count_states(codes, first, counts):
    """Add 1 to ``counts[first[i] + codes[i, j]]`` for every cell."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    start: cython.Py_ssize_t
    with cython.nogil:
        for i in range(codes.shape[0]):
            start = first[i]
            for j in range(codes.shape[1]):
                counts[start + codes[i, j]] += 1


def by_first_occurrence(codes, states, renamed):
    """Renumber the states of each row of ``codes`` in the order in which they first occur."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    s: cython.Py_ssize_t
    code: cython.int
    seen: cython.int
    rank: cython.int[::1] = np.zeros(np.max(states, initial=0), np.intc)
    with cython.nogil:
        for i in range(codes.shape[0]):
            for s in range(states[i]):
                rank[s] = -1
            seen = 0
            for j in range(codes.shape[1]):
                code = codes[i, j]
                if rank[code] < 0:
                    rank[code] = seen
                    seen += 1
                renamed[i, j] = rank[code]
