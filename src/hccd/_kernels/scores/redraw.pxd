# C types of redraw.py; see there.

cpdef void redraw(
    unsigned short[:, ::1] data, const int[::1] states, const int[::1] rows, const long long[::1] first_row,
    const int[::1] parents, const long long[::1] stride, const long long[::1] first_parent,
    const int[::1] children, const long long[::1] first_child,
    const double[::1] table, const long long[::1] first_cell, const double[::1] uniform, double[::1] chance
) noexcept nogil
