"""Dependent pairs out of square matrices: each pair once, row by row, with what the matrices say about it.

Nothing of the size of the matrices is made. Both halves are read, since a matrix that says two things about a pair is a
mistake to be told; what is said about other pairs and on the diagonal is not read.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
from cython.cimports.libc.math import fabs

#: Eight pairs in a row that are independent.
ALL_INDEPENDENT = cython.declare(cython.ulonglong, 0x0101010101010101)

#: Halves of a matrix that differ by rounding are averaged.
ROUNDING = cython.declare(cython.double, 1e-9)

LARGEST = cython.declare(cython.double, 1.7976931348623157e308)


def find_pairs(n, independent, words, first, columns):
    """List the columns y > x of the pairs (x, y) that are not independent, rows from ``first[x]`` on; return how many.

    ``independent`` is the matrix row by row, and ``words`` the same bytes by eights. If the two halves disagree, the
    answer is negative: no more than ``columns`` has room for can be found in a symmetric matrix.
    """
    x: cython.longlong
    p: cython.longlong
    row: cython.longlong
    count: cython.longlong = 0
    room: cython.longlong = columns.shape[0]
    with cython.nogil:
        for x in range(n):
            first[x] = count
            row = x * n
            p = row + x + 1
            while p < row + n:
                if (p & 7) == 0 and p + 8 <= row + n and words[p >> 3] == ALL_INDEPENDENT:
                    p += 8
                    continue
                if independent[p] == 0:
                    if count == room or independent[(p - row) * n + x] != 0:
                        return -1
                    columns[count] = p - row
                    count += 1
                p += 1
        first[n] = count
    return count


def read_pairs(matrix, first, columns, values, signed):
    """Write the entry of each pair to ``values``; return False if one is negative, not finite, or not symmetric.

    Of a ``signed`` matrix the sizes of the entries are read.
    """
    x: cython.Py_ssize_t
    y: cython.int
    k: cython.longlong
    upper: cython.double
    lower: cython.double
    with cython.nogil:
        for x in range(matrix.shape[0]):
            for k in range(first[x], first[x + 1]):
                y = columns[k]
                upper = matrix[x, y]
                lower = matrix[y, x]
                if signed:
                    upper = fabs(upper)
                    lower = fabs(lower)
                if not 0.0 <= upper <= LARGEST:
                    return False
                if upper != lower:
                    if not fabs(upper - lower) <= ROUNDING * (upper if upper > 1.0 else 1.0):
                        return False
                    upper = (upper + lower) / 2
                values[k] = upper
    return True
