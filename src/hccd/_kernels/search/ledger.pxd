# C types of ledger.py; see there.

from hccd._kernels.search.level cimport LevelSearch


cdef class Ledger:
    cdef int n
    cdef const int[::1] x
    cdef const int[::1] y
    # The strength of each pair.
    cdef const double[::1] strength
    cdef const int[::1] sequence
    cdef const int[::1] start
    cdef const int[::1] stop
    cdef const int[::1] height
    cdef readonly double[::1] outer
    # One entry for each pair.
    cdef readonly unsigned char[::1] alive
    cdef readonly unsigned char[::1] seen
    cdef unsigned char[::1] fixed
    cdef readonly int[::1] home_start
    cdef readonly int[::1] home_stop
    cdef readonly int[::1] home_order
    # What made a pair fall: the size of the set (-1: it stands), stage, cluster, test, and where its set begins in given.
    cdef readonly int[::1] fell_order
    cdef readonly signed char[::1] fell_stage
    cdef readonly int[::1] fell_cluster
    cdef readonly double[::1] statistic
    cdef readonly long long[::1] freedom
    cdef readonly long long[::1] given_start
    cdef readonly int[::1] given
    cdef long long used
    cdef readonly long long[::1] by_cluster
    # Tests by order, one list for each stage.
    cdef readonly list by_stage
    # The pass at hand.
    cdef int[::1] cluster_of
    cdef int[::1] inside
    cdef int[::1] asked
    cdef int[::1] todo
    # In a live level: where the pairs of the same cluster end.
    cdef int[::1] run_stop
    cdef long long[::1] tests
    cdef int n_inside
    cdef int n_asked
    cdef int n_able
    cdef int n_todo
    cdef int level_order
    cdef long long[::1] first
    cdef int[::1] degree
    cdef int[::1] neighbors
    cdef double[::1] neighbor_strength
    # The first of the pairs to be asked that nobody has taken.
    cdef int next

    cpdef void merge(self, int height)
    cpdef int ask_new(self)
    cpdef int ask_all(self)
    cpdef void learn(self, object workers, int stage, int first, int limit, bint live, int done, object after_part)
    cdef void list_neighbors(self) noexcept nogil
    cdef void choose(self, int order) noexcept nogil
    cdef int group(self) except -1
    cdef int make_room(self, int order) except -1
    cpdef void begin_run(self, int begin)
    cpdef void walk(self, LevelSearch search, int order, bint live, int end)
    cdef void walk_run(self, LevelSearch search, int order, int begin, int end) noexcept nogil
    cdef long long settle(self, int stage, int order) noexcept nogil
    cpdef void close(self, int limit)
