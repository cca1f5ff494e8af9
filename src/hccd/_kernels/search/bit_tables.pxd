# C types of bit_tables.py; see there.

from hccd._kernels.search.strata_sum cimport StrataSum

cdef extern from *:
    """
    /* Counting bits has an instruction of its own, which not every processor has: chosen when the module is loaded,
       where the loader can do that; musl cannot. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
    #define HCCD_CLONES __attribute__((target_clones("popcnt", "default")))
    #else
    #define HCCD_CLONES
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define HCCD_BITS(word) ((int)__popcnt64(word))
    #else
    #define HCCD_BITS(word) __builtin_popcountll(word)
    #endif

    HCCD_CLONES static int hccd_write_common(
        const unsigned long long *a, const unsigned long long *b, unsigned long long *out, Py_ssize_t words)
    {
        int total = 0;
        for (Py_ssize_t w = 0; w < words; w++) {
            unsigned long long both = a[w] & b[w];
            out[w] = both;
            total += HCCD_BITS(both);
        }
        return total;
    }

    HCCD_CLONES static void hccd_count_cells(
        const unsigned long long *a, const unsigned long long *cells, int n_cells, int *counts, Py_ssize_t words)
    {
        for (int k = 0; k < n_cells; k++) {
            int total = 0;
            for (Py_ssize_t w = 0; w < words; w++) total += HCCD_BITS(a[w] & cells[w]);
            counts[k] = total;
            cells += words;
        }
    }
    """
    int hccd_write_common(
        const unsigned long long *a, const unsigned long long *b, unsigned long long *out, Py_ssize_t words
    ) noexcept nogil
    void hccd_count_cells(
        const unsigned long long *a, const unsigned long long *cells, int n_cells, int *counts, Py_ssize_t words
    ) noexcept nogil


cdef inline int write_common(
    const unsigned long long[:, ::1] a, int i, const unsigned long long[:, ::1] b, int j,
    unsigned long long[:, ::1] out, int k
) noexcept nogil:
    return hccd_write_common(&a[i, 0], &b[j, 0], &out[k, 0], a.shape[1])


cdef inline void count_cells(
    const unsigned long long[:, ::1] a, int i, const unsigned long long[:, ::1] cells, int n_cells,
    int[::1] counts, int start
) noexcept nogil:
    hccd_count_cells(&a[i, 0], &cells[0, 0], n_cells, &counts[start], a.shape[1])


cdef class BitTables:
    cdef const int[::1] states
    cdef const int[::1] where
    cdef const unsigned char[::1] gaps
    cdef const unsigned long long[:, ::1] bits
    cdef StrataSum sum
    # The cells of the sum.
    cdef int[::1] cells
    cdef int most_cells
    cdef int most_strata
    # The pair, and its cells in one stratum.
    cdef int x
    cdef int y
    cdef long long width
    # The set so far, and for how many of its variables strata and tables are there (-1: not even for none).
    cdef int[::1] member
    cdef int split
    cdef long long[::1] n_strata
    # The rows of each cell of x and y, and of each stratum; the table of each stratum.
    cdef unsigned long long[:, ::1] both
    cdef unsigned long long[:, ::1] strata
    cdef int[::1] tables

    cdef int make_room(self, int order) except -1
    cdef void begin(self, int x, int y) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint fits(self, int order) noexcept nogil
    cdef void count(self, int order) noexcept nogil
    cdef void pair_up(self) noexcept nogil
    cdef void take_the_rest(self, int whole, int parts, int width) noexcept nogil
    cdef void split_strata(self, int depth) noexcept nogil
