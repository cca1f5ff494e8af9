"""The logarithm of the gamma function, by Stirling's series: the same bits here and compiled.

Libraries differ in the last bits of theirs, and some are not safe in threads. The error is below 1e-11.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
from cython.cimports.libc.math import log

# The series is good from here on; smaller arguments are raised by the recurrence.
ENOUGH = cython.declare(cython.double, 8.0)
HALF_LOG_2_PI = cython.declare(cython.double, 0.91893853320467274178)


def log_gamma(x):
    """Return ln G(x) for x > 0."""
    product: cython.double = 1.0
    inverse: cython.double
    square: cython.double
    while x < ENOUGH:
        product *= x
        x += 1.0
    inverse = 1.0 / x
    square = inverse * inverse
    series: cython.double = (
        1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0)))
    ) * inverse
    return (x - 0.5) * log(x) - x + HALF_LOG_2_PI + series - log(product)
