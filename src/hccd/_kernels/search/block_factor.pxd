# C types of block_factor.py; see there.

cdef class BlockFactor:
    cdef const double[:, ::1] correlation
    cdef const int[::1] first
    cdef double singular
    cdef int widest
    # What is looked at, and what those before leave of each column.
    cdef int[::1] target
    cdef int n_targets
    cdef double[::1] held
    # Columns of the set, where each variable's end, and how many of them add something.
    cdef int[::1] column
    cdef int[::1] last
    cdef int[::1] rank
    # As in correlation.py; the targets' covariances with what each column adds; what each number of variables leaves.
    cdef double[::1] raw
    cdef double[:, ::1] factor
    cdef double[::1] inverse
    cdef double[:, ::1] along
    cdef double[:, :, ::1] rest
    cdef double[:, ::1] scratch

    cpdef void make_room(self, int depth)
    cdef void clear_targets(self) noexcept nogil
    cdef void look_at(self, int variable, int columns) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int variable) noexcept nogil
    cdef int hold(self, int depth, int start, int stop) noexcept nogil
    cdef double log_held(self, int start, int stop) noexcept nogil
    cdef double log_told(self, int depth, int start, int stop) noexcept nogil
    cdef void eliminate(self, int j, int stop) noexcept nogil
