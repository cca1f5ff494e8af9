# C types of candidates.py; see there.

cdef class Candidates:
    cdef bint live
    cdef bint by_strength
    cdef const double[:, ::1] association
    # Bounds on the strength of each variable with those that are not its neighbours; the caller may raise them.
    cdef const double[::1] outer
    cdef const int[::1] position
    # Neighbours of v: neighbors[first[v] : first[v] + degree[v]]; changed during the walk only if live.
    cdef const long long[::1] first
    cdef int[::1] neighbors
    cdef int[::1] degree
    # The strength of each neighbour, along `neighbors`.
    cdef double[::1] strength
    # Place of each neighbour of `marked` in its list, -1 for all others.
    cdef long long[::1] mark
    cdef int marked
    cdef int marked_degree
    # The edge number at which a variable was last a common neighbour.
    cdef long long[::1] met
    cdef long long turn
    # The pool of the edge at hand: ranked up to `ranked`; behind that common neighbours, or if `whole` all of them, in
    # order or as a heap.
    cdef int[::1] pool
    cdef int[::1] side
    cdef double[::1] key
    cdef int size
    cdef int common
    cdef int ranked
    cdef bint whole
    cdef bint in_order
    # How many of the first i ranked candidates are neighbours of x, of y, and outside the home.
    cdef int[::1] of_x
    cdef int[::1] of_y
    cdef int[::1] away
    cdef int total_x
    cdef int total_y
    cdef int total_away
    # The edge at hand, and the positions of its home.
    cdef int x
    cdef int y
    cdef int home_start
    cdef int home_stop

    cdef void restart(self, bint live) noexcept
    cdef void meet(self, int x, int y, int home_start, int home_stop) noexcept nogil
    cdef void mark_neighbors(self) noexcept nogil
    cdef void count_away(self) noexcept nogil
    cdef bint is_away(self, int z) noexcept nogil
    cdef void fill(self) noexcept nogil
    cdef void insert(self, int k) noexcept nogil
    cdef bint before(self, int i, int j) noexcept nogil
    cdef void swap(self, int i, int j) noexcept nogil
    cdef void sift(self, int root, int count) noexcept nogil
    cdef void rank_up_to(self, int i) noexcept nogil
    cdef bint find_best(self) noexcept nogil
    cdef void forget(self, int v, int gone) noexcept nogil
