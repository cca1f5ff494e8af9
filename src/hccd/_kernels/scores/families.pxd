# C types of families.py; see there.

cdef class Families:
    cdef void begin(self, int child, const int[::1] members, int count) noexcept nogil
    cdef double value(self) noexcept nogil
    cdef double value_with(self, int x) noexcept nogil
    cpdef double score(self, int child, const int[::1] members)
    cpdef void single_parents(self, int child, double[::1] gain)
