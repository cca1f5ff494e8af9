# C types of grow_shrink.py; see there.

from hccd._kernels.scores.families cimport Families
from hccd._kernels.scores.tree_store cimport TreeStore

cdef double LEAST_GAIN
cdef double FIRST
cdef double PART
cdef int LOOKED_AT


cdef class GrowShrink(TreeStore):
    cdef Families families
    cdef const long long[::1] first
    cdef const long long[::1] last
    cdef const int[::1] other
    cdef double price
    cdef const long long[::1] must_first
    cdef const int[::1] must
    cdef unsigned char[::1] is_must
    cdef int[::1] place
    cdef int[::1] fewer
    cdef unsigned char[::1] excluded
    cdef int[::1] ahead
    cdef double[::1] ahead_gain
    # Whether walks are at a glance.
    cdef public bint glance
    cdef int until
    # Whose place matters to whom, as bits, and whether a walk notes that.
    cdef unsigned long long[:, ::1] matters
    cdef bint noting
    cdef int[::1] others
    cdef int[::1] found
    cdef double[::1] gain

    cdef int find_gaining(self, int y, int count, double least) noexcept nogil
    cdef void exclude(self, int y, int count, unsigned char mark) noexcept nogil
    cdef bint is_candidate(self, int x, int y) noexcept nogil
    cdef Py_ssize_t noted(self, int y, int limit) except -1 nogil
    cdef void note(self, int y, int x) noexcept nogil
    cdef bint does_matter(self, int y, int x) noexcept nogil
    cdef bint is_open(self, long long node) noexcept nogil
    # What needs room may find that there is none: -1 is an exception.
    cdef int look_ahead(self, int y, long long node, int limit) except -1 nogil
    cdef int lead(self, int y, const int[::1] members, int count) except -1 nogil
    cdef bint is_among(self, int x, int count) noexcept nogil
    cdef int weakest(self, int y, int count) noexcept nogil
    cdef int expand(self, int y, long long node) except -1 nogil
    cdef int shrink(self, int y, long long node) except -1 nogil
    cdef Py_ssize_t walk(self, int y, int limit) except -1 nogil
