# C types of state_codes.py; see there.

ctypedef fused Number:
    signed char
    unsigned char
    short
    unsigned short
    int
    unsigned int
    long
    long long
    float
    double


cpdef bint code_states(
    const Number[::1] values, long long low, const unsigned short[::1] places, int unknown,
    unsigned short[::1] codes, long long[:, ::1] times)
