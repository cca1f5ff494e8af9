# C types of correlation.py; see there.

from hccd._kernels.search.level cimport LevelSearch


cdef class CorrelationSearch(LevelSearch):
    cdef const double[:, ::1] correlation
    cdef const double[::1] critical
    cdef double singular
    # Covariances of what a variable adds with what the earlier ones add, before and after division.
    cdef double[:, ::1] raw
    cdef double[:, ::1] factor
    cdef double[::1] inverse
    cdef double[::1] along_x
    cdef double[::1] along_y
    cdef double[::1] rest_x
    cdef double[::1] rest_y
    cdef double[::1] rest_xy
    # Variables of the set so far, for the correlations of a new one with them.
    cdef int[::1] member

    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef double measure(self) noexcept nogil
    cdef bint single(self, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
