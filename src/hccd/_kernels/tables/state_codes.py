"""Cells of known states as codes: found by their place in a narrow range of whole numbers, and counted on the way.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython


def code_states(values, low, places, unknown, codes, times):
    """Write the code of each value; tell whether all are known. If not, what was written is void.

    A whole number v has the code ``places[v - low]``, which may be ``unknown``; one that is not a number has the last
    of ``places``. ``times[k, place]`` counts how often each place was met; rows take the ``k`` in turn, because one
    number after the other that is the same would wait for the one before.
    """
    r: cython.Py_ssize_t
    place: cython.longlong
    code: cython.int
    gap: cython.longlong = places.shape[0] - 1
    least: cython.double = low
    most: cython.double = low + gap - 1
    with cython.nogil:
        for r in range(values.shape[0]):
            if values[r] >= least and values[r] <= most:
                place = cython.cast(cython.longlong, values[r])
                if place != values[r]:
                    return False
                place -= low
            elif values[r] != values[r]:
                place = gap
            else:
                return False
            code = places[place]
            if code == unknown:
                return False
            codes[r] = code
            times[r & 3, place] += 1
    return True
