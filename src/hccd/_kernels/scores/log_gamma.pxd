# C types of log_gamma.py; see there.

cdef double ENOUGH
cdef double HALF_LOG_2_PI

cdef double log_gamma(double x) noexcept nogil
