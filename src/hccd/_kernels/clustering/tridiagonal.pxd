# C types of tridiagonal.py; see there.

cdef class TridiagonalTop:
    cdef double[::1] alpha
    cdef double[::1] beta
    cdef double[::1] pivot
    cdef double[::1] vector
    cdef double[::1] solution
    cdef int solved
    cdef double value
    cdef double residual

    cdef void restart(self) noexcept nogil
    cdef double solve(self, int steps) noexcept nogil
    cdef bint factor(self, int steps, double x) noexcept nogil
