# C types of pairs.py; see there.

cpdef long long find_pairs(
    long long n, const unsigned char[::1] independent, const unsigned long long[::1] words,
    long long[::1] first, int[::1] columns)
cpdef bint read_pairs(const double[:, ::1] matrix, const long long[::1] first, const int[::1] columns, double[::1] values,
    bint signed)
