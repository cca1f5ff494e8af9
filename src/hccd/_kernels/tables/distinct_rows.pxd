# C types of distinct_rows.py; see there.

cdef inline unsigned long long scattered(unsigned long long number, unsigned long long word) noexcept nogil:
    number = (number ^ word) * 0x9E3779B97F4A7C15ULL
    return number ^ (number >> 29)


cpdef unsigned int pack(const unsigned short[::1] codes, int shift, unsigned long long[::1] words)


cdef class RowCounter:
    cdef unsigned long long[:, ::1] keys
    cdef long long[::1] counts
    cdef int[::1] places
    cdef int held

    cpdef int add(self, const unsigned long long[:, ::1] words, const long long[::1] times, int most) except -1
    cdef Py_ssize_t add_from(
        self, const unsigned long long[:, ::1] words, const long long[::1] times, Py_ssize_t r) noexcept nogil
    cdef int grow(self) except -1
