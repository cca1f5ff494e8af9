/* The skeleton of PC-stable from a correlation matrix, in plain C: what one core of this machine allows.
 *
 *     pc_gaussian MATRIX N CRITICAL REPEATS strength|column [EDGES]
 *
 * MATRIX holds N x N doubles, symmetric; CRITICAL the largest squared partial correlation called zero, one double for
 * each order from 0 (negative: nothing is called zero); the best of REPEATS runs counts. EDGES is a file to write the
 * surviving pairs to. Prints one line of JSON: CPU seconds, edges, tests of each order.
 *
 * Order 1 ranks no more than it must. Common neighbours of both ends rank before all others, because order 0 kept only
 * ties above its critical value; the best of them settles most edges. Where it does not, all candidates are tested at
 * once, and counted up to the best one that separates. Higher orders keep what is left of x, y and every later candidate
 * after the set's first variables along the path, so that a test costs a dozen operations at any order. Squares are
 * compared; no root or quotient is taken for a test.
 */
#include "pc_stable.h"

/* Residual variance, as a share of the total, below which a variable counts as determined by others. */
#define SINGULAR 1e-10

static const double *critical;
static int n_critical;

/* |correlation| of the end at hand with its neighbours, 0 elsewhere. */
static double *dense;

/* Along the path, for every candidate: its row of the Cholesky factor, covariance with x and y and variance given the
 * set so far; then the same for x and y themselves. */
static double *path_row, *path_x, *path_y, *path_v;
static double left_x[MOST_ORDERS + 1], left_y[MOST_ORDERS + 1], left_xy[MOST_ORDERS + 1];
/* Correlations among the candidates of the edge, filled where sets are long enough to read them more than once. */
static double *block;
static int is_blocked;
static int order_at_hand;

static int order_zero(void) {
    int m = 0;
    double root = critical[0] < 0 ? -1.0 : sqrt(critical[0]);
    for (int x = 0; x < n; x++) {
        const double *row = strength + (size_t)x * n;
        up_first[x] = m;
        for (int y = x + 1; y < n; y++) {
            up_y[m] = y;
            m += fabs(row[y]) > root;
        }
    }
    up_first[n] = m;
    return m;
}

/* ---- order 1 ---- */

static inline int separates_one(double xy, double xz, double yz, double limit) {
    double u = 1.0 - xz * xz, v = 1.0 - yz * yz, w = xy - xz * yz;
    return (u > SINGULAR) & (v > SINGULAR) & (w * w <= limit * u * v);
}

/* Candidates in order of number: a merge of two ascending lists. */
static int ask_by_number(int x, int y, double limit, count *tests) {
    const double *row_x = strength + (size_t)x * n, *row_y = strength + (size_t)y * n;
    double xy = row_x[y];
    int i = first[x], j = first[y], stop_i = first[x + 1], stop_j = first[y + 1];
    while (i < stop_i || j < stop_j) {
        int a = i < stop_i ? neighbor[i] : n, b = j < stop_j ? neighbor[j] : n;
        int z = a < b ? a : b;
        i += a == z;
        j += b == z;
        if (z == x || z == y) continue;
        ++*tests;
        if (separates_one(xy, row_x[z], row_y[z], limit)) return 1;
    }
    return 0;
}

