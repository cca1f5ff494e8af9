# C types of set_tables.py; see there.

from hccd._kernels.scores.set_memory cimport SetMemory


cdef class SetTables:
    cdef const int[::1] states
    cdef readonly int most_cells
    # How many variables to try for a larger table: all or none.
    cdef int tries
    # Where the table of each set begins, and the tables one after another.
    cdef SetMemory memory
    cdef long long[::1] start
    cdef int[::1] counts
    cdef long long used
    # The set at hand, in the order of the family, and the place in its table of each cell of the family.
    cdef int[::1] variable
    cdef int size
    cdef int n_cells
    cdef unsigned long long key
    cdef int[::1] offset

    cdef bint take(self, const int[::1] members, int count, int child, int n_cells, int[::1] cells) noexcept nogil
    cdef void keep(self, int[::1] cells) noexcept nogil
    cdef long long remember(self) noexcept nogil
    cdef bint holds(self, int v) noexcept nogil
    cdef int stride(self, int v) noexcept nogil
    cdef void copy(self, int[::1] cells, long long start, bint back) noexcept nogil
    cdef void sum_over(self, int v, long long start) noexcept nogil
