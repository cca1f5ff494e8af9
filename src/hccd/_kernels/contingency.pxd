# C types of contingency.py; see there.

from hccd._kernels.level cimport LevelSearch


cdef class TableSearch(LevelSearch):
    cdef int kind
    cdef const unsigned short[:, ::1] data
    cdef const int[::1] states
    cdef int n_rows
    # Whether some stratum of the table at hand has two rows or more.
    cdef bint repeated
    # critical[df] for G and chi-square; critical[0] for mutual information (2 N threshold).
    cdef const double[::1] critical
    cdef const double[::1] n_log_n
    cdef long long dense_cells
    cdef int[:, ::1] codes
    cdef int[::1] n_codes
    cdef int[::1] cells
    cdef int[::1] margin_x
    cdef int[::1] margin_y
    cdef int[::1] seen
    cdef int[::1] seen_cell
    cdef int[::1] bucket
    cdef int[::1] row_order
    cdef int[::1] stamp
    cdef int[::1] renumbered

    cpdef void statistics(
        self, const int[::1] x, const int[::1] y, const int[:, ::1] given,
        double[::1] statistic, long long[::1] freedom, double[::1] information)
    cdef void sort_rows(self, int depth) noexcept nogil
    cdef void renumber(self, int depth, int z) noexcept nogil
    cdef void tabulate(self) noexcept nogil
    cdef void count_dense(self, int width) noexcept nogil
    cdef double share(self, int count, int of_x, int of_y) noexcept nogil
    cdef void count_sparse(self) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
