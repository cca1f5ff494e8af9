# C types of table_families.py; see there.

from hccd._kernels.scores.families cimport Families
from hccd._kernels.scores.log_gamma cimport log_gamma
from hccd._kernels.scores.set_memory cimport SetMemory
from hccd._kernels.scores.set_tables cimport SetTables
from hccd._kernels.search.row_codes cimport RowCodes

cdef int N_WEIGHTS
cdef double LOG_TWO


cdef class TableFamilies(Families):
    cdef const unsigned short[:, ::1] data
    cdef const int[::1] states
    cdef int n_rows
    # How often each row counts, all of them together, how many rows one of that is, and all of it.
    cdef bint weighted
    cdef const int[::1] weights
    cdef int total
    cdef double unit
    cdef long long n_counted
    cdef double ess
    # BDeu, and how many combinations the parents at hand may have.
    cdef bint uniform
    cdef double n_combinations
    cdef RowCodes rows
    cdef long long dense_cells
    # Counts of the family at hand: rows in each cell, its state of the child, rows in each combination of parents.
    cdef int[::1] cells
    cdef int[::1] cell_state
    cdef int[::1] margin
    # The pooled prior: its weights, the scores for each, and tables of rising factorials.
    cdef double[::1] weight
    cdef double[::1] pooled
    cdef double[:, ::1] of_rows
    cdef double[:, ::1] of_state
    cdef long long[::1] first_row
    cdef int tabled
    cdef unsigned char[::1] filled
    # Rows of each state, and the number of each variable's first one.
    cdef long long[::1] state_rows
    cdef long long[::1] first_state
    # The sparse prior: the score so far, its weight for a combination and a cell, and their logarithms.
    cdef double sparse
    cdef double of_combination
    cdef double of_cell
    cdef double log_combination
    cdef double log_cell
    cdef double gamma_combination
    cdef double gamma_cell
    # What each child scores alone, and what the pooled scores are measured from.
    cdef double[::1] without_parents
    cdef double[::1] shift
    cdef int child
    cdef int count

    cdef SetTables tables
    cdef SetMemory memory
    cdef double[::1] scores
    cdef unsigned long long key

    cdef double recall(self, unsigned long long key, int depth) noexcept nogil
    cdef void fill(self, int child) noexcept nogil
    cdef double measure(self, int depth) noexcept nogil
    cdef int combinations(self, int depth) noexcept nogil
    cdef void tabulate(self, int depth, int n_codes) noexcept nogil
    cdef void count_rows(self, int depth, int n_cells) noexcept nogil
    cdef void count_codes(self, int depth) noexcept nogil
    cdef double sum_cells(self, int n_codes) noexcept nogil
    cdef double count_sparse(self, int depth) noexcept nogil
    cdef void enter(self, int occurring, int n_states) noexcept nogil
    cdef void add_combination(self, int rows) noexcept nogil
    cdef void add_cell(self, int state, int rows) noexcept nogil
