/* The walk of PC-stable over levels, edges and conditioning sets, shared by the two programs of this directory.
 *
 * It asks the same questions as the package, so that the number of tests is the same: the neighbours of either end are
 * ranked together (by the weaker tie, strongest first, then by number; or by number alone), sets come in lexicographic
 * order of ranks, a set lies among the neighbours of one end, and the first separating set ends the search. No
 * separating sets and no p-values are kept, and nothing is oriented. Nothing is allocated inside a level.
 *
 * The program that includes this file says what a test is: order_zero, special_level, begin_edge, extend, ask_last.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_ORDERS 64
/* Arrays over candidates have whole vectors, so that loops may run over their end. */
#define WIDTH 4
#define DOWN(k) ((k) / WIDTH * WIDTH)
#define UP(k) DOWN((k) + WIDTH - 1)

typedef long long count;

static int n;
static int by_strength;
/* n x n, symmetric: strength of ties, by absolute value. */
static const double *strength;

/* The graph: edges as the larger ends of each x, and all neighbours of each variable, both ascending. */
static int *up_first, *up_y;
static int *first, *neighbor, *degree;
/* Along neighbor: the edge, and the strength as it is. Along edges: whether it fell in this level. */
static int *edge_of;
static double *tie;
static unsigned char *gone;

/* The candidates of one edge in their ranks: 1 beside x, 2 beside y, 3 beside both; and how many follow beside each. */
static int *id, *left_beside_x, *left_beside_y;
static long long *side;
static double *key;
static int room;

/* The path through the tree of sets: ranks chosen, and which ends all of them are beside. */
static int chosen[MOST_ORDERS + 1], mask[MOST_ORDERS + 1];

/* What the including program defines. order_zero fills up_first and up_y and returns the number of edges; special_level
 * may answer a level in a way of its own and returns whether it did; extend takes candidate k into a set of d others;
 * ask_last tests every set that adds one candidate from rank i on to d chosen ones, and returns whether one separates. */