/* Candidates by the weaker tie; ``dense`` belongs to x. */
static int ask_by_strength(int x, int y, double limit, count *tests) {
    const double *row_x = strength + (size_t)x * n, *row_y = strength + (size_t)y * n;
    double xy = row_x[y];
    int from = first[y], to = first[y + 1];
    /* The best common neighbour. It is in front of all others, if there is one. */
    double best = 0.0;
    for (int i = from; i < to; i++) {
        double a = dense[neighbor[i]], b = fabs(tie[i]);
        double k = a < b ? a : b;
        best = k > best ? k : best;
    }
    long long common = 0, any = 0;
    if (best > 0.0) {
        for (int i = from; i < to; i++) {
            int z = neighbor[i];
            if (weaker(dense[z], tie[i]) == best) {
                if (separates_one(xy, row_x[z], tie[i], limit)) {
                    ++*tests;
                    return 1;
                }
                break;
            }
        }
        for (int i = from; i < to; i++) {
            int z = neighbor[i];
            long long shared = dense[z] > 0.0;
            common += shared;
            any |= shared & separates_one(xy, row_x[z], tie[i], limit);
        }
    }
    best = -1.0;
    int best_id = -1;
    if (any) {
        for (int i = from; i < to; i++) {
            int z = neighbor[i];
            double k = weaker(dense[z], tie[i]);
            /* Ascending: of equal ones the first stays. */
            if (k > 0.0 && k > best && separates_one(xy, row_x[z], tie[i], limit)) best = k, best_id = z;
        }
        for (int i = from; i < to; i++) {
            int z = neighbor[i];
            double k = weaker(dense[z], tie[i]);
            *tests += k > best || (k == best && z <= best_id);
        }
        return 1;
    }
    /* The neighbours of one end alone; an end itself leaves nothing of the other one, and never separates. */
    *tests += common;
    for (int i = first[x]; i < first[x + 1]; i++) any |= separates_one(xy, tie[i], row_y[neighbor[i]], limit);
    for (int i = from; i < to; i++) any |= separates_one(xy, row_x[neighbor[i]], tie[i], limit);
    if (!any) {
        *tests += degree[x] + degree[y] - 2 - 2 * common;
        return 0;
    }
    double outside = sqrt(critical[0]);
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < 2; s++) {
            int end = s ? y : x;
            const double *row = s ? row_x : row_y;
            for (int i = first[end]; i < first[end + 1]; i++) {
                int z = neighbor[i];
                double other = row[z], k = weaker(tie[i], other);
                if (z == x || z == y || fabs(other) > outside) continue;
                if (pass)
                    *tests += k > best || (k == best && z <= best_id);
                else if ((k > best || (k == best && z < best_id)) && separates_one(xy, tie[i], other, limit))
                    best = k, best_id = z;
            }
        }
    return 1;
}

static int special_level(int order, count *tests) {
    order_at_hand = order;
    if (order >= n_critical) {
        fprintf(stderr, "order %d has no critical value\n", order);
        exit(1);
    }
    if (order > 1 || critical[0] < 0) return 0;
    double limit = critical[1];
    memset(dense, 0, n * sizeof *dense);
    for (int x = 0; x < n; x++) {
        for (int i = first[x]; i < first[x + 1]; i++) dense[neighbor[i]] = fabs(tie[i]);
        for (int i = first[x]; i < first[x + 1]; i++) {
            int y = neighbor[i];
            /* From the end with more neighbours, so that the shorter list is the one walked through. */
            if (degree[y] > degree[x] || (degree[y] == degree[x] && y > x)) continue;
            gone[edge_of[i]] = degree[x] > 1 && (by_strength ? ask_by_strength(x, y, limit, tests)
                                                             : ask_by_number(x, y, limit, tests));
        }
        for (int i = first[x]; i < first[x + 1]; i++) dense[neighbor[i]] = 0.0;
    }
    return 1;
}

/* ---- orders from 2 ---- */

static void make_path(void) {
    size_t size = (size_t)room * (MOST_ORDERS + 1) * sizeof(double);
    free(block), free(path_row), free(path_x), free(path_y), free(path_v);
    block = take((size_t)room * room * sizeof *block);
    path_row = take(size), path_x = take(size), path_y = take(size), path_v = take(size);
}

static void begin_edge(int x, int y, int order, int size) {
    const double *row_x = strength + (size_t)x * n, *row_y = strength + (size_t)y * n;
    for (int k = 0; k < size; k++) {
        path_x[k] = row_x[id[k]];
        path_y[k] = row_y[id[k]];
        path_v[k] = 1.0;
    }
    left_x[0] = left_y[0] = 1.0;
    left_xy[0] = row_x[y];
    is_blocked = order > 2;
    if (is_blocked)
        for (int k = 0; k < size; k++)
            for (int z = k + 1; z < size; z++) block[(size_t)k * room + z] = strength[(size_t)id[k] * n + id[z]];
}

