# C types of family_memory.py; see there.

cdef class FamilyMemory:
    cdef const unsigned long long[::1] child_key
    cdef const unsigned long long[::1] parent_key
    cdef unsigned long long mask
    cdef unsigned long long[::1] keys
    cdef double[::1] scores

    cdef unsigned long long place(self, unsigned long long key) noexcept nogil
