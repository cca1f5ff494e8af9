# C types of second_eigenvector.py; see there.

from hccd._kernels.clustering.cluster_graph cimport ClusterGraph
from hccd._kernels.clustering.tridiagonal cimport TridiagonalTop


cdef double dot(const double[::1] a, long long here, const double[::1] b, int size) noexcept nogil


cdef class SecondEigenvector(ClusterGraph):
    cdef double[::1] noise
    # By place of the cluster at hand: D^{-1/2}, the known eigenvector, N v, D^{-1/2} v, and the result.
    cdef double[::1] shrink
    cdef double[::1] known
    cdef double[::1] image
    cdef double[::1] scaled
    cdef double[::1] vector
    # Vectors of Lanczos, one behind the other.
    cdef double[::1] basis
    # The tridiagonal matrix that Lanczos makes.
    cdef TridiagonalTop small

    cdef void make_noise(self) noexcept nogil
    cdef double find(self, int start, int size) noexcept nogil
    cdef void search(self, int start, int size) noexcept nogil
    cdef int next_check(self, int steps) noexcept nogil
    cdef double apply(self, int start, int size, long long here) noexcept nogil
    cdef void multiply(self, int start, int size) noexcept nogil
    cdef void keep_out_last(self, int size, int step, long long here) noexcept nogil
    cdef double keep_out_known(self, int size) noexcept nogil
    cdef void combine(self, int size, int steps) noexcept nogil
    cdef void to_coordinates(self, int size) noexcept nogil