/* What candidate k explains is taken from x, y and all later candidates. */
static void extend(int d, int k, int size) {
    const double *restrict x0 = path_x + (size_t)d * room, *restrict y0 = path_y + (size_t)d * room;
    const double *restrict v0 = path_v + (size_t)d * room;
    double *restrict x1 = path_x + (size_t)(d + 1) * room, *restrict y1 = path_y + (size_t)(d + 1) * room;
    double *restrict v1 = path_v + (size_t)(d + 1) * room, *restrict row = path_row + (size_t)d * room;
    int from = DOWN(k + 1), to = UP(size);
    if (v0[k] <= SINGULAR) {
        for (int z = from; z < to; z++) x1[z] = x0[z], y1[z] = y0[z], v1[z] = v0[z], row[z] = 0.0;
        left_x[d + 1] = left_x[d], left_y[d + 1] = left_y[d], left_xy[d + 1] = left_xy[d];
        return;
    }
    if (is_blocked)
        memcpy(row + from, block + (size_t)k * room + from, (to - from) * sizeof *row);
    else {
        const double *of_k = strength + (size_t)id[k] * n;
        for (int z = k + 1; z < size; z++) row[z] = of_k[id[z]];
    }
    for (int i = 0; i < d; i++) {
        const double *restrict earlier = path_row + (size_t)i * room;
        double share = earlier[k];
        for (int z = from; z < to; z += WIDTH)
            for (int j = 0; j < WIDTH; j++) row[z + j] -= share * earlier[z + j];
    }
    double scale = d ? 1.0 / sqrt(v0[k]) : 1.0, a = x0[k] * scale, b = y0[k] * scale;
    for (int z = from; z < to; z += WIDTH)
        for (int j = 0; j < WIDTH; j++) {
            double r = row[z + j] * scale;
            row[z + j] = r;
            x1[z + j] = x0[z + j] - a * r;
            y1[z + j] = y0[z + j] - b * r;
            v1[z + j] = v0[z + j] - r * r;
        }
    left_x[d + 1] = left_x[d] - a * a;
    left_y[d + 1] = left_y[d] - b * b;
    left_xy[d + 1] = left_xy[d] - a * b;
}

/* Whole vectors of candidates at once; those before rank i and beside the wrong end are masked out. */
static int ask_last(int d, int i, int size, count *tests) {
    const double *restrict xs = path_x + (size_t)d * room, *restrict ys = path_y + (size_t)d * room;
    const double *restrict vs = path_v + (size_t)d * room;
    double u = left_x[d], v = left_y[d], w = left_xy[d], limit = critical[order_at_hand];
    long long allowed = mask[d], any = 0, asked = 0;
    long long hits[WIDTH], may[WIDTH];
    for (int z = DOWN(i); z < size; z += WIDTH) {
        for (int j = 0; j < WIDTH; j++) {
            /* A candidate that the set determines already adds nothing. */
            double p = vs[z + j] > SINGULAR ? vs[z + j] : 1.0;
            double a = vs[z + j] > SINGULAR ? xs[z + j] : 0.0, b = vs[z + j] > SINGULAR ? ys[z + j] : 0.0;
            double pu = p * u - a * a, pv = p * v - b * b, pw = p * w - a * b;
            may[j] = ((side[z + j] & allowed) != 0) & (z + j >= i);
            hits[j] = (pu > SINGULAR * p) & (pv > SINGULAR * p) & (pw * pw <= limit * pu * pv) & may[j];
            any |= hits[j];
        }
        for (int j = 0; j < WIDTH; j++) {
            asked += may[j];
            if (any && hits[j]) {
                *tests += asked;
                return 1;
            }
        }
    }
    *tests += asked;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: pc_gaussian MATRIX N CRITICAL REPEATS strength|column [EDGES]\n");
        return 2;
    }
    size_t size;
    n = atoi(argv[2]);
    strength = read_file(argv[1], (size_t)n * n * sizeof(double), NULL);
    critical = read_file(argv[3], 0, &size);
    n_critical = (int)(size / sizeof(double));
    by_strength = strcmp(argv[5], "column") != 0;
    dense = take(n * sizeof *dense);
    make_graph();
    run(atoi(argv[4]), argc > 6 ? argv[6] : NULL);
    return 0;
}
