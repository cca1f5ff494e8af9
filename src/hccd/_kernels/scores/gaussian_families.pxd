# C types of gaussian_families.py; see there.

from hccd._kernels.scores.families cimport Families


cdef int AT_ONCE


cdef class GaussianFamilies(Families):
    cdef const double[:, ::1] correlation
    cdef readonly double n_rows
    cdef double singular
    cdef double price
    # The family: its parents, an LDL factor of their correlations, the child's covariances with what each adds.
    cdef int child
    cdef int count
    cdef double rest
    cdef double covariance
    cdef int[::1] member
    cdef double[::1] raw
    cdef double[:, ::1] factor
    cdef double[::1] inverse
    cdef double[::1] along

    # Which parent is the weakest.
    cdef double[::1] coefficient
    cdef double[::1] column
    # What each number of parents leaves of the child's variance.
    cdef double[::1] left_over
    # The same for every variable at once, after each number of parents, up to ``known`` of them; -1: not even without.
    cdef int known
    cdef int few
    cdef double[:, ::1] all_raw
    cdef double[:, ::1] all_left
    cdef double[:, ::1] all_along
    # By how much each variable exceeds what it takes to gain.
    cdef double[::1] excess
    # What ``project`` says, of some variables.
    cdef double[:, ::1] some_raw
    cdef double[::1] some_left
    cdef double[::1] some_along

    cdef double project(self, int depth, int z) noexcept nogil
    cdef void project_some(self, const int[::1] others) noexcept nogil
    cdef void ask(self, const int[::1] others) noexcept nogil
    cdef void factor_all(self) noexcept nogil
    cdef void factor_some(self, int begin, int end) noexcept nogil
    cdef double of_rest(self, double rest, int count) noexcept nogil
