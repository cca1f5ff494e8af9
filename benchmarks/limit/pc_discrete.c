/* The skeleton of PC-stable from coded columns by the G test, in plain C: what one core of this machine allows.
 *
 *     pc_discrete CODES N ROWS CRITICAL REPEATS strength|column STRENGTH|- [EDGES]
 *
 * CODES holds N columns of ROWS states each (type CODE, numbered from 0); CRITICAL the largest G called independent, one
 * double for each number of degrees of freedom from 0; STRENGTH is N x N doubles to rank candidates by (mutual
 * information is computed here as well, but equal ones differ in their last bits, and ranks would differ with them), or -
 * for those computed here. The best of REPEATS runs counts. EDGES is a file to write the surviving pairs to. Prints one
 * line of JSON: CPU seconds, edges, tests of each order.
 *
 * G is summed over strata, and so are degrees of freedom: (states of x that occur there - 1)(states of y that occur
 * there - 1). Without any, the pair is independent, unless every row is alone in its stratum.
 *
 * A table is counted in one of three ways, whichever is quickest for its size: small ones by counting bits of
 * intersected sets of rows, larger ones in one pass over the rows, those wider than the data stratum by stratum. Codes
 * and sets of rows of a set's first variables are kept along the path, and made only when asked for.
 */
#include "pc_stable.h"

#ifndef CODE
#define CODE uint8_t
#endif

/* A table of two columns must fit into memory. */
#define MOST_STATES 4096
/* Bits are counted only if that touches fewer words than there are rows, so there are at most 64 sets. */
#define MOST_SETS_XY 64

static const CODE *codes;
static int rows, words;
static int *states;
static int most_states;
static const double *critical;
static int n_critical;
static double *own_strength;
static const double *given_strength;
static double *n_log_n;

/* The rows in each state of each variable, as bits. */
static uint64_t *bits;
static int *bits_first;

/* The edge at hand: states of x and y as one code, and as sets of rows; cells with no row are left out of the latter. */
static int x_at_hand, y_at_hand, cells_xy;
static uint32_t *code_xy;
static int *cell_of_x, *cell_of_y;
static uint64_t *bits_xy;
static int *bits_cell, n_bits_xy, have_bits_xy;

/* The path: after d variables, strata as row codes (with and without x and y) and as sets of rows. */
#define MOST_SETS 32
static int member[MOST_ORDERS + 1];
static uint32_t *path_code, *path_code_xy;
static int n_codes[MOST_ORDERS + 1], have_codes[MOST_ORDERS + 1];
static int have_codes_xy[MOST_ORDERS + 1];
static uint64_t *path_bits;
static int n_sets[MOST_ORDERS + 1], have_bits[MOST_ORDERS + 1];

static uint32_t *cells;
static size_t most_cells;
static uint32_t *margin_x, *margin_y;
static uint32_t *bucket, *row_order, *stratum;
static int *touched;
static uint32_t *renumbered, *renumber_stamp, stamp_now;

/* What a table says. */
static double statistic;
static count freedom;
static int is_repeated;

static inline const CODE *column(int v) { return codes + (size_t)v * rows; }
static inline const uint64_t *bits_of(int v, int state) { return bits + (size_t)(bits_first[v] + state) * words; }

/* ---- from counts to G ---- */

/* Add one stratum of n_x rows by n_y columns. */
static void reduce_stratum(const uint32_t *cell, int n_x, int n_y) {
    uint32_t total = 0;
    int used_x = 0, used_y = 0;
    double g = 0.0;
    for (int j = 0; j < n_y; j++) margin_y[j] = 0;
    for (int i = 0; i < n_x; i++) {
        uint32_t sum = 0;
        for (int j = 0; j < n_y; j++) {
            uint32_t c = cell[i * n_y + j];
            sum += c;
            margin_y[j] += c;
            g += n_log_n[c];
        }
        g -= n_log_n[sum];
        used_x += sum > 0;
        total += sum;
    }
    is_repeated |= total > 1;
    if (used_x < 2) return;
    for (int j = 0; j < n_y; j++) {
        g -= n_log_n[margin_y[j]];
        used_y += margin_y[j] > 0;
    }
    if (used_y < 2) return;
    freedom += (count)(used_x - 1) * (used_y - 1);
    statistic += g + n_log_n[total];
}

static void start_table(void) {
    statistic = 0.0;
    freedom = 0;
    is_repeated = 0;
}

static int decide(void) {
    statistic = statistic > 0.0 ? 2.0 * statistic : 0.0;
    if (freedom == 0) return is_repeated;
    if (freedom >= n_critical) {
        fprintf(stderr, "%lld degrees of freedom have no critical value\n", freedom);
        exit(1);
    }
    return statistic <= critical[freedom];
}

