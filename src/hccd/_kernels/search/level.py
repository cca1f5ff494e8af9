"""One level of one pass of PC: ask every given edge about all its conditioning sets of one size.

``LevelSearch`` walks edges and sets; what a set says about an edge is left to its children (partial correlations,
contingency tables, a test in Python), and the order of the candidates of an edge to ``Candidates``. A set must lie
among the neighbours of one end. Sets are visited in lexicographic order of ranks, as a tree: what is known about
z1 .. zk serves every set that begins with them.

Known answers are not asked again (the home rule): a set of at most ``home_order`` variables, all at positions
``home_start <= position < home_stop``, has been found dependent before and is passed over.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .candidates import Candidates


class LevelSearch(Candidates):
    """The walk over edges and sets, with no idea of what a test is."""

    def __init__(self, association, outer, by_strength, position):
        Candidates.__init__(self, association, outer, by_strength, position)
        n = len(position)
        self.room = 1
        self.chosen = np.zeros(n + 1, np.intc)
        self.mask = np.zeros(n + 1, np.intc)
        self.outside = np.zeros(n + 1, np.intc)
        self.freedom = 0
        self.missing_freedom = -1
        self.failed = False
        self.failure = None
        self.grain = 128

    def enter(self, order, live):
        """Begin a level on the graph as it is; with ``live`` an edge that falls is taken from the lists at once."""
        if order > self.room:
            self.room = max(order, 2 * self.room)
            self.make_room(self.room)
        self.order = order
        self.missing_freedom = -1
        self.restart(live)

    def need_critical(self, freedom):
        """Get the critical values for up to this many degrees of freedom; a search that never misses any needs none."""

    def make_room(self, order):
        """Allocate for sets of up to ``order`` variables."""

    def search(self, x, y, home_start, home_stop, home_order, tests, given, statistic, freedom):
        """Ask about the edges (x[e], y[e]) and fill the last four arrays; the tests of an edge that falls are negative.

        Returns the largest degrees of freedom for which the caller gave no critical value, or -1; if there are
        any, the answers are void and the caller must come again with more critical values.
        """
        e: cython.Py_ssize_t
        d: cython.int
        with cython.nogil:
            for e in range(x.shape[0]):
                tests[e] = self.ask(x[e], y[e], home_start[e], home_stop[e], home_order[e])
                if tests[e] < 0:
                    statistic[e] = self.statistic
                    freedom[e] = self.freedom
                    for d in range(self.order):
                        given[e, d] = self.pool[self.chosen[d]]
                    if self.failed:
                        break
        if self.failed:
            raise self.failure
        return self.missing_freedom

    def statistics(self, x, y, given, statistic, freedom, information):
        """Write what ``measure`` says of each (x[e], y[e] | given[e])."""
        e: cython.Py_ssize_t
        d: cython.int
        known: cython.int
        self.order = given.shape[1]
        self.make_room(self.order)
        with cython.nogil:
            for e in range(x.shape[0]):
                known = 0
                if e > 0 and x[e] == x[e - 1] and y[e] == y[e - 1]:
                    while known < self.order and given[e, known] == given[e - 1, known]:
                        known += 1
                else:
                    self.x = x[e]
                    self.y = y[e]
                    self.begin()
                for d in range(known, self.order):
                    self.extend(d, given[e, d])
                information[e] = self.measure()
                statistic[e] = self.statistic
                freedom[e] = self.freedom

    def all_pairs(self, statistic, freedom, information):
        """Write what ``measure`` says of every pair without a set to symmetric matrices."""
        i: cython.int
        j: cython.int
        self.order = 0
        with cython.nogil:
            for i in range(statistic.shape[0]):
                for j in range(i + 1, statistic.shape[0]):
                    self.x = i
                    self.y = j
                    self.begin()
                    information[i, j] = information[j, i] = self.measure()
                    statistic[i, j] = statistic[j, i] = self.statistic
                    freedom[i, j] = freedom[j, i] = self.freedom

    @cython.final
    def ask(self, x, y, home_start, home_stop, home_order):
        """Visit the sets of an edge; return how many were tested, negative if the last one separates.

        Then the set is ``pool[chosen[d]]``; in a live level the edge is gone from the neighbour lists.
        """
        depth: cython.int = 0
        i: cython.int = 0
        need: cython.int
        mask: cython.int
        outside: cython.int
        tests: cython.longlong = 0
        last: cython.int = self.order - 1
        if self.order <= home_order:
            self.meet(x, y, home_start, home_stop)
        else:
            # An empty interval: every candidate is away from home, so nothing is known.
            self.meet(x, y, 0, 0)
        if self.total_away == 0 or (self.total_x < self.order and self.total_y < self.order):
            return 0
        self.begin()
        if self.order == 1:
            return self.ask_singles()
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
                            if self.live:
                                self.forget(x, y)
                                self.forget(y, x)
                            return -tests
                i += 1
            else:
                if depth == 0:
                    return tests
                depth -= 1
                i = self.chosen[depth] + 1

    @cython.final
    def ask_singles(self):
        """Visit the sets of one variable: a list, not a tree. Most tests are of this kind."""
        i: cython.int = 0
        left: cython.int = self.total_away
        tests: cython.longlong = 0
        while left > 0:
            if self.ranked <= i:
                self.rank_up_to(i)
            if self.away[i + 1] > self.away[i]:
                left -= 1
                tests += 1
                if self.single(self.pool[i]):
                    self.chosen[0] = i
                    if self.live:
                        self.forget(self.x, self.y)
                        self.forget(self.y, self.x)
                    return -tests
            i += 1
        return tests

    @cython.final
    def reachable(self, i, need, mask, outside):
        """Whether a set can still be completed from rank i on; ranks up to i are settled by the way."""
        if self.size - i < need:
            return False
        if self.ranked <= i:
            self.rank_up_to(i)
        if outside == 0 and self.total_away == self.away[i]:
            return False
        return self.enough(i, need, mask)

    @cython.final
    def enough(self, i, need, mask):
        """Whether one end that the set still agrees with has ``need`` neighbours from rank i on."""
        return ((mask & 1) != 0 and self.total_x - self.of_x[i] >= need) or (
            (mask & 2) != 0 and self.total_y - self.of_y[i] >= need
        )

    def begin(self):
        """Start a new edge: nothing is given yet."""

    def extend(self, depth, z):
        """Let z be the variable number ``depth`` of the set."""

    def measure(self):
        """Leave statistic and degrees of freedom of the pair and the set behind, and return the information in nats."""
        return 0.0

    def single(self, z):
        """Whether z alone separates the edge; leaves the statistic behind."""
        self.extend(0, z)
        return self.independent()

    def independent(self):
        """Whether the whole set separates the edge; leaves the statistic behind."""
        return False
