# C types of permutation.py; see there.

from hccd._kernels.scores.variable_order cimport VariableOrder

cdef double LEAST_GAIN
cdef double ROUNDING


cdef class PermutationSearch(VariableOrder):
    cdef int[::1] kept_sequence
    cdef long long[::1] kept_node
    cdef double[::1] kept_score
    cdef int kept_forgotten
    # Those that are disturbed together.
    cdef int[::1] kicked
    cdef unsigned long long random

    cdef void keep(self)
    cdef void go_back(self)
    cpdef int improve(self, int most)
    cdef void improve_all(self)
    cpdef int look_ahead(self)
    cpdef int kick(self, int first, int last, double warmth, int along, double least)
    cdef int list_adjacent(self, int v, int along)
    cdef void shift(self, int v, double warmth)
    cdef int draw(self, int below)
