# C types of coded_columns.py; see there.

cdef class CodedColumns:
    cdef readonly const unsigned short[:, ::1] data
    cdef readonly const int[::1] states
    cdef readonly int most_states
    cdef readonly const double[::1] n_log_n
    cdef readonly int n_rows
    cdef readonly int words
    # Row of `bits` that belongs to the first state of each variable, -1 if it has too many states.
    cdef readonly int[::1] where
    cdef readonly unsigned long long[:, ::1] bits

    cdef void set_bits(self) noexcept nogil
