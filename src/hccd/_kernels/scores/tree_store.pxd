# C types of tree_store.py; see there.

cdef long long MOST_NODES


cdef class TreeStore:
    cdef int n
    cdef int max_parents
    cdef int widest
    cdef long long[::1] root
    cdef int[::1] members
    # What walks have taken so far, in operations of about a nanosecond.
    cdef public long long work
    cdef readonly long long n_nodes
    cdef long long n_branches
    cdef long long n_ends
    # By node: the one above, the parent it adds, how many parents it has, its score, and that after shrinking.
    cdef public long long[::1] above
    cdef public int[::1] added
    cdef public int[::1] size
    cdef public double[::1] grown
    cdef public double[::1] shrunk
    # By node: where its branches begin and how many there are, and so for the parents that shrinking leaves; -1: unknown.
    cdef public long long[::1] branch_first
    cdef public int[::1] branch_count
    cdef public long long[::1] end_first
    cdef public int[::1] end_count
    # By branch: the candidate, what it gains, and the node it leads to, or -1.
    cdef public int[::1] branch_variable
    cdef public double[::1] branch_gain
    cdef public long long[::1] branch_node
    cdef public int[::1] branch_partner
    cdef public unsigned char[::1] seen_ahead
    # Whether its branches are those of a glance.
    cdef public unsigned char[::1] partial
    cdef public int[::1] ends
    cdef int words
    cdef unsigned long long[:, ::1] near_bits
    cdef long long[::1] near_last
    cdef int[::1] near_count
    cdef public int[::1] near_variable
    cdef public long long[::1] near_next
    cdef long long n_near

    # What needs room may find that there is none: -1 is an exception.
    cdef int make_room(self) except -1 nogil
    cdef int know(self, int x, int y) except -1 nogil
    cdef void know_one(self, int x, int y) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef Py_ssize_t new_node(self, long long above, int x, int size) except -1 nogil
    cdef int list_members(self, long long node) noexcept nogil
    cdef int add_branch(self, long long node, int x, int partner, double gain, int behind) except -1 nogil
