# C types of bisection.py; see there.

from hccd._kernels.clustering.line cimport cut_line
from hccd._kernels.clustering.second_eigenvector cimport SecondEigenvector


cdef class Bisection(SecondEigenvector):
    cdef int[::1] sorted
    # A stack of clusters: start, size, divisions above, whether connected.
    cdef int[:, ::1] waiting
    cdef int n_waiting
    cdef int[::1] n_children
    cdef int[::1] n_members
    cdef double[::1] eigenvalue

    cpdef int grow(self, int min_size, int max_depth, double min_fraction)
    cdef int cut(self, int size, double min_fraction) noexcept nogil
    cdef void push_parts(self, int n_parts, int depth, bint connected) noexcept nogil
    cdef void push(self, int start, int size, int depth, bint connected) noexcept nogil
    cpdef tuple result(self, int count)
