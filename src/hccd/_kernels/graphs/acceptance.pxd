# C types of acceptance.py; see there.

cdef int ACCEPTED
cdef int CONTESTED
cdef int REVERSED
cdef int CYCLIC


cdef class Acceptance:
    cdef const long long[::1] first
    cdef const int[::1] neighbors
    cdef const int[::1] mirror
    cdef unsigned char[::1] into
    # Children (0) and parents (1) of v: lists[side, first[v] : first[v] + length[side, v]].
    cdef int[:, ::1] lists
    cdef int[:, ::1] length
    # The two searches of one claim, down (0) and up (1).
    cdef int[:, ::1] seen
    cdef int[:, ::1] waiting

    cpdef void assume(self, const int[::1] owner, const int[::1] slots)
    cpdef void accept(
        self, const int[::1] owner, const int[::1] x_slot, const int[::1] y_slot,
        const unsigned char[::1] contested, signed char[::1] refusal)
    cdef void draw(self, int z, int slot) noexcept
    cdef bint reaches(self, int stamp, int z, int x, int y) noexcept
