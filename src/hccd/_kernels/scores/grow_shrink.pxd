# C types of grow_shrink.py; see there.

from hccd._kernels.scores.families cimport Families

cdef double LEAST_GAIN
cdef double FIRST
cdef long long MOST_NODES
cdef double PART
cdef int LOOKED_AT


cdef class GrowShrink:
    cdef int n
    cdef Families families
    cdef const long long[::1] first
    cdef const long long[::1] last
    cdef const int[::1] other
    cdef double price
    cdef int max_parents
    cdef const long long[::1] must_first
    cdef const int[::1] must
    cdef unsigned char[::1] is_must
    cdef int[::1] place
    cdef long long[::1] root
    cdef int[::1] members
    cdef int[::1] fewer
    cdef unsigned char[::1] excluded
    cdef int[::1] ahead
    cdef double[::1] ahead_gain
    cdef int widest
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
    # Whether walks are at a glance.
    cdef public bint glance
    cdef int until
    # Whose place matters to whom, as bits, and whether a walk notes that.
    cdef unsigned long long[:, ::1] matters
    cdef bint noting
    cdef public int[::1] ends

    cdef int[::1] others
    cdef int[::1] found
    cdef double[::1] gain
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
    cdef int find_gaining(self, int y, int count, double least) noexcept nogil
    cdef void exclude(self, int y, int count, unsigned char mark) noexcept nogil
    cdef bint is_candidate(self, int x, int y) noexcept nogil
    cdef Py_ssize_t noted(self, int y, int limit) except -1 nogil
    cdef void note(self, int y, int x) noexcept nogil
    cdef bint does_matter(self, int y, int x) noexcept nogil
    cdef bint is_open(self, long long node) noexcept nogil
    cdef int look_ahead(self, int y, long long node, int limit) except -1 nogil
    cdef int lead(self, int y, const int[::1] members, int count) except -1 nogil
    cdef int add_branch(self, long long node, int x, int partner, double gain, int behind) except -1 nogil
    cdef bint is_among(self, int x, int count) noexcept nogil
    cdef int weakest(self, int y, int count) noexcept nogil
    cdef int expand(self, int y, long long node) except -1 nogil
    cdef int shrink(self, int y, long long node) except -1 nogil
    cdef Py_ssize_t walk(self, int y, int limit) except -1 nogil