static int order_zero(void);
static int special_level(int order, count *tests);
static void make_path(void);
static void begin_edge(int x, int y, int order, int size);
static void extend(int d, int k, int size);
static int ask_last(int d, int i, int size, count *tests);

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *take(size_t size) {
    void *p = aligned_alloc(64, (size + 127) / 64 * 64);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

/* Read a whole file; its size in bytes must be a known one, unless that is 0. */
static void *read_file(const char *path, size_t wanted, size_t *found) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    size_t size = ftell(file);
    rewind(file);
    if (wanted && size != wanted) {
        fprintf(stderr, "%s holds %zu bytes, not %zu\n", path, size, wanted);
        exit(1);
    }
    void *content = take(size);
    if (fread(content, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    if (found) *found = size;
    return content;
}

static inline double weaker(double a, double b) {
    a = fabs(a), b = fabs(b);
    return a < b ? a : b;
}

/* Lists of all neighbours; ascending, because smaller ends are met first. Returns the largest degree. */
static int list_neighbors(void) {
    int most = 0;
    memset(degree, 0, n * sizeof *degree);
    for (int x = 0; x < n; x++) {
        degree[x] += up_first[x + 1] - up_first[x];
        for (int e = up_first[x]; e < up_first[x + 1]; e++) degree[up_y[e]]++;
    }
    first[0] = 0;
    for (int v = 0; v < n; v++) {
        first[v + 1] = first[v] + degree[v];
        if (degree[v] > most) most = degree[v];
        degree[v] = 0;
    }
    for (int x = 0; x < n; x++)
        for (int e = up_first[x]; e < up_first[x + 1]; e++) {
            int y = up_y[e];
            int i = first[x] + degree[x]++, j = first[y] + degree[y]++;
            neighbor[i] = y, neighbor[j] = x;
            edge_of[i] = edge_of[j] = e;
            tie[i] = tie[j] = strength[(size_t)x * n + y];
        }
    return most;
}

static int before(double a, int p, double b, int q) { return a > b || (a == b && p < q); }

/* Quicksort down to short runs, then insertion; small pools see the insertion alone. */
static void rank(int from, int to) {
    while (to - from > 24) {
        int middle = from + (to - from) / 2, i = from, j = to - 1;
        double pivot = key[middle];
        int pivot_id = id[middle];
        while (i <= j) {
            while (before(key[i], id[i], pivot, pivot_id)) i++;
            while (before(pivot, pivot_id, key[j], id[j])) j--;
            if (i <= j) {
                double k = key[i];
                int z = id[i];
                long long s = side[i];
                key[i] = key[j], id[i] = id[j], side[i] = side[j];
                key[j] = k, id[j] = z, side[j] = s;
                i++, j--;
            }
        }
        rank(from, j + 1);
        from = i;
    }
    for (int i = from + 1; i < to; i++) {
        double k = key[i];
        int z = id[i], j = i;
        long long s = side[i];
        for (; j > from && before(k, z, key[j - 1], id[j - 1]); j--)
            key[j] = key[j - 1], id[j] = id[j - 1], side[j] = side[j - 1];
        key[j] = k, id[j] = z, side[j] = s;
    }
}

/* Fill the pool of an edge, a merge of two ascending lists; returns its size. */
static int gather(int x, int y) {
    const double *row_x = strength + (size_t)x * n, *row_y = strength + (size_t)y * n;
    int i = first[x], j = first[y], stop_i = first[x + 1], stop_j = first[y + 1], size = 0;
    while (i < stop_i || j < stop_j) {
        int a = i < stop_i ? neighbor[i] : n, b = j < stop_j ? neighbor[j] : n;
        int z = a < b ? a : b;
        int s = (a == z) | (b == z) << 1;
        i += a == z;
        j += b == z;
        if (z == x || z == y) continue;
        id[size] = z;
        side[size] = s;
        key[size] = weaker(row_x[z], row_y[z]);
        size++;
    }
    if (by_strength) rank(0, size);
    for (int k = size; k < UP(size); k++) side[k] = 0;
    left_beside_x[size] = left_beside_y[size] = 0;
    for (int k = size - 1; k >= 0; k--) {
        left_beside_x[k] = left_beside_x[k + 1] + (int)(side[k] & 1);
        left_beside_y[k] = left_beside_y[k + 1] + (int)(side[k] >> 1);
    }
    return size;
}

/* All sets of one edge in lexicographic order, up to the first that separates; returns whether one does. */
static int ask_sets(int x, int y, int order, count *tests) {
    int size = gather(x, y);
    int d = 0, i = 0;
    begin_edge(x, y, order, size);
    mask[0] = 3;
    for (;;) {
        int need = order - d;
        if (need == 1) {
            if (ask_last(d, i, size, tests)) return 1;
        } else if (size - i >= need) {
            int m = mask[d] & (int)side[i];
            if (((m & 1) && left_beside_x[i + 1] >= need - 1) || ((m & 2) && left_beside_y[i + 1] >= need - 1)) {
                extend(d, i, size);
                chosen[d] = i;
                mask[++d] = m;
            }
            i++;
            continue;
        }
        if (d == 0) return 0;
        i = chosen[--d] + 1;
    }
}

static void make_room(int most) {
    if (UP(2 * most) <= room) return;
    room = UP(2 * most);
    free(id), free(side), free(key), free(left_beside_x), free(left_beside_y);
    id = take(room * sizeof *id);
    side = take(room * sizeof *side);
    key = take(room * sizeof *key);
    left_beside_x = take((room + 1) * sizeof *left_beside_x);
    left_beside_y = take((room + 1) * sizeof *left_beside_y);
    make_path();
}

static int drop_gone(void) {
    int kept = 0;
    for (int x = 0; x < n; x++) {
        int from = up_first[x], to = up_first[x + 1];
        up_first[x] = kept;
        for (int e = from; e < to; e++) {
            up_y[kept] = up_y[e];
            kept += !gone[e];
        }
    }
    up_first[n] = kept;
    return kept;
}

/* Fills the tests of each order and the number of orders; returns the number of edges. */
static int skeleton(count *tests, int *n_orders) {
    int m = order_zero();
    int order = 1;
    tests[0] = (count)n * (n - 1) / 2;
    for (;; order++) {
        int most = list_neighbors();
        if (most <= order || order > MOST_ORDERS) break;
        tests[order] = 0;
        if (!special_level(order, tests + order)) {
            make_room(most);
            for (int x = 0; x < n; x++)
                for (int e = up_first[x]; e < up_first[x + 1]; e++) {
                    int y = up_y[e];
                    gone[e] = (degree[x] > order || degree[y] > order) && ask_sets(x, y, order, tests + order);
                }
        }
        m = drop_gone();
    }
    *n_orders = order;
    return m;
}

static void make_graph(void) {
    size_t pairs = (size_t)n * (n - 1) / 2;
    up_first = take((n + 1) * sizeof *up_first);
    /* One more: a pair is written before it is known to stay. */
    up_y = take((pairs + 1) * sizeof *up_y);
    first = take((n + 1) * sizeof *first);
    neighbor = take(2 * pairs * sizeof *neighbor);
    edge_of = take(2 * pairs * sizeof *edge_of);
    tie = take(2 * pairs * sizeof *tie);
    degree = take(n * sizeof *degree);
    gone = take(pairs);
}

/* Run, print CPU seconds (the best of the repeats), edges and tests as JSON, and write the surviving pairs. */
static void run(int repeats, const char *edges_path) {
    count tests[MOST_ORDERS + 1];
    int n_orders = 0, edges = 0;
    double best = INFINITY;
    for (int k = 0; k < repeats; k++) {
        double start = cpu_seconds();
        edges = skeleton(tests, &n_orders);
        double seconds = cpu_seconds() - start;
        if (seconds < best) best = seconds;
    }
    printf("{\"cpu\": %.9f, \"edges\": %d, \"tests\": [", best, edges);
    for (int k = 0; k < n_orders; k++) printf("%s%lld", k ? ", " : "", tests[k]);
    printf("]}\n");
    if (!edges_path) return;
    FILE *file = fopen(edges_path, "wb");
    if (!file) {
        perror(edges_path);
        exit(1);
    }
    for (int x = 0; x < n; x++)
        for (int e = up_first[x]; e < up_first[x + 1]; e++) {
            int pair[2] = {x, up_y[e]};
            fwrite(pair, sizeof(int), 2, file);
        }
    fclose(file);
}
