# C types of blocks.py; see there.

from hccd._kernels.search.block_factor cimport BlockFactor
from hccd._kernels.search.level cimport LevelSearch


cdef class BlockSearch(LevelSearch):
    cdef BlockFactor blocks
    cdef double n_rows
    cdef const double[::1] critical
    cdef const double[::1] limit
    cdef const int[::1] width

    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef double measure(self) noexcept nogil
    cdef bint independent(self) noexcept nogil
