# C types of row_codes.py; see there.

cdef class RowCodes:
    cdef const unsigned short[:, ::1] data
    cdef const int[::1] states
    cdef int n_rows
    cdef bint gapped
    # The set so far, and for how many of its variables codes are there.
    cdef int[::1] member
    cdef int coded
    cdef int[:, ::1] codes
    cdef int[::1] n_codes
    cdef int[::1] bucket
    cdef int[::1] row_order
    # By state: the stratum in which it was last met, and the code it got there.
    cdef int[::1] stamp
    cdef int[::1] renumbered

    cdef int make_room(self, int order) except -1
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef void code_up_to(self, int depth) noexcept nogil
    cdef void sort_rows(self, int depth) noexcept nogil
    cdef void renumber(self, int depth, int z) noexcept nogil
