# C types of variable_order.py; see there.

from hccd._kernels.scores.families cimport Families
from hccd._kernels.scores.grow_shrink cimport GrowShrink
from hccd._kernels.scores.tree_store cimport MOST_NODES


cdef class VariableOrder:
    cdef int n
    cdef Families families
    cdef readonly GrowShrink trees
    cdef const long long[::1] must_first
    cdef const int[::1] must
    cdef const unsigned char[::1] fixed
    cdef readonly int[::1] sequence
    cdef long long[::1] node
    cdef double[::1] score
    # Whose parents were looked for since the order was kept.
    cdef unsigned char[::1] renewed
    # Those near the variable that is looked at, by place, with their scores if it is before and after them; its places.
    cdef int n_near
    cdef int[::1] near
    cdef double[::1] before
    cdef double[::1] after
    cdef double[::1] at_gap
    cdef double sizes
    # The places that are allowed, from the first to the last.
    cdef int lowest
    cdef int highest
    cdef int[::1] waiting
    cdef unsigned char[::1] waits
    # The places that moves have changed.
    cdef int lowest_moved
    cdef int highest_moved
    cdef int first_waiting
    cdef int n_waiting
    # Whether, after a move, only parents are looked at again.
    cdef bint narrow
    # Whether places are compared at a glance: moves that need others as parents than those seen so far are missed.
    cdef public bint hasty
    # How often the trees have begun anew.
    cdef int n_forgotten

    cpdef int begin(self, const int[::1] sequence) except -1
    cpdef int wait_all(self) except -1
    cdef int settle(self) except -1 nogil
    cdef double walked(self, int y, int limit) except? -1.0 nogil
    cdef int renew(self, int y) except -1 nogil
    cpdef bint lead(self, int y, const int[::1] members) except -1
    cdef double sum_of_scores(self) noexcept nogil
    cdef void wait(self, int v) noexcept nogil
    cdef void wait_near(self, int v) noexcept nogil
    cdef void wait_parents(self, long long node) noexcept nogil
    cdef void list_near(self, int v) noexcept nogil
    cdef int look(self, int v) except -1 nogil
    cdef void find_range(self, int v) noexcept nogil
    cdef bint is_fixed(self, int x, int y) noexcept nogil
    cdef int relocate(self, int v, int here, int gap) except -1 nogil
    cdef int follow(self, int v) except -1 nogil
