# C types of gap_blocks.py; see there.

from hccd._kernels.search.blocks cimport BlockSearch
from hccd._kernels.search.effective_rows cimport EffectiveRows


cdef class GapSearch(BlockSearch):
    cdef EffectiveRows effective
    cdef int[::1] member

    cdef void extend(self, int depth, int z) noexcept nogil
    cdef double measure(self) noexcept nogil
