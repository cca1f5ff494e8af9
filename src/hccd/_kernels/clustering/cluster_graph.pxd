# C types of cluster_graph.py; see there.

cdef class ClusterGraph:
    cdef int n
    cdef long long[::1] first
    cdef int[::1] length
    cdef int[::1] columns
    cdef double[::1] weights
    # The vertex at each position.
    cdef int[::1] order
    # Of the cluster at hand, by place: the part it goes to, and its place there.
    cdef int[::1] label
    cdef int[::1] place
    cdef int[::1] moved
    cdef long long[::1] moved_first
    cdef int[::1] part_start

    cdef int find_components(self, int start, int size) noexcept nogil
    cdef int first_place(self, int i) noexcept nogil
    cdef void divide(self, int start, int size, int count, int ignored) noexcept nogil
    cdef void drop_others(self, int position, int part) noexcept nogil
    cdef void move(self, int start, int size) noexcept nogil
