# C types of ancestors.py; see there.

cimport cython


@cython.final
cdef class Ancestors:
    cdef readonly int n
    cdef int words
    # Bit x of row y: x is an ancestor of y.
    cdef unsigned long long[:, ::1] bits
    # In ascending order.
    cdef readonly int[:, ::1] parents
    cdef readonly int[::1] n_parents
    cdef unsigned char[::1] stale
    cdef int[::1] stack

    cpdef bint is_ancestor(self, int x, int y) noexcept nogil
    cpdef bint can_turn(self, int x, int y) noexcept nogil
    cpdef void insert(self, int x, int y) noexcept nogil
    cpdef void remove(self, int x, int y) noexcept nogil
    cdef void renew(self, int y) noexcept nogil
