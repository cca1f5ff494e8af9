"""One level of one pass of PC: ask every given edge about all its conditioning sets of one size.

``LevelSearch`` walks edges and sets; what a set says about an edge is left to its children, partial
correlations and contingency tables. For an edge (x, y) the candidates are the neighbours of x and those of y,
merged and ranked together (strongest first, then smallest number), so that the result does not know which end
is which; a set must lie among the neighbours of one end. Sets are visited in lexicographic order of ranks, as
a tree: what is known about z1 .. zk serves every set that begins with them. Ranking is lazy (a heap), because
the first few sets settle most edges.

Known answers are not asked again (the home rule): a set of at most ``home_order`` variables, all at positions
``home_start <= position < home_stop``, has been found dependent before and is passed over.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class LevelSearch:
    """The walk over edges and sets, with no idea of what a test is."""

    def __init__(self, order, live, strength, by_strength, position, first, neighbors, degree):
        room = 2 * int(np.max(degree, initial=1))
        self.order = order
        self.live = live
        self.by_strength = by_strength
        self.strength = strength
        self.position = position
        self.first = first
        self.neighbors = neighbors
        self.degree = degree
        self.pool = np.zeros(room, np.intc)
        self.side = np.zeros(room, np.intc)
        self.key = np.zeros(room)
        self.place = np.full(len(degree), -1, np.intc)
        self.of_x = np.zeros(room + 1, np.intc)
        self.of_y = np.zeros(room + 1, np.intc)
        self.away = np.zeros(room + 1, np.intc)
        self.chosen = np.zeros(order + 1, np.intc)
        self.mask = np.zeros(order + 1, np.intc)
        self.outside = np.zeros(order + 1, np.intc)
        self.freedom = 0
        self.missing_freedom = -1

    def search(self, x, y, home_start, home_stop, home_order, removed, given, n_tests, statistic, freedom):
        """Ask about the edges (x[e], y[e]) and fill the last five arrays.

        Returns the largest degrees of freedom for which the caller gave no critical value, or -1; if there are
        any, the answers are void and the caller must come again with more critical values.
        """
        e: cython.Py_ssize_t
        d: cython.int
        with cython.nogil:
            for e in range(x.shape[0]):
                self.x = x[e]
                self.y = y[e]
                if self.order <= home_order[e]:
                    self.home_start = home_start[e]
                    self.home_stop = home_stop[e]
                else:
                    # An empty interval: every candidate is away from home, so nothing is known.
                    self.home_start = 0
                    self.home_stop = 0
                n_tests[e] = self.ask()
                if n_tests[e] < 0:
                    n_tests[e] = -n_tests[e]
                    removed[e] = 1
                    statistic[e] = self.statistic
                    freedom[e] = self.freedom
                    for d in range(self.order):
                        given[e, d] = self.pool[self.chosen[d]]
                    if self.live:
                        self.forget(self.x, self.y)
                        self.forget(self.y, self.x)
        return self.missing_freedom

    def ask(self):
        """Visit the sets of the edge at hand; return how many were tested, negative if the last one separates."""
        depth: cython.int = 0
        i: cython.int = 0
        need: cython.int
        mask: cython.int
        outside: cython.int
        tests: cython.longlong = 0
        last: cython.int = self.order - 1
        self.gather()
        if self.total_away == 0 or (self.total_x < self.order and self.total_y < self.order):
            return 0
        self.begin()
        self.mask[0] = 3
        self.outside[0] = 0
        while True:
            need = self.order - depth
            # The rest of the pool, from rank i on, must still hold a set within reach.
            if self.reachable(i, need, self.mask[depth], self.outside[depth]):
                mask = self.mask[depth] & self.side[i]
                outside = self.outside[depth] | (self.away[i + 1] - self.away[i])
                if mask != 0 and (need == 1 or self.enough(i + 1, need - 1, mask)):
                    self.chosen[depth] = i
                    if depth < last:
                        self.extend(depth, self.pool[i])
                        depth += 1
                        self.mask[depth] = mask
                        self.outside[depth] = outside
                    elif outside:
                        self.extend(depth, self.pool[i])
                        tests += 1
                        if self.independent():
                            return -tests
                i += 1
            else:
                if depth == 0:
                    return tests
                depth -= 1
                i = self.chosen[depth] + 1

    def reachable(self, i, need, mask, outside):
        """Whether a set can still be completed from rank i on; ranks up to i are settled by the way."""
        if self.size - i < need:
            return False
        self.rank_up_to(i)
        if outside == 0 and self.total_away == self.away[i]:
            return False
        return self.enough(i, need, mask)

    def enough(self, i, need, mask):
        """Whether one end that the set still agrees with has ``need`` neighbours from rank i on."""
        return ((mask & 1) != 0 and self.total_x - self.of_x[i] >= need) or (
            (mask & 2) != 0 and self.total_y - self.of_y[i] >= need
        )

    def gather(self):
        """Fill the pool with the neighbours of both ends and make it a heap."""
        i: cython.longlong
        k: cython.int
        z: cython.int
        a: cython.double
        b: cython.double
        self.size = 0
        self.ranked = 0
        self.total_x = 0
        self.total_y = 0
        self.total_away = 0
        for i in range(self.first[self.x], self.first[self.x] + self.degree[self.x]):
            z = self.neighbors[i]
            if z != self.y:
                self.pool[self.size] = z
                self.side[self.size] = 1
                self.place[z] = self.size
                self.size += 1
                self.total_x += 1
        for i in range(self.first[self.y], self.first[self.y] + self.degree[self.y]):
            z = self.neighbors[i]
            if z != self.x:
                self.total_y += 1
                if self.place[z] >= 0:
                    self.side[self.place[z]] = 3
                else:
                    self.pool[self.size] = z
                    self.side[self.size] = 2
                    self.size += 1
        for k in range(self.size):
            z = self.pool[k]
            self.place[z] = -1
            if self.position[z] < self.home_start or self.position[z] >= self.home_stop:
                self.total_away += 1
            if self.by_strength:
                # The weaker of the two ties: a separator must touch both ends.
                a = self.strength[self.x, z]
                b = self.strength[self.y, z]
                self.key[k] = a if a < b else b
            else:
                self.key[k] = 0.0
        for k in range(self.size // 2 - 1, -1, -1):
            self.sift(k, self.size)

    def before(self, i, j):
        """Whether candidate i ranks before candidate j."""
        if self.key[i] != self.key[j]:
            return self.key[i] > self.key[j]
        return self.pool[i] < self.pool[j]

    def swap(self, i, j):
        """Exchange two candidates."""
        z: cython.int = self.pool[i]
        s: cython.int = self.side[i]
        k: cython.double = self.key[i]
        self.pool[i] = self.pool[j]
        self.side[i] = self.side[j]
        self.key[i] = self.key[j]
        self.pool[j] = z
        self.side[j] = s
        self.key[j] = k

    def sift(self, root, count):
        """Restore the heap below ``root``. It lies backwards at the end of the pool: node k at size - 1 - k."""
        top: cython.int = self.size - 1
        child: cython.int
        while True:
            child = 2 * root + 1
            if child >= count:
                return
            if child + 1 < count and self.before(top - child - 1, top - child):
                child += 1
            if not self.before(top - child, top - root):
                return
            self.swap(top - child, top - root)
            root = child

    def rank_up_to(self, i):
        """Move the best candidates from the heap to the ranked front until rank i is there."""
        r: cython.int
        z: cython.int
        while self.ranked <= i:
            r = self.ranked
            # The heap's best is at the very end; its last node is at rank r, just behind the front.
            self.swap(r, self.size - 1)
            self.ranked += 1
            self.sift(0, self.size - self.ranked)
            z = self.pool[r]
            self.of_x[r + 1] = self.of_x[r] + (self.side[r] & 1)
            self.of_y[r + 1] = self.of_y[r] + (self.side[r] >> 1)
            self.away[r + 1] = self.away[r]
            if self.position[z] < self.home_start or self.position[z] >= self.home_stop:
                self.away[r + 1] += 1

    def forget(self, v, gone):
        """Take ``gone`` from the neighbours of ``v``; their order does not matter, the pool is ranked anyway."""
        i: cython.longlong = self.first[v]
        stop: cython.longlong = i + self.degree[v] - 1
        while self.neighbors[i] != gone:
            i += 1
        self.neighbors[i] = self.neighbors[stop]
        self.degree[v] -= 1

    def begin(self):
        """Start a new edge: nothing is given yet."""

    def extend(self, depth, z):
        """Let z be the variable number ``depth`` of the set."""

    def independent(self):
        """Whether the whole set separates the edge; leaves the statistic behind."""
        return False