/* ---- order 0 ---- */

static int common_rows(const uint64_t *a, const uint64_t *b) {
    int sum = 0;
    for (int w = 0; w < words; w++) sum += __builtin_popcountll(a[w] & b[w]);
    return sum;
}

static int order_zero(void) {
    int m = 0;
    for (int x = 0; x < n; x++) {
        const CODE *of_x = column(x);
        up_first[x] = m;
        for (int y = x + 1; y < n; y++) {
            const CODE *of_y = column(y);
            int n_x = states[x], n_y = states[y], size = n_x * n_y;
            if ((count)size * words < rows)
                for (int i = 0; i < n_x; i++)
                    for (int j = 0; j < n_y; j++) cells[i * n_y + j] = common_rows(bits_of(x, i), bits_of(y, j));
            else {
                memset(cells, 0, size * sizeof *cells);
                for (int r = 0; r < rows; r++) cells[of_x[r] * n_y + of_y[r]]++;
            }
            start_table();
            reduce_stratum(cells, n_x, n_y);
            int independent = decide();
            own_strength[(size_t)x * n + y] = own_strength[(size_t)y * n + x] = statistic / (2.0 * rows);
            up_y[m] = y;
            m += !independent;
        }
    }
    up_first[n] = m;
    strength = given_strength ? given_strength : own_strength;
    return m;
}

/* ---- the path ---- */

static int special_level(int order, count *tests) {
    (void)order, (void)tests;
    return 0;
}

static void make_path(void) {}

static void begin_edge(int x, int y, int order, int size) {
    const CODE *of_x = column(x), *of_y = column(y);
    (void)order, (void)size;
    int n_y = states[y];
    x_at_hand = x, y_at_hand = y;
    cells_xy = states[x] * n_y;
    for (int r = 0; r < rows; r++) code_xy[r] = of_x[r] * n_y + of_y[r];
    have_bits_xy = 0;
    have_codes_xy[0] = 0;
}

static void extend(int d, int k, int size) {
    (void)size;
    member[d] = id[k];
    have_codes[d + 1] = have_codes_xy[d + 1] = have_bits[d + 1] = 0;
}

/* Codes of the strata of the codes ``of`` split by z: numbered as they come, if they could outnumber the rows. */
static int split(const uint32_t *of, int n_of, int z, uint32_t *into) {
    const CODE *of_z = column(z);
    uint32_t width = states[z], used = 0;
    if ((count)n_of * width <= rows) {
        for (int r = 0; r < rows; r++) into[r] = of[r] * width + of_z[r];
        return n_of * width;
    }
    stamp_now++;
    for (int r = 0; r < rows; r++) {
        size_t c = (size_t)of[r] * width + of_z[r];
        if (renumber_stamp[c] != stamp_now) {
            renumber_stamp[c] = stamp_now;
            renumbered[c] = used++;
        }
        into[r] = renumbered[c];
    }
    return used;
}

static void need_codes(int d) {
    if (have_codes[d]) return;
    need_codes(d - 1);
    n_codes[d] =
        split(path_code + (size_t)(d - 1) * rows, n_codes[d - 1], member[d - 1], path_code + (size_t)d * rows);
    have_codes[d] = 1;
}

static const uint32_t *need_codes_xy(int d) {
    uint32_t *into = path_code_xy + (size_t)d * rows;
    if (!have_codes_xy[d]) {
        const uint32_t *of = path_code + (size_t)d * rows;
        for (int r = 0; r < rows; r++) into[r] = of[r] * cells_xy + code_xy[r];
        have_codes_xy[d] = 1;
    }
    return into;
}

/* Sets of rows of the strata after d variables, empty ones left out; 0 if they are too many. */
static int need_bits(int d) {
    if (have_bits[d]) return n_sets[d];
    int made = 0, of = need_bits(d - 1), z = member[d - 1];
    if (of && (count)of * states[z] <= MOST_SETS)
        for (int s = 0; s < of; s++)
            for (int state = 0; state < states[z]; state++) {
                const uint64_t *a = path_bits + ((size_t)(d - 1) * MOST_SETS + s) * words, *b = bits_of(z, state);
                uint64_t *into = path_bits + ((size_t)d * MOST_SETS + made) * words, any = 0;
                for (int w = 0; w < words; w++) any |= into[w] = a[w] & b[w];
                made += any != 0;
            }
    have_bits[d] = 1;
    return n_sets[d] = made;
}

