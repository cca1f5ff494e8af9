# C types of extension.py; see there.

cdef class Extension:
    cdef int n
    cdef const long long[::1] first
    cdef const int[::1] neighbors
    cdef const int[::1] mirror
    # into[s]: the neighbour in slot s points to the owner of the row.
    cdef const unsigned char[::1] into
    # Claims that slot s takes part in, each told by its other slot: claims[claim_first[s] : claim_first[s + 1]].
    cdef long long[::1] claim_first
    cdef int[::1] claims
    cdef readonly unsigned char[::1] gone
    cdef int[::1] n_out
    cdef long long[::1] price
    cdef int[::1] near
    # price * n + (n - 1 - v): the cheapest first, then the largest number.
    cdef long long[::1] heap
    cdef Py_ssize_t size

    cpdef void claim(self, const int[::1] x_slot, const int[::1] y_slot)
    cpdef int run(self, bint free_only, unsigned char[::1] parent)
    cdef void find_prices(self)
    cdef void remove(self, int w, unsigned char[::1] parent) noexcept
    cdef void push(self, int v) noexcept
    cdef long long pop(self) noexcept
