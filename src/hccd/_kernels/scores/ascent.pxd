# C types of ascent.py; see there.

from hccd._kernels.graphs.ancestors cimport Ancestors
from hccd._kernels.scores.families cimport Families

cdef double LEAST_GAIN
cdef double NOTHING
cdef double ROUNDING


cdef class Ascent:
    cdef int n
    cdef Families families
    cdef const long long[::1] first
    cdef const int[::1] other
    cdef const int[::1] mirror
    cdef readonly unsigned char[::1] edge
    cdef const unsigned char[::1] barred
    cdef double price
    cdef int max_parents
    # By slot what changing its edge gains; by variable its score, and the most that a step in its row could gain.
    cdef public double[::1] gain
    cdef public double[::1] score
    cdef public double[::1] bound
    cdef unsigned char[::1] held
    cdef long long[::1] refused
    cdef int n_refused
    cdef Ancestors graph
    cdef int[::1] members
    cdef int[::1] waiting
    cdef int n_waiting
    cdef unsigned char[::1] waits
    # Pairs of slot and row, in the order in which they were set.
    cdef long long[::1] journal
    cdef long long n_journal
    cdef int[::1] touched
    cdef int n_touched
    cdef unsigned char[::1] is_touched
    cdef double[::1] old_score
    cdef double[::1] old_gain
    cdef double[::1] old_bound
    cdef bint recording
    cdef long long clock
    cdef public long long[::1] changed
    cdef public long long[::1] shaken
    cdef readonly long long n_moves

    cdef void begin(self, const unsigned char[::1] edge)
    cpdef double total(self)
    cdef void renew(self, int y) noexcept nogil
    cdef void set_edge(self, long long s, int y) noexcept nogil
    cdef void refresh(self, int y) noexcept nogil
    cdef void wait(self, int y) noexcept nogil
    cdef void climb_waiting(self) noexcept nogil
    cdef void release(self) noexcept nogil
    cdef bint step_up(self, long long s, int y) noexcept nogil
    cdef void step(self, long long s, int y) noexcept nogil
    cpdef void climb(self)
    cpdef int shake(self, int start, int stop)
    cdef bint shake_one(self, long long s, int y, bint turn) noexcept nogil
    cdef bint may_turn(self, long long s, int y) noexcept nogil
    cdef void undo(self) noexcept nogil
