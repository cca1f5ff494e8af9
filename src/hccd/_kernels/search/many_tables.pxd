# C types of many_tables.py; see there.

from hccd._kernels.search.bit_tables cimport count_cells, write_common


cpdef int count_tables(
    const unsigned short[:, ::1] codes, const int[::1] widths, const unsigned long long[:, ::1] bits,
    const int[::1] where, const int[::1] members, const long long[::1] first, long long[::1] cells,
    const long long[::1] start) except -1


cdef class TableCounter:
    cdef const unsigned short[:, ::1] codes
    cdef const int[::1] widths
    cdef const unsigned long long[:, ::1] bits
    cdef const int[::1] where
    # The rows of the strata of the first columns of a set.
    cdef unsigned long long[:, ::1] strata
    cdef int[::1] digit
    cdef int[::1] found
    cdef int[::1] code

    cdef void by_rows(
        self, const int[::1] members, long long first, long long last, long long[::1] cells, long long start
    ) noexcept nogil
    cdef void by_bits(
        self, const int[::1] members, long long first, long long last, long long[::1] cells, long long start
    ) noexcept nogil
    cdef void add_pair(
        self, int order, int x, int y, long long[::1] cells, long long start, long long stratum) noexcept nogil
