# C types of effective_rows.py; see there.

cdef class EffectiveRows:
    cdef const double[:, ::1] correlation
    cdef const int[:, ::1] place
    cdef const long long[::1] start
    cdef const int[::1] size
    cdef const double[::1] lost
    cdef const double[::1] weight
    cdef double singular
    cdef int room
    # Variables of a test: the set, x, y; its coordinates; which of them a pattern misses.
    cdef int[::1] member
    cdef double[:, ::1] base
    cdef int[::1] missing
    cdef double[:, ::1] shared
    cdef double[:, ::1] told
    # Pairs of coordinates.
    cdef int[::1] first
    cdef int[::1] second
    cdef double[::1] scale
    cdef double[:, ::1] information

    cpdef void make_room(self, int order)
    cdef double rows(self, int x, int y, const int[::1] given, int order) noexcept nogil
    cdef void whiten(self, int order) noexcept nogil
    cdef int list_pairs(self, int m) noexcept nogil
    cdef void tell(self, Py_ssize_t p, int m, int n_missing) noexcept nogil
    cdef void add(self, int count, double weight) noexcept nogil
    cdef double last_pivot(self, int count) noexcept nogil
