# C types of coded_columns.py; see there.

cdef class CodedColumns:
    cdef readonly const unsigned short[:, ::1] data
    cdef readonly const int[::1] states
    cdef readonly int most_states
    # Whether each variable has missing cells, and whether any has.
    cdef readonly const unsigned char[::1] gaps
    cdef readonly bint gapped
    # How often each row counts, in units of so many rows; all of them together, and the most that one row has.
    cdef readonly bint weighted
    cdef readonly const int[::1] weights
    cdef readonly int total
    cdef readonly double unit
    cdef readonly int alone
    cdef readonly const double[::1] n_log_n
    cdef readonly int n_rows
    cdef readonly int words
    # Row of `bits` that belongs to the first state of each variable, -1 if it has too many states.
    cdef readonly int[::1] where
    cdef readonly unsigned long long[:, ::1] bits

    cdef void set_bits(self) noexcept nogil
