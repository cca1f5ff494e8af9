# C types of block_families.py; see there.

from hccd._kernels.scores.families cimport Families
from hccd._kernels.search.block_factor cimport BlockFactor


cdef class BlockFamilies(Families):
    cdef BlockFactor blocks
    cdef readonly double n_rows
    cdef double singular
    cdef double price
    cdef const int[::1] width
    cdef const int[::1] own
    cdef const double[::1] entropy
    # The family: its parents, how many columns of the child vary, and their log-determinant without parents.
    cdef int child
    cdef int count
    cdef int[::1] member
    cdef int rank
    cdef double all_of_it

    cdef void add(self, int depth, int x) noexcept nogil
    cdef double at(self, int depth) noexcept nogil
