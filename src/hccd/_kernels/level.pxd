# C types of level.py; see there.

cdef class LevelSearch:
    cdef int order
    cdef bint live
    cdef bint by_strength
    cdef const double[:, ::1] strength
    cdef const int[::1] position
    # Neighbours of v: neighbors[first[v] : first[v] + degree[v]]; changed during the walk only if live.
    cdef const long long[::1] first
    cdef int[::1] neighbors
    cdef int[::1] degree
    # The pool of the edge at hand: ranked up to `ranked`, a heap behind that.
    cdef int[::1] pool
    cdef int[::1] side
    cdef double[::1] key
    cdef int[::1] place
    cdef int size
    cdef int ranked
    # How many of the first i ranked candidates are neighbours of x, of y, and outside the home.
    cdef int[::1] of_x
    cdef int[::1] of_y
    cdef int[::1] away
    cdef int total_x
    cdef int total_y
    cdef int total_away
    # One path of the tree of sets.
    cdef int[::1] chosen
    cdef int[::1] mask
    cdef int[::1] outside
    cdef int x
    cdef int y
    cdef int home_start
    cdef int home_stop
    cdef double statistic
    cdef long long freedom
    # Largest degrees of freedom met for which the caller gave no critical value; -1 if none.
    cdef long long missing_freedom

    cpdef long long search(
        self, const int[::1] x, const int[::1] y,
        const int[::1] home_start, const int[::1] home_stop, const int[::1] home_order,
        unsigned char[::1] removed, int[:, ::1] given, long long[::1] n_tests,
        double[::1] statistic, long long[::1] freedom)
    cdef long long ask(self) noexcept nogil
    cdef bint reachable(self, int i, int need, int mask, int outside) noexcept nogil
    cdef bint enough(self, int i, int need, int mask) noexcept nogil
    cdef void gather(self) noexcept nogil
    cdef bint before(self, int i, int j) noexcept nogil
    cdef void swap(self, int i, int j) noexcept nogil
    cdef void sift(self, int root, int count) noexcept nogil
    cdef void rank_up_to(self, int i) noexcept nogil
    cdef void forget(self, int v, int gone) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
