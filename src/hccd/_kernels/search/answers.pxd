# C types of answers.py; see there.

cdef class Answers:
    cdef const unsigned long long[::1] of_first
    cdef const unsigned long long[::1] of_second
    cdef const unsigned long long[::1] of_member
    cdef int shift
    # The number of the question whose answer is here; 0 is none's.
    cdef unsigned long long[::1] question
    cdef double[::1] statistic

    cdef unsigned long long pair(self, int x, int y) noexcept nogil
    cdef unsigned long long with_member(self, unsigned long long question, int z) noexcept nogil
    cdef bint knows(self, unsigned long long question) noexcept nogil
    cdef double recall(self, unsigned long long question) noexcept nogil
    cdef void keep(self, unsigned long long question, double statistic) noexcept nogil
