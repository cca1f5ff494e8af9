"""Columns of text: the distinct cells get numbers, in the order of their first rows.

``code_objects`` is for Python strings, ``code_slices`` for cells that lie in one long run of bytes, as files and Arrow
arrays have them; neither makes an object per cell.
"""

import cython
import numpy as np

MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL_64_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def code_objects(cells, position, codes):
    """Number the distinct strings of a list; stop at the first cell that is not exactly a ``str``.

    ``position`` is filled with the number of each string. Returns how many cells were strings.
    """
    j: cython.Py_ssize_t
    code: cython.int
    for j in range(len(cells)):
        cell = cells[j]
        if type(cell) is not str:
            return j
        known = position.get(cell)
        if known is None:
            code = len(position)
            position[cell] = code
        else:
            code = known
        codes[j] = code
    return len(cells)


def code_slices(text, start, stop, codes, first):
    """Number the distinct slices ``text[start[j] : stop[j]]``; ``first`` gets the row of each number's first slice.

    Returns how many there are. Open addressing in a table of at least twice as many places as rows; a slice of up to
    eight bytes is its own key, the key of a longer one is a hash.
    """
    j: cython.Py_ssize_t
    a: cython.longlong
    k: cython.longlong
    size: cython.longlong
    end: cython.longlong = len(text)
    place: cython.longlong
    other: cython.longlong
    key: cython.ulonglong
    known: cython.int
    distinct: cython.int = 0
    places: cython.longlong = 16
    while places < 2 * start.shape[0]:
        places *= 2
    table: cython.int[::1] = np.full(places, -1, np.intc)
    keys: cython.ulonglong[::1] = np.empty(start.shape[0], np.uint64)
    with cython.nogil:
        for j in range(start.shape[0]):
            a = start[j]
            size = stop[j] - a
            key = 0
            if 0 < size <= 8 and a + 8 <= end:
                # Compilers make one load of this; a loop of unpredictable length costs more than all the rest.
                key = (
                    cython.cast(cython.ulonglong, text[a])
                    | cython.cast(cython.ulonglong, text[a + 1]) << 8
                    | cython.cast(cython.ulonglong, text[a + 2]) << 16
                    | cython.cast(cython.ulonglong, text[a + 3]) << 24
                    | cython.cast(cython.ulonglong, text[a + 4]) << 32
                    | cython.cast(cython.ulonglong, text[a + 5]) << 40
                    | cython.cast(cython.ulonglong, text[a + 6]) << 48
                    | cython.cast(cython.ulonglong, text[a + 7]) << 56
                ) & (ALL_64_BITS >> cython.cast(cython.int, 64 - 8 * size))
            elif size <= 8:
                for k in range(size):
                    key |= cython.cast(cython.ulonglong, text[a + k]) << (8 * k)
            else:
                for k in range(a, stop[j]):
                    # The mask changes nothing in C, and gives Python's unbounded numbers the same bits.
                    key = ((key * MULTIPLIER) & ALL_64_BITS) ^ (key >> 32) ^ cython.cast(cython.ulonglong, text[k])
            place = (((key * MULTIPLIER) & ALL_64_BITS) >> 32) & (places - 1)
            while True:
                known = table[place]
                if known < 0:
                    known = distinct
                    table[place] = distinct
                    first[distinct] = j
                    keys[distinct] = key
                    distinct += 1
                    break
                other = start[first[known]]
                if keys[known] == key and stop[first[known]] - other == size:
                    k = 0
                    if size > 8:
                        while k < size and text[other + k] == text[a + k]:
                            k += 1
                    if size <= 8 or k == size:
                        break
                place = (place + 1) & (places - 1)
            codes[j] = known
    return distinct
