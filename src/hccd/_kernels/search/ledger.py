"""The ledger of a run: every pair that order 0 left, what is known of it, and whole passes of PC over it.

A row is a pair of variables. It is alive or has fallen, has been seen by a pass or not, and has a *home*: the cluster
(an interval of positions) within which, and up to which order, it is known to be dependent. What made it fall is
written down beside it. A pass takes the clusters of one height, which share no variable (``merge``), asks about some of
the pairs inside them (``ask_new``, ``ask_all``) and goes through the levels of PC (``learn``); the sets of one edge are
walked by a ``LevelSearch``, whatever its test is.

Between the levels only ``workers`` are called in Python: with small clusters more of it would cost more than the tests.
"""

from time import perf_counter

import cython
import numpy as np

#: The columns that a run goes on from; which pairs are alive follows from them.
RECORDED = (
    "seen", "home_start", "home_stop", "home_order", "fell_order", "fell_stage", "fell_cluster", "statistic", "freedom",
    "given_start", "outer", "by_cluster",
)  # fmt: skip


class Ledger:
    """Pairs in rows, sorted by (x, y); clusters are ``sequence[start[c] : stop[c]]`` and have a height.

    ``outer`` bounds the strength of each variable with any that is not its neighbour; it rises as pairs fall.
    """

    def __init__(self, n_variables, x, y, strength, sequence, start, stop, height, outer):
        m = len(x)
        self.n = n_variables
        self.x = x
        self.y = y
        self.strength = strength
        self.sequence = sequence
        self.start = start
        self.stop = stop
        self.height = height
        self.outer = outer
        self.alive = np.ones(m, np.uint8)
        self.seen = np.zeros(m, np.uint8)
        self.fixed = np.zeros(m, np.uint8)
        # Order 0 has been asked for all pairs, over the whole set.
        self.home_start = np.zeros(m, np.intc)
        self.home_stop = np.full(m, n_variables, np.intc)
        self.home_order = np.zeros(m, np.intc)
        self.fell_order = np.full(m, -1, np.intc)
        self.fell_stage = np.zeros(m, np.int8)
        self.fell_cluster = np.zeros(m, np.intc)
        self.given_start = np.zeros(m, np.int64)
        self.given = np.zeros(64, np.intc)
        self.used = 0
        self.statistic = np.full(m, np.nan)
        self.freedom = np.zeros(m, np.int64)
        self.by_cluster = np.zeros(len(start), np.int64)
        self.by_stage = [[], [], []]
        self.cluster_of = np.full(n_variables, -1, np.intc)
        self.inside = np.empty(m, np.intc)
        self.asked = np.empty(m, np.intc)
        self.todo = np.empty(m, np.intc)
        self.run_stop = np.empty(m, np.intc)
        self.tests = np.empty(m, np.int64)
        self.n_inside = 0
        self.n_asked = 0
        self.n_todo = 0
        self.n_able = 0
        self.level_order = 0
        self.first = np.zeros(n_variables, np.int64)
        self.degree = np.zeros(n_variables, np.intc)
        self.neighbors = np.empty(2 * m, np.intc)
        self.neighbor_strength = np.empty(2 * m)
        self.next = 0

    def __len__(self):
        return self.x.shape[0]

    def attach(self, search):
        """Show the neighbour lists of every pass to this search."""
        search.attach(
            np.asarray(self.first),
            np.asarray(self.neighbors),
            np.asarray(self.degree),
            np.asarray(self.neighbor_strength),
        )

    def fix(self, rows):
        """Let these pairs stand, whatever a test would say: they are never asked about."""
        np.asarray(self.fixed)[rows] = 1

    def merge(self, height):
        """Put the graphs of the clusters of this height together: select the pairs inside each of them that stand."""
        c: cython.int
        i: cython.int
        e: cython.int
        for i in range(self.n):
            self.cluster_of[i] = -1
        for c in range(self.height.shape[0]):
            if self.height[c] == height:
                for i in range(self.start[c], self.stop[c]):
                    self.cluster_of[self.sequence[i]] = c
        self.n_inside = 0
        for e in range(self.x.shape[0]):
            if self.alive[e]:
                c = self.cluster_of[self.x[e]]
                if c >= 0 and c == self.cluster_of[self.y[e]]:
                    self.inside[self.n_inside] = e
                    self.n_inside += 1

    def ask_new(self):
        """Ask about the selected pairs that no pass has seen: those between children; return how many there are."""
        i: cython.int
        self.n_asked = 0
        for i in range(self.n_inside):
            if not self.seen[self.inside[i]] and not self.fixed[self.inside[i]]:
                self.asked[self.n_asked] = self.inside[i]
                self.n_asked += 1
        return self.n_asked

    def ask_all(self):
        """Ask about every selected pair; return how many there are."""
        i: cython.int
        self.n_asked = 0
        for i in range(self.n_inside):
            if not self.fixed[self.inside[i]]:
                self.asked[self.n_asked] = self.inside[i]
                self.n_asked += 1
        return self.n_asked

    def learn(self, workers, stage, first, limit, live, done, after_part):
        """Go through the levels of PC from order ``first`` on for the pairs that are asked about.

        ``workers.ask(order, live, begin, end)`` answers a run of the pairs of a level and returns the largest degrees
        of freedom that it had no critical value for, or -1. ``done`` pairs of the first level are answered already.
        ``after_part(order, pairs, done, tests)``, unless it is None, is called after each level, and with fewer pairs
        done in the course of a long one.
        """
        order: cython.int = first
        begin: cython.int
        end: cython.int
        part: cython.int
        missing: cython.longlong
        while order <= limit:
            self.list_neighbors()
            self.choose(order)
            if self.n_able == 0:
                break
            tests = 0
            if self.n_todo:
                self.make_room(order)
                if live:
                    self.group()
                begin = done if order == first and done <= self.n_todo else 0
                # Who wants to be told gets a long level in parts of about half a second.
                part = self.n_todo if after_part is None else workers.least
                while begin < self.n_todo:
                    end = min(self.n_todo, begin + part)
                    began = perf_counter()
                    missing = workers.ask(order, live, begin, end)
                    if missing >= 0:
                        # The answers are void; in a live level the lists have changed, so all of it is asked again.
                        workers.need_critical(missing)
                        self.list_neighbors()
                        begin = 0
                        continue
                    begin = end
                    if begin < self.n_todo:
                        taken = max(perf_counter() - began, 0.001)
                        part = max(workers.least, int(part * min(8.0, 0.5 / taken)))
                        after_part(order, self.n_todo, begin, int(np.abs(np.asarray(self.tests)[:begin]).sum()))
                tests = self.settle(stage, order)
            self.count(stage, order, tests)
            if after_part is not None:
                after_part(order, self.n_todo, self.n_todo, tests)
            order += 1
        self.close(limit)

    def count(self, stage, order, tests):
        """Add to the number of tests of a stage, by order."""
        counts = self.by_stage[stage]
        counts.extend([0] * (order + 1 - len(counts)))
        counts[order] += tests

    def list_neighbors(self):
        """Write the neighbour lists of the selected pairs that are alive, with their strengths."""
        i: cython.int
        e: cython.int
        v: cython.int
        place: cython.longlong
        total: cython.longlong = 0
        for v in range(self.n):
            self.degree[v] = 0
        for i in range(self.n_inside):
            e = self.inside[i]
            if self.alive[e]:
                self.degree[self.x[e]] += 1
                self.degree[self.y[e]] += 1
        for v in range(self.n):
            self.first[v] = total
            total += self.degree[v]
            self.degree[v] = 0
        for i in range(self.n_inside):
            e = self.inside[i]
            if self.alive[e]:
                v = self.x[e]
                place = self.first[v] + self.degree[v]
                self.neighbors[place] = self.y[e]
                self.neighbor_strength[place] = self.strength[e]
                self.degree[v] += 1
                v = self.y[e]
                place = self.first[v] + self.degree[v]
                self.neighbors[place] = self.x[e]
                self.neighbor_strength[place] = self.strength[e]
                self.degree[v] += 1

    def choose(self, order):
        """List the pairs to be asked at this order, and count those that have neighbours enough."""
        i: cython.int
        e: cython.int
        c: cython.int
        self.n_able = 0
        self.n_todo = 0
        for i in range(self.n_asked):
            e = self.asked[i]
            # An end needs enough neighbours, the other end not counted.
            if self.alive[e] and (self.degree[self.x[e]] > order or self.degree[self.y[e]] > order):
                self.n_able += 1
                c = self.cluster_of[self.x[e]]
                if self.home_order[e] < order or self.home_start[e] > self.start[c] or self.home_stop[e] < self.stop[c]:
                    self.todo[self.n_todo] = e
                    self.n_todo += 1

    def group(self):
        """Put the pairs to be asked of one cluster side by side: in a live level one hand must ask all of them."""
        cluster = np.asarray(self.cluster_of)[np.asarray(self.x)[np.asarray(self.todo)[: self.n_todo]]]
        by_cluster = np.argsort(cluster, kind="stable")
        np.asarray(self.todo)[: self.n_todo] = np.asarray(self.todo)[: self.n_todo][by_cluster]
        np.asarray(self.run_stop)[: self.n_todo] = np.searchsorted(cluster[by_cluster], cluster[by_cluster], "right")

    def make_room(self, order):
        """Have room for the separating sets of all pairs to be asked."""
        need = self.used + cython.cast(cython.longlong, self.n_todo) * order
        self.level_order = order
        if need > self.given.shape[0]:
            longer = np.zeros(2 * need, np.intc)
            longer[: self.given.shape[0]] = self.given
            self.given = longer

    def begin_run(self, begin):
        """Let hands take pairs from this one on."""
        self.next = begin

    def walk(self, search, order, live, end):
        """Ask about run after run of the pairs to be asked, until those before ``end`` are taken.

        Several hands may walk at once: the next run goes to whoever is free, so that a slow hand holds nobody up. It
        is taken by one hand at a time, whether Python has a lock or not, and a pair is touched by one hand only.
        """
        begin: cython.int
        stop: cython.int
        search.enter(order, live)
        while True:
            with cython.critical_section(self):
                begin = self.next
                if begin < end:
                    self.next = min(self.run_stop[begin] if live else begin + search.grain, end)
                stop = self.next
            if begin >= end:
                break
            with cython.nogil:
                self.walk_run(search, order, begin, stop)
            if search.failed:
                # Nobody else need go on.
                self.next = end
                raise search.failure

    def walk_run(self, search, order, begin, end):
        """Ask about a run of pairs and note what makes them fall; their tests are negative."""
        i: cython.int
        e: cython.int
        d: cython.int
        place: cython.longlong
        for i in range(begin, end):
            e = self.todo[i]
            self.tests[i] = search.ask(self.x[e], self.y[e], self.home_start[e], self.home_stop[e], self.home_order[e])
            if self.tests[i] < 0:
                self.statistic[e] = search.statistic
                self.freedom[e] = search.freedom
                place = self.used + cython.cast(cython.longlong, i) * order
                self.given_start[e] = place
                for d in range(order):
                    self.given[place + d] = search.pool[search.chosen[d]]
                if search.failed:
                    break

    def settle(self, stage, order):
        """Let the pairs of this level fall; return the number of tests it took."""
        i: cython.int
        e: cython.int
        total: cython.longlong = 0
        x: cython.int
        y: cython.int
        for i in range(self.n_todo):
            e = self.todo[i]
            total += abs(self.tests[i])
            self.by_cluster[self.cluster_of[self.x[e]]] += abs(self.tests[i])
            if self.tests[i] >= 0:
                continue
            self.alive[e] = 0
            self.fell_order[e] = order
            self.fell_stage[e] = stage
            self.fell_cluster[e] = self.cluster_of[self.x[e]]
            x = self.x[e]
            y = self.y[e]
            self.outer[x] = max(self.outer[x], self.strength[e])
            self.outer[y] = max(self.outer[y], self.strength[e])
        self.used += cython.cast(cython.longlong, self.n_todo) * order
        return total

    def close(self, limit):
        """Give the pairs that were asked and stand a new home: they are dependent given anything in their cluster."""
        i: cython.int
        e: cython.int
        c: cython.int
        for i in range(self.n_asked):
            e = self.asked[i]
            self.seen[e] = 1
            if self.alive[e]:
                c = self.cluster_of[self.x[e]]
                self.home_start[e] = self.start[c]
                self.home_stop[e] = self.stop[c]
                self.home_order[e] = limit

    def blocks(self):
        """Return where the pairs of a live level end that one worker must ask."""
        return np.unique(np.asarray(self.run_stop)[: self.n_todo])

    def graph(self):
        """Return the neighbour lists of the level at hand: where each begins, the neighbours, and how many."""
        degree = np.array(self.degree)
        return np.array(self.first), np.array(self.neighbors[: degree.sum()]), degree

    def questions(self, begin, end):
        """Return a run of the pairs to be asked: both ends, and the three columns of their homes."""
        rows = np.asarray(self.todo)[begin:end]
        return (
            np.asarray(self.x)[rows], np.asarray(self.y)[rows],
            np.asarray(self.home_start)[rows], np.asarray(self.home_stop)[rows], np.asarray(self.home_order)[rows],
        )  # fmt: skip

    def note(self, begin, order, tests, given, statistic, freedom):
        """Write down the answers to the pairs to be asked from ``begin`` on, as ``walk`` does; tests are signed."""
        fell = np.flatnonzero(np.asarray(tests) < 0)
        rows = np.asarray(self.todo)[begin : begin + len(tests)][fell]
        place = self.used + (begin + fell) * order
        np.asarray(self.tests)[begin : begin + len(tests)] = tests
        np.asarray(self.statistic)[rows] = statistic[fell]
        np.asarray(self.freedom)[rows] = freedom[fell]
        np.asarray(self.given_start)[rows] = place
        np.asarray(self.given)[place[:, None] + np.arange(order)] = given[fell]

    def selected(self):
        """Return the selected pairs: their rows, whether each is asked about, and its cluster."""
        rows = np.array(self.inside[: self.n_inside])
        asked = np.isin(rows, np.asarray(self.asked)[: self.n_asked])
        return rows, asked, np.asarray(self.cluster_of)[np.asarray(self.x)[rows]]

    def remove(self, stage, rows, sizes, given, statistic):
        """Let selected pairs fall; their separating sets of these ``sizes`` lie end to end in ``given``."""
        np.asarray(self.alive)[rows] = 0
        np.asarray(self.fell_order)[rows] = sizes
        np.asarray(self.fell_stage)[rows] = stage
        np.asarray(self.fell_cluster)[rows] = np.asarray(self.cluster_of)[np.asarray(self.x)[rows]]
        np.asarray(self.statistic)[rows] = statistic
        np.asarray(self.given_start)[rows] = self.used + np.cumsum(sizes) - sizes
        self.given = np.concatenate([np.asarray(self.given)[: self.used], given]).astype(np.intc)
        self.used += len(given)

    def add_tests(self, cluster, tests):
        """Add to the number of tests of clusters."""
        np.add.at(np.asarray(self.by_cluster), cluster, tests)

    def record(self, done=0):
        """Return copies of all columns that a run goes on from, with the answers to ``done`` pairs of a level."""
        columns = {name: np.array(getattr(self, name)) for name in RECORDED}
        columns["given"] = np.array(self.given[: self.used + done * self.level_order])
        columns["tests"] = np.array(self.tests[:done])
        columns["used"] = np.array([self.used], np.int64)
        return columns

    def restore(self, columns):
        """Take over what ``record`` returned."""
        for name in RECORDED:
            np.asarray(getattr(self, name))[:] = columns[name]
        np.asarray(self.alive)[:] = columns["fell_order"] < 0
        np.asarray(self.tests)[: len(columns["tests"])] = columns["tests"]
        self.given = np.concatenate([columns["given"], np.zeros(64, np.intc)])
        self.used = columns["used"][0]
