# C types of row_tables.py; see there.

from hccd._kernels.search.row_codes cimport RowCodes
from hccd._kernels.search.strata_sum cimport StrataSum


cdef class RowTables(RowCodes):
    cdef StrataSum sum
    # Of the sum.
    cdef int[::1] cells
    cdef int[::1] margin_y
    cdef int[::1] seen
    cdef int[::1] seen_cell
    cdef long long dense_cells
    cdef const int[::1] weights
    # Whether every row counts, and once.
    cdef bint plain
    # The pair, and its cells in one stratum.
    cdef int x
    cdef int y
    cdef long long width
    # The states of x and y in each row as one number, once they are needed.
    cdef bint paired
    cdef int[::1] pair

    cdef void begin(self, int x, int y) noexcept nogil
    cdef void leave_out(self) noexcept nogil
    cdef void count(self, int order) noexcept nogil
    cdef bint narrow(self, int order) noexcept nogil
    cdef void count_dense(self, int depth, int last) noexcept nogil
    cdef void count_sparse(self, int order) noexcept nogil
    cdef void count_part(self, int part) noexcept nogil
