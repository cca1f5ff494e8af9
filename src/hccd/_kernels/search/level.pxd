# C types of level.py; see there.

from hccd._kernels.search.candidates cimport Candidates


cdef class LevelSearch(Candidates):
    cdef int order
    cdef int room
    # One path of the tree of sets.
    cdef int[::1] chosen
    cdef int[::1] mask
    cdef int[::1] outside
    cdef double statistic
    cdef long long freedom
    # Largest degrees of freedom met for which the caller gave no critical value; -1 if none.
    cdef readonly long long missing_freedom
    # What a test in Python raised; None if nothing.
    cdef object failure
    cdef bint failed
    # How many edges in a row are worth handing to a worker.
    cdef public int grain

    cpdef void enter(self, int order, bint live)
    cpdef long long search(
        self, const int[::1] x, const int[::1] y,
        const int[::1] home_start, const int[::1] home_stop, const int[::1] home_order,
        long long[::1] tests, int[:, ::1] given, double[::1] statistic, long long[::1] freedom)
    cpdef void statistics(
        self, const int[::1] x, const int[::1] y, const int[:, ::1] given,
        double[::1] statistic, long long[::1] freedom, double[::1] information)
    cpdef void all_pairs(self, double[:, ::1] statistic, long long[:, ::1] freedom, double[:, ::1] information)
    cdef long long ask(self, int x, int y, int home_start, int home_stop, int home_order) noexcept nogil
    cdef long long ask_singles(self) noexcept nogil
    cdef bint reachable(self, int i, int need, int mask, int outside) noexcept nogil
    cdef bint enough(self, int i, int need, int mask) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef double measure(self) noexcept nogil
    cdef bint single(self, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
