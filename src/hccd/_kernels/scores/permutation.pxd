# C types of permutation.py; see there.

from hccd._kernels.scores.families cimport Families
from hccd._kernels.scores.grow_shrink cimport GrowShrink, MOST_NODES

cdef double LEAST_GAIN
cdef double ROUNDING


cdef class PermutationSearch:
    cdef int n
    cdef Families families
    cdef readonly GrowShrink trees
    cdef const long long[::1] must_first
    cdef const int[::1] must
    cdef const unsigned char[::1] fixed
    cdef readonly int[::1] sequence
    cdef long long[::1] node
    cdef double[::1] score
    cdef int[::1] kept_sequence
    cdef long long[::1] kept_node
    cdef double[::1] kept_score
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
    # Those that are disturbed together; whether only parents are looked at again.
    cdef int[::1] kicked
    cdef bint narrow
    cdef int[::1] waiting
    cdef unsigned char[::1] waits
    cdef int first_waiting
    cdef int n_waiting
    cdef unsigned long long random
    cdef int n_forgotten

    cpdef void begin(self, const int[::1] sequence)
    cdef void settle(self)
    cdef void renew(self, int y)
    cpdef double total(self)
    cpdef void keep(self)
    cpdef void go_back(self)
    cdef void wait(self, int v)
    cdef void wait_near(self, int v)
    cpdef int improve(self, int most)
    cpdef int look_ahead(self)
    cpdef int kick(self, int first, int last, double warmth, int along, double least)
    cdef void improve_all(self)
    cdef int list_adjacent(self, int v, int along)
    cdef void shift(self, int v, double warmth)
    cdef int draw(self, int below)
    cdef void list_near(self, int v)
    cdef int look(self, int v)
    cdef void find_range(self, int v)
    cdef bint is_fixed(self, int x, int y)
    cdef void wait_parents(self, long long node)
    cdef void follow(self, int v)
    cdef void relocate(self, int v, int here, int gap)
