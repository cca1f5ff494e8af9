# C types of contingency.py; see there.

from libc.math cimport INFINITY

from hccd._kernels.search.answers cimport Answers
from hccd._kernels.search.bit_tables cimport BitTables
from hccd._kernels.search.level cimport LevelSearch
from hccd._kernels.search.row_tables cimport RowTables
from hccd._kernels.search.strata_sum cimport StrataSum


cdef class TableSearch(LevelSearch):
    cdef const int[::1] states
    cdef StrataSum sum
    cdef BitTables bits
    cdef RowTables rows
    cdef bint remembers
    cdef Answers answers
    # The number of the question after so many variables of the set.
    cdef unsigned long long[::1] asked

    cdef double measure(self) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef void tabulate(self) noexcept nogil
    cdef bint independent(self) noexcept nogil
