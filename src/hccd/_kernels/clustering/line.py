"""Points on a line: where to cut them in two.

The best cut by 2-means is a threshold, so it is found exactly: sort, sum up, compare every place.
The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
from cython.cimports.libc.math import ceil, fabs

#: Runs of this length are sorted by insertion before they are merged.
RUN = cython.declare(cython.int, 12)

#: Points that differ by less than this, relative to the largest, cannot be told apart.
SAME = cython.declare(cython.double, 1e-10)


def cut_line(points, n, min_fraction, order, scratch):
    """Sort the points and find the cut that leaves the widest spread between the means of both sides.

    With points centred and sorted, cutting after the first k leaves a spread of s_k^2 n / (k (n - k)), where s_k
    sums the first k. Each side keeps at least the share ``min_fraction`` of the points, at most one half. ``order``
    receives the places of the points in ascending order, equal points as they come; ``points`` are centred. There must
    be two at least. Returns how many lie below the cut, 0 if they cannot be told apart.
    """
    i: cython.int
    mean: cython.double = 0.0
    largest: cython.double = 0.0
    total: cython.double = 0.0
    spread: cython.double
    widest: cython.double = -1.0
    best: cython.int = 0
    least: cython.int = cython.cast(cython.int, ceil(min_fraction * n - 1e-9))
    least = 1 if least < 1 else n // 2 if least > n // 2 else least
    for i in range(n):
        mean += points[i]
        if fabs(points[i]) > largest:
            largest = fabs(points[i])
    mean = mean / n
    for i in range(n):
        points[i] -= mean
    sort_places(points, n, order, scratch)
    if points[order[n - 1]] - points[order[0]] <= SAME * largest:
        return 0
    for i in range(1, n - least + 1):
        total += points[order[i - 1]]
        if i >= least:
            spread = total * total / (cython.cast(cython.double, i) * (n - i))
            if spread > widest:
                widest = spread
                best = i
    return best


def sort_places(points, n, order, scratch):
    """Fill ``order`` with the places of the points in ascending order; equal points keep theirs: a merge sort."""
    start: cython.int = 0
    width: cython.int = RUN
    while start < n:
        sort_run(points, start, start + RUN if start + RUN < n else n, order)
        start += RUN
    while width < n:
        start = 0
        while start + width < n:
            merge_runs(points, start, start + width, start + 2 * width if start + 2 * width < n else n, order, scratch)
            start += 2 * width
        width *= 2


def sort_run(points, start, stop, order):
    """Sort the places from ``start`` to ``stop`` by insertion."""
    i: cython.int
    j: cython.int
    for i in range(start, stop):
        j = i
        while j > start and points[order[j - 1]] > points[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i


def merge_runs(points, start, middle, stop, order, scratch):
    """Merge two sorted runs; only the first needs to be out of the way."""
    i: cython.int
    j: cython.int = middle
    k: cython.int = start
    for i in range(start, middle):
        scratch[i] = order[i]
    i = start
    while i < middle:
        if j < stop and points[order[j]] < points[scratch[i]]:
            order[k] = order[j]
            j += 1
        else:
            order[k] = scratch[i]
            i += 1
        k += 1
