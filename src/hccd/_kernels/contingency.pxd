# C types of contingency.py; see there.

from hccd._kernels.level cimport LevelSearch

cdef extern from *:
    """
    /* Counting bits has an instruction of its own, which not every processor has: chosen when the module is loaded. */
    #if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
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


cdef class Columns:
    cdef readonly const unsigned short[:, ::1] data
    cdef readonly const int[::1] states
    cdef readonly const double[::1] n_log_n
    cdef readonly int n_rows
    cdef readonly int words
    # Row of `bits` that belongs to the first state of each variable, -1 if it has too many states.
    cdef readonly int[::1] where
    cdef readonly unsigned long long[:, ::1] bits

    cdef void set_bits(self) noexcept nogil


cdef class TableSearch(LevelSearch):
    cdef int kind
    cdef const unsigned short[:, ::1] data
    cdef const int[::1] states
    cdef const double[::1] n_log_n
    cdef const unsigned long long[:, ::1] bits
    cdef const int[::1] where
    cdef int words
    cdef int n_rows
    # Whether to stop as soon as dependence is certain, and whether that has happened.
    cdef bint hasty
    cdef bint decided
    # Whether some stratum of the table at hand has two rows or more.
    cdef bint repeated
    # critical[df] for G and chi-square; critical[0] for mutual information (2 N threshold).
    cdef const double[::1] critical
    cdef object critical_values
    cdef long long dense_cells
    # Cells of one stratum; the states of x and y in each row as one number, once they are needed.
    cdef long long width
    cdef bint paired
    cdef int[::1] pair
    # The set so far, and for how many of its variables codes, or strata and tables, are there (-1: not even for none).
    cdef int[::1] member
    cdef int coded
    cdef int split
    cdef int[:, ::1] codes
    cdef int[::1] n_codes
    cdef long long[::1] n_strata
    cdef unsigned long long[:, ::1] both
    cdef unsigned long long[:, ::1] strata
    cdef int[::1] tables
    cdef int[::1] cells
    cdef int[::1] margin_x
    cdef int[::1] margin_y
    cdef int[::1] seen
    cdef int[::1] seen_cell
    cdef int[::1] bucket
    cdef int[::1] row_order
    cdef int[::1] stamp
    cdef int[::1] renumbered

    cpdef void statistics(
        self, const int[::1] x, const int[::1] y, const int[:, ::1] given,
        double[::1] statistic, long long[::1] freedom, double[::1] information)
    cpdef void all_pairs(self, double[:, ::1] statistic, long long[:, ::1] freedom, double[:, ::1] information)
    cdef bint narrow(self) noexcept nogil
    cdef void code_up_to(self, int depth) noexcept nogil
    cdef void sort_rows(self, int depth) noexcept nogil
    cdef void renumber(self, int depth, int z) noexcept nogil
    cdef void tabulate(self) noexcept nogil
    cdef void count_bits(self) noexcept nogil
    cdef void take_the_rest(self, int whole, int parts, int width) noexcept nogil
    cdef void split_strata(self, int depth) noexcept nogil
    cdef void count_rows(self, int depth, int last) noexcept nogil
    cdef void add_stratum(self, int start, int left) noexcept nogil
    cdef void decide(self, int left) noexcept nogil
    cdef double share(self, int count, int of_x, int of_y) noexcept nogil
    cdef void count_sparse(self) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef void extend(self, int depth, int z) noexcept nogil
    cdef bint independent(self) noexcept nogil
