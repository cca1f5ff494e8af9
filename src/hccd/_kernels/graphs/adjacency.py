"""Sorted pairs of variables, a graph as rows of neighbours, and its unshielded triples.

The neighbours of v are ``neighbors[first[v] : first[v + 1]]``, ascending. A place in ``neighbors`` is called a
*slot*: the slot of u in the row of v stands for the edge v - u as seen from v, and ``mirror`` leads to the same edge
as seen from u. Whatever is known about an edge or an arrow is an array along the slots, so that nothing has to be
looked up by name.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


def sort_pairs(x, y, n, order):
    """Fill ``order`` with the places of the pairs (x[i], y[i]) in lexicographic order, by counting."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    v: cython.int
    place: cython.longlong
    cursor: cython.longlong[:, ::1] = np.zeros((2, n + 1), np.int64)
    by_y: cython.longlong[::1] = np.zeros(len(x), np.int64)
    for i in range(x.shape[0]):
        cursor[0, x[i] + 1] += 1
        cursor[1, y[i] + 1] += 1
    for v in range(n):
        cursor[0, v + 1] += cursor[0, v]
        cursor[1, v + 1] += cursor[1, v]
    for i in range(x.shape[0]):
        place = cursor[1, y[i]]
        by_y[place] = i
        cursor[1, y[i]] += 1
    for k in range(x.shape[0]):
        i = by_y[k]
        place = cursor[0, x[i]]
        order[place] = i
        cursor[0, x[i]] += 1


def find_pairs(pairs, x, y, rows):
    """Find the row of each (x[i], y[i]) among the sorted ``pairs``, -1 for one that is not there.

    Quick if the same x comes several times in succession: only the pairs that begin with it are searched then.
    """
    i: cython.Py_ssize_t
    low: cython.longlong
    start: cython.longlong = 0
    stop: cython.longlong = 0
    at: cython.int = -1
    for i in range(x.shape[0]):
        if x[i] != at:
            at = x[i]
            start = lower_bound(pairs, 0, at, 0, pairs.shape[0])
            stop = lower_bound(pairs, 0, at + 1, start, pairs.shape[0])
        low = lower_bound(pairs, 1, y[i], start, stop)
        rows[i] = low if low < stop and pairs[low, 1] == y[i] else -1


def lower_bound(pairs, column, value, low, high):
    """Return the first row from ``low`` to ``high`` whose entry in a sorted column is not below ``value``."""
    middle: cython.longlong
    while low < high:
        middle = (low + high) // 2
        if pairs[middle, column] < value:
            low = middle + 1
        else:
            high = middle
    return low


def fill_rows(edges, first, neighbors, mirror):
    """Fill the rows of the sorted ``edges`` (x < y); ``first`` has one more number than there are variables, all 0."""
    e: cython.Py_ssize_t
    v: cython.Py_ssize_t
    x: cython.int
    y: cython.int
    cursor: cython.longlong[::1]
    for e in range(edges.shape[0]):
        first[edges[e, 0] + 1] += 1
        first[edges[e, 1] + 1] += 1
    for v in range(first.shape[0] - 1):
        first[v + 1] += first[v]
    cursor = np.array(first)
    # Sorted edges come to each row in ascending order: those with smaller variables first.
    for e in range(edges.shape[0]):
        x = edges[e, 0]
        y = edges[e, 1]
        neighbors[cursor[x]] = y
        neighbors[cursor[y]] = x
        mirror[cursor[x]] = cursor[y]
        mirror[cursor[y]] = cursor[x]
        cursor[x] += 1
        cursor[y] += 1


def find_slots(first, neighbors, v, u, slots):
    """Find the slot of u[i] in the row of v[i], -1 if there is no such slot, or no such row."""
    i: cython.Py_ssize_t
    low: cython.longlong
    high: cython.longlong
    middle: cython.longlong
    for i in range(v.shape[0]):
        slots[i] = -1
        if v[i] < 0 or v[i] >= first.shape[0] - 1:
            continue
        low = first[v[i]]
        high = first[v[i] + 1]
        while low < high:
            middle = (low + high) // 2
            if neighbors[middle] < u[i]:
                low = middle + 1
            else:
                high = middle
        if low < first[v[i] + 1] and neighbors[low] == u[i]:
            slots[i] = low


def walk_unshielded(first, neighbors, mirror, kept, write, place, x_slot, y_slot, pair, pair_x, pair_y):
    """Visit the triples x - z - y, x < y not adjacent, of which both slots in the row of z are ``kept``.

    Without ``write``, ``place[z]`` counts the triples around z. With it, ``place[z]`` is where the first of them
    goes; they come out sorted by (z, x, y): the slots of x and of y in the row of z, and the number of the pair,
    whose ends are in ``pair_x`` and ``pair_y``, ascending in x. Returns the number of pairs.
    """
    x: cython.int
    y: cython.int
    z: cython.int
    i: cython.longlong
    j: cython.longlong
    n_pairs: cython.int = 0
    n: cython.int = first.shape[0] - 1
    near: cython.int[::1] = np.full(n, -1, np.intc)
    numbered: cython.int[::1] = np.full(n, -1, np.intc)
    number: cython.int[::1] = np.zeros(n, np.intc)
    for x in range(n):
        for i in range(first[x], first[x + 1]):
            near[neighbors[i]] = x
        for i in range(first[x], first[x + 1]):
            if not kept[mirror[i]]:
                continue
            z = neighbors[i]
            for j in range(mirror[i] + 1, first[z + 1]):
                y = neighbors[j]
                if not kept[j] or near[y] == x:
                    continue
                if write:
                    if numbered[y] != x:
                        numbered[y] = x
                        number[y] = n_pairs
                        pair_x[n_pairs] = x
                        pair_y[n_pairs] = y
                        n_pairs += 1
                    x_slot[place[z]] = mirror[i]
                    y_slot[place[z]] = j
                    pair[place[z]] = number[y]
                place[z] += 1
    return n_pairs
