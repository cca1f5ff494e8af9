# C types of line.py; see there.

cpdef int cut_line(double[::1] points, int n, double min_fraction, int[::1] order, int[::1] scratch) noexcept nogil
cdef void sort_places(const double[::1] points, int n, int[::1] order, int[::1] scratch) noexcept nogil
cdef void sort_run(const double[::1] points, int start, int stop, int[::1] order) noexcept nogil
cdef void merge_runs(
    const double[::1] points, int start, int middle, int stop, int[::1] order, int[::1] scratch) noexcept nogil
