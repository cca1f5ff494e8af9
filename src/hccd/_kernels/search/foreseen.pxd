# C types of foreseen.py; see there.

from hccd._kernels.search.level cimport LevelSearch


cdef class ForeseenSearch(LevelSearch):
    cdef dict known
    cdef dict wanted
    cdef object count
    cdef int[::1] member
    # Of the pair at hand: questions that were answered, and that were not.
    cdef int answered
    cdef int unknown

    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
