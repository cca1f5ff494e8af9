# C types of text.py; see there.

cpdef Py_ssize_t code_objects(list cells, dict position, int[::1] codes) except -1

cpdef int code_slices(
    const unsigned char[::1] text, const long long[::1] start, const long long[::1] stop,
    int[::1] codes, long long[::1] first) except -1
