# C types of adjacency.py; see there.

cpdef void sort_pairs(const int[::1] x, const int[::1] y, int n, long long[::1] order)
cpdef void find_pairs(const int[:, ::1] pairs, const int[::1] x, const int[::1] y, long long[::1] rows)
cdef long long lower_bound(
    const int[:, ::1] pairs, int column, int value, long long low, long long high) noexcept
cpdef void fill_rows(const int[:, ::1] edges, long long[::1] first, int[::1] neighbors, int[::1] mirror)
cpdef void find_slots(
    const long long[::1] first, const int[::1] neighbors, const int[::1] v, const int[::1] u, int[::1] slots)
cpdef int walk_unshielded(
    const long long[::1] first, const int[::1] neighbors, const int[::1] mirror, const unsigned char[::1] kept,
    bint write, long long[::1] place, int[::1] x_slot, int[::1] y_slot, int[::1] pair,
    int[::1] pair_x, int[::1] pair_y)
