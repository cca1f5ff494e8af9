# C types of set_memory.py; see there.

cdef class SetMemory:
    cdef const unsigned long long[::1] child_key
    cdef const unsigned long long[::1] member_key
    cdef unsigned long long mask
    cdef unsigned long long[::1] keys

    cdef unsigned long long place(self, unsigned long long key) noexcept nogil
    cdef void forget(self) noexcept nogil
