# C types of calling.py; see there.

from hccd._kernels.search.level cimport LevelSearch


cdef class CallingSearch(LevelSearch):
    cdef object test
    cdef int[::1] member

    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
