# C types of permutation.py; see there.

from hccd._kernels.scores.variable_order cimport VariableOrder

cdef double LEAST_GAIN
cdef double ROUNDING


cdef class PermutationSearch(VariableOrder):
    cdef int[::1] kept_sequence
    cdef long long[::1] kept_node
    cdef double[::1] kept_score
    cdef int kept_forgotten
    # Whether nothing has changed since.
    cdef bint is_kept
    # Those that are disturbed together.
    cdef int[::1] kicked
    cdef unsigned long long random

    cdef void keep(self) noexcept nogil
    cdef int go_back(self) except -1 nogil
    cdef double gained(self) noexcept nogil
    cpdef int improve(self, int most) except -1
    cdef int improve_some(self, int most) except -1 nogil
    cdef int improve_all(self) except -1 nogil
    cpdef int look_ahead(self) except -1
    cpdef int kick(self, int first, int last, double warmth, int along, double least) except -1
    cdef bint kick_one(self, int v, double warmth, int along, double least) except -1 nogil
    cdef int list_adjacent(self, int v, int along) noexcept nogil
    cdef int shift(self, int v, double warmth) except -1 nogil
    cdef int draw(self, int below) noexcept nogil