static void need_bits_xy(void) {
    if (have_bits_xy) return;
    have_bits_xy = 1;
    n_bits_xy = 0;
    for (int i = 0; i < states[x_at_hand]; i++)
        for (int j = 0; j < states[y_at_hand]; j++) {
            const uint64_t *a = bits_of(x_at_hand, i), *b = bits_of(y_at_hand, j);
            uint64_t *into = bits_xy + (size_t)n_bits_xy * words, any = 0;
            for (int w = 0; w < words; w++) any |= into[w] = a[w] & b[w];
            bits_cell[n_bits_xy] = i * states[y_at_hand] + j;
            n_bits_xy += any != 0;
        }
}

/* ---- three ways to count ---- */

static void count_bits(int d, int z) {
    uint64_t here[words];
    need_bits_xy();
    memset(cells, 0, cells_xy * sizeof *cells);
    for (int s = 0; s < n_sets[d]; s++)
        for (int state = 0; state < states[z]; state++) {
            const uint64_t *a = path_bits + ((size_t)d * MOST_SETS + s) * words, *b = bits_of(z, state);
            for (int w = 0; w < words; w++) here[w] = a[w] & b[w];
            for (int c = 0; c < n_bits_xy; c++) cells[bits_cell[c]] = common_rows(here, bits_xy + (size_t)c * words);
            reduce_stratum(cells, states[x_at_hand], states[y_at_hand]);
        }
}

static void count_rows(int d, int z) {
    const uint32_t *of = need_codes_xy(d);
    const CODE *of_z = column(z);
    uint32_t slice = n_codes[d] * cells_xy;
    int size = slice * states[z], r = 0;
    if (4 * size <= rows) {
        /* Rows in turn into four tables: a count need not wait for the one before it to be stored. */
        uint32_t *one = cells, *two = cells + size, *three = two + size, *four = three + size;
        memset(cells, 0, 4 * (size_t)size * sizeof *cells);
        for (; r + 3 < rows; r += 4) {
            one[of_z[r] * slice + of[r]]++;
            two[of_z[r + 1] * slice + of[r + 1]]++;
            three[of_z[r + 2] * slice + of[r + 2]]++;
            four[of_z[r + 3] * slice + of[r + 3]]++;
        }
        for (int c = 0; c < size; c++) one[c] += two[c] + three[c] + four[c];
    } else
        memset(cells, 0, size * sizeof *cells);
    for (; r < rows; r++) cells[of_z[r] * slice + of[r]]++;
    for (int s = 0; s < n_codes[d] * states[z]; s++)
        reduce_stratum(cells + (size_t)s * cells_xy, states[x_at_hand], states[y_at_hand]);
}

/* Rows are put in order of their stratum; only cells that occur are touched. */
static void count_strata(int d, int z) {
    int used = split(path_code + (size_t)d * rows, n_codes[d], z, stratum);
    memset(bucket, 0, (used + 1) * sizeof *bucket);
    for (int r = 0; r < rows; r++) bucket[stratum[r] + 1]++;
    for (int s = 0; s < used; s++) bucket[s + 1] += bucket[s];
    for (int r = 0; r < rows; r++) row_order[bucket[stratum[r]]++] = code_xy[r];
    memset(cells, 0, cells_xy * sizeof *cells);
    memset(margin_x, 0, most_states * sizeof *margin_x);
    memset(margin_y, 0, most_states * sizeof *margin_y);
    uint32_t from = 0;
    for (int s = 0; s < used; s++) {
        uint32_t to = bucket[s];
        int n_touched = 0, used_x = 0, used_y = 0;
        for (uint32_t i = from; i < to; i++) {
            int c = row_order[i];
            if (cells[c]++ == 0) touched[n_touched++] = c;
        }
        is_repeated |= to - from > 1;
        double g = n_log_n[to - from];
        for (int k = 0; k < n_touched; k++) {
            uint32_t c = cells[touched[k]], *a = margin_x + cell_of_x[touched[k]], *b = margin_y + cell_of_y[touched[k]];
            g += n_log_n[c];
            used_x += *a == 0;
            used_y += *b == 0;
            /* Sums of n log n over margins, as they grow. */
            g -= n_log_n[*a + c] - n_log_n[*a] + n_log_n[*b + c] - n_log_n[*b];
            *a += c;
            *b += c;
        }
        for (int k = 0; k < n_touched; k++)
            cells[touched[k]] = margin_x[cell_of_x[touched[k]]] = margin_y[cell_of_y[touched[k]]] = 0;
        if (used_x > 1 && used_y > 1) {
            freedom += (count)(used_x - 1) * (used_y - 1);
            statistic += g;
        }
        from = to;
    }
}

