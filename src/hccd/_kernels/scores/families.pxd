# C types of families.py; see there.

cdef class Families:
    # What has been computed so far, in operations of about a nanosecond.
    cdef readonly long long work
    # How many families have been scored.
    cdef readonly long long evaluations

    cdef void begin(self, int child, const int[::1] members, int count) noexcept nogil
    cdef double value(self) noexcept nogil
    cdef double value_with(self, int x) noexcept nogil
    cdef int gaining(
        self, double least, const int[::1] others, const unsigned char[::1] excluded, int[::1] found, double[::1] gain
    ) noexcept nogil
    cdef int strongest(
        self, double least, const int[::1] others, const unsigned char[::1] excluded, const int[::1] place, int limit,
        int[::1] found, double[::1] gain
    ) noexcept nogil
    cdef int insert(self, int x, double more, int count, int[::1] found, double[::1] gain) noexcept nogil
    cdef int weakest(self, int child, const int[::1] members, int count, int[::1] fewer) noexcept nogil
    cpdef double score(self, int child, const int[::1] members)
    cpdef void gains(self, int child, const int[::1] members, double[::1] gain)
