# C types of strata_sum.py; see there.

cdef class StrataSum:
    cdef bint chi_square
    # Whether there is a critical value for each number of degrees of freedom, or only one.
    cdef bint by_freedom
    cdef const double[::1] n_log_n
    cdef const double[::1] critical
    cdef object critical_values
    # States of x and y.
    cdef int n_x
    cdef int n_y
    cdef double statistic
    cdef long long freedom
    # What counts in the strata so far, in all rows, and in a row alone at most; how many rows one of them is.
    cdef long long rows
    cdef int total
    cdef int alone
    cdef double unit
    # What the parts of the stratum at hand have added.
    cdef double part
    # Whether some stratum has two rows or more.
    cdef bint repeated
    # Whether to stop as soon as dependence is certain, and whether that has happened.
    cdef bint hasty
    cdef bint decided
    # Degrees of freedom for which there is no critical value; -1 if there is one.
    cdef long long missing_freedom
    # Tables of strata one behind the other, or by states of y the part at hand, written by whoever counts.
    cdef int[::1] cells
    cdef int[::1] margin_x
    cdef int[::1] margin_y
    # States of y that occur in the stratum at hand and in its part at hand.
    cdef int[::1] seen
    cdef int[::1] seen_cell

    cdef void begin(self, int n_x, int n_y) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void add_table(self, int start, int left) noexcept nogil
    cdef double term(self, int count) noexcept nogil
    cdef void decide(self, int left) noexcept nogil
    cdef double share(self, int count, int of_x, int of_y) noexcept nogil
    cdef void add_part(self, int count, int n_cells) noexcept nogil
    cdef void add_parts(self, int total, int n_parts, int n_columns) noexcept nogil
    cdef void close(self) noexcept nogil
    cdef bint independent(self) noexcept nogil
