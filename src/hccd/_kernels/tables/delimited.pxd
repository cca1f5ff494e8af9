# C types of delimited.py; see there.

cpdef Py_ssize_t cut_cells(
    const unsigned char[::1] text, int delimiter,
    long long[:, ::1] start, long long[:, ::1] stop, long long[::1] failure) except -2

cdef double scaled(unsigned long long digits, int exponent, double[::1] tens) noexcept nogil

cpdef int parse_numbers(
    const unsigned char[::1] text, bytes source, const long long[::1] start, const long long[::1] stop,
    long long[::1] whole, double[::1] real) except -1
