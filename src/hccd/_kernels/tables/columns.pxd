# C types of columns.py; see there.

cpdef void code_whole(
    const long long[:, ::1] values, const long long[::1] low, const long long[::1] width,
    unsigned short[:, ::1] codes, long long[::1] states)

cpdef void count_states(const unsigned short[:, ::1] codes, const long long[::1] first, long long[::1] counts)

cpdef void by_first_occurrence(
    const unsigned short[:, ::1] codes, const long long[::1] states, unsigned short[:, ::1] renamed)
