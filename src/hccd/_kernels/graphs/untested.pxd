# C types of untested.py; see there.

cdef class UntestedSets:
    cdef const long long[::1] first
    cdef const int[::1] neighbors
    # The pairs; row: their place among the separations, -1 if they were separated without any condition.
    cdef const int[::1] pair_x
    cdef const int[::1] pair_y
    cdef const long long[::1] row
    # The largest set to ask about.
    cdef const int[::1] limit
    cdef const long long[::1] start
    cdef const int[::1] given
    cdef const double[:, ::1] association
    cdef bint by_strength
    cdef const int[::1] position
    cdef const int[::1] home_start
    cdef const int[::1] home_stop
    cdef const int[::1] home_order
    cdef const int[::1] cluster_start
    cdef const int[::1] cluster_stop
    # Marked with the number of the pair at hand.
    cdef int[::1] near_x
    cdef int[::1] in_separator
    cdef double[::1] key
    cdef int order
    # The set at hand: places chosen[0] < chosen[1] < ... in the row that begins at base, of `length` neighbours.
    cdef int pair
    cdef int side
    cdef bint fresh
    cdef long long base
    cdef int length
    cdef int[::1] chosen
    # The same set, and the separating set of the pair, by rank.
    cdef int[::1] ranked
    cdef int[::1] found
    cdef int separator_size

    cpdef void begin(self, int order)
    cpdef Py_ssize_t fill(self, int[::1] pair, int[:, ::1] given)
    cdef bint advance(self) noexcept
    cdef void load(self) noexcept
    cdef void weigh(self, int x, int y, int z) noexcept
    cdef bint is_question(self) noexcept
    cdef bint before(self, int u, int v) noexcept
    cdef void sort_by_rank(self, int[::1] members) noexcept

cpdef void count_votes(
    const int[::1] middle, const int[::1] pair, const long long[::1] first, const long long[::1] start,
    const int[::1] given, const double[::1] p_value, bint majority, signed char[::1] collider, long long[::1] decisive)