static int ask_last(int d, int i, int size, count *tests) {
    for (int k = i; k < size; k++) {
        if (!(side[k] & mask[d])) continue;
        int z = id[k], sets = 0;
        ++*tests;
        start_table();
        /* A word of a set takes about as long as a row. */
        if ((count)cells_xy * states[z] * words < (count)rows) sets = need_bits(d);
        if (sets && (count)sets * states[z] * cells_xy * words < (count)rows)
            count_bits(d, z);
        else {
            need_codes(d);
            if ((count)n_codes[d] * states[z] * cells_xy <= (count)most_cells)
                count_rows(d, z);
            else {
                for (int c = 0; c < cells_xy; c++)
                    cell_of_x[c] = c / states[y_at_hand], cell_of_y[c] = c % states[y_at_hand];
                count_strata(d, z);
            }
        }
        if (decide()) return 1;
    }
    return 0;
}

/* ---- input ---- */

static void prepare(void) {
    states = take(n * sizeof *states);
    bits_first = take((n + 1) * sizeof *bits_first);
    most_states = 1;
    bits_first[0] = 0;
    for (int v = 0; v < n; v++) {
        const CODE *of = column(v);
        int most = 0;
        for (int r = 0; r < rows; r++) most = of[r] > most ? of[r] : most;
        states[v] = most + 1;
        most_states = states[v] > most_states ? states[v] : most_states;
        bits_first[v + 1] = bits_first[v] + states[v];
    }
    words = (rows + 63) / 64;
    bits = take((size_t)bits_first[n] * words * sizeof *bits);
    memset(bits, 0, (size_t)bits_first[n] * words * sizeof *bits);
    for (int v = 0; v < n; v++)
        for (int r = 0; r < rows; r++)
            bits[(size_t)(bits_first[v] + column(v)[r]) * words + r / 64] |= (uint64_t)1 << r % 64;
    n_log_n = take((rows + 1) * sizeof *n_log_n);
    n_log_n[0] = 0.0;
    for (int k = 1; k <= rows; k++) n_log_n[k] = k * log(k);

    size_t widest = (size_t)most_states * most_states, depth = MOST_ORDERS + 1;
    if (most_states > MOST_STATES) {
        fprintf(stderr, "a column of %d states is more than this program takes\n", most_states);
        exit(1);
    }
    most_cells = 6 * (size_t)rows;
    cells = take((most_cells > widest ? most_cells : widest) * sizeof *cells);
    margin_x = take(most_states * sizeof *margin_x);
    margin_y = take(most_states * sizeof *margin_y);
    own_strength = take((size_t)n * n * sizeof *own_strength);
    code_xy = take(rows * sizeof *code_xy);
    cell_of_x = take(widest * sizeof *cell_of_x);
    cell_of_y = take(widest * sizeof *cell_of_y);
    touched = take(rows * sizeof *touched);
    bits_xy = take((size_t)MOST_SETS_XY * words * sizeof *bits_xy);
    bits_cell = take(MOST_SETS_XY * sizeof *bits_cell);
    path_code = take(depth * rows * sizeof *path_code);
    path_code_xy = take(depth * rows * sizeof *path_code_xy);
    path_bits = take(depth * MOST_SETS * words * sizeof *path_bits);
    bucket = take((rows + 2) * sizeof *bucket);
    row_order = take(rows * sizeof *row_order);
    stratum = take(rows * sizeof *stratum);
    renumbered = take((size_t)rows * most_states * sizeof *renumbered);
    renumber_stamp = take((size_t)rows * most_states * sizeof *renumber_stamp);
    memset(renumber_stamp, 0, (size_t)rows * most_states * sizeof *renumber_stamp);
    /* Before anything is given there is one stratum, which holds every row. */
    memset(path_code, 0, rows * sizeof *path_code);
    n_codes[0] = have_codes[0] = n_sets[0] = have_bits[0] = 1;
    memset(path_bits, 0xff, words * sizeof *path_bits);
}

int main(int argc, char **argv) {
    if (argc < 8) {
        fprintf(stderr, "usage: pc_discrete CODES N ROWS CRITICAL REPEATS strength|column STRENGTH|- [EDGES]\n");
        return 2;
    }
    size_t size;
    n = atoi(argv[2]);
    rows = atoi(argv[3]);
    codes = read_file(argv[1], (size_t)n * rows * sizeof *codes, NULL);
    critical = read_file(argv[4], 0, &size);
    n_critical = (int)(size / sizeof(double));
    by_strength = strcmp(argv[6], "column") != 0;
    if (strcmp(argv[7], "-")) given_strength = read_file(argv[7], (size_t)n * n * sizeof(double), NULL);
    prepare();
    make_graph();
    run(atoi(argv[5]), argc > 8 ? argv[8] : NULL);
    return 0;
}
