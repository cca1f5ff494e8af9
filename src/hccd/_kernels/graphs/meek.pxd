# C types of meek.py; see there.

cdef int UNDIRECTED
cdef int OUT
cdef int IN


cdef class MeekClosure:
    cdef const long long[::1] first
    cdef const int[::1] neighbors
    cdef const int[::1] mirror
    cdef signed char[::1] mark
    # Why the arrow out of a slot is there: the caller's number, or that of the rule.
    cdef signed char[::1] reason
    cdef const int[::1] owner
    cdef int[::1] queue
    cdef unsigned char[::1] queued
    cdef int size
    # The slot of each variable in the rows of the two ends of the arrow at hand, -1 where there is none.
    cdef int[::1] of_a
    cdef int[::1] of_b

    cpdef void close(self, const int[::1] arrows, const signed char[::1] why)
    cdef void find(self, int slot, int why) noexcept
    cdef void direct(self, int slot) noexcept
    cdef void follow(self, int slot) noexcept
    cdef void rule_1(self, int a, int b) noexcept
    cdef void rule_2(self, int a, int b) noexcept
    cdef void rule_3(self, int c, int b) noexcept
    cdef void rule_4(self, int p, int q) noexcept
