"""The ledger of a run: every pair that order 0 left, what is known of it, and whole passes of PC over it.

A row is a pair of variables. It is alive or has fallen, has been seen by a pass or not, and has a *home*: the cluster
(an interval of positions) within which, and up to which order, it is known to be dependent. What made it fall is
written down beside it. A pass takes the clusters of one height, which share no variable, and goes through the levels
of PC for the pairs inside them; the sets of one edge are walked by a ``LevelSearch``.

This does what ``baselines/pc.py`` and ``wrapper/backtrack.py`` say in Python, without leaving C
between levels: with small clusters the way in and out would cost more than the tests.
"""

from time import perf_counter

import cython
import numpy as np


class Ledger:
    """Pairs in rows, sorted by (x, y); clusters are ``order[start[c] : stop[c]]`` and have a height."""

    def __init__(self, n_variables, x, y, strength, order, start, stop, height, outer):
        m = len(x)
        self.n = n_variables
        self.x = x
        self.y = y
        self.strength = strength
        self.order = order
        self.start = start
        self.stop = stop
        self.height = height
        self.outer = outer
        self.alive = np.ones(m, np.uint8)
        self.seen = np.zeros(m, np.uint8)
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
        self.cluster_of = np.full(n_variables, -1, np.intc)
        self.inside = np.empty(m, np.intc)
        self.asked = np.empty(m, np.intc)
        self.todo = np.empty(m, np.intc)
        self.tests = np.empty(m, np.int64)
        self.n_inside = 0
        self.n_asked = 0
        self.n_todo = 0
        self.n_able = 0
        self.first = np.zeros(n_variables, np.int64)
        self.degree = np.zeros(n_variables, np.intc)
        self.neighbors = np.empty(2 * m, np.intc)
        self.tie = np.empty(2 * m)
        self.next = 0

    def attach(self, search):
        """Show the neighbour lists of every pass to this search."""
        search.attach(np.asarray(self.first), np.asarray(self.neighbors), np.asarray(self.degree), np.asarray(self.tie))

    def open(self, height, everything):
        """Select the pairs of a pass: all that are inside a cluster of this height; return how many are asked.

        Asked are all of them (``everything``), or those that no pass has seen.
        """
        c: cython.int
        i: cython.int
        e: cython.int
        for i in range(self.n):
            self.cluster_of[i] = -1
        for c in range(self.height.shape[0]):
            if self.height[c] == height:
                for i in range(self.start[c], self.stop[c]):
                    self.cluster_of[self.order[i]] = c
        self.n_inside = 0
        self.n_asked = 0
        for e in range(self.x.shape[0]):
            if self.alive[e]:
                c = self.cluster_of[self.x[e]]
                if c >= 0 and c == self.cluster_of[self.y[e]]:
                    self.inside[self.n_inside] = e
                    self.n_inside += 1
                    if everything or not self.seen[e]:
                        self.asked[self.n_asked] = e
                        self.n_asked += 1
        return self.n_asked

    def learn(self, searches, stage, first, limit, live, at_once, report, begun):
        """Go through the levels of PC from order ``first`` on for the selected pairs; return the tests of each order.

        The ``searches`` take turns at the pairs of a level, unless they are few or the level is live;
        ``at_once(function, tasks)`` calls the function for each task in threads; ``report(order, edges, done, tests)``,
        unless it is None, is called after each level, and with fewer edges done in the course of a long one.
        ``begun()``, unless it is None, fills in the answers to the first pairs of the first level, which are known from
        elsewhere, and returns how many they are.
        """
        order: cython.int = first
        begin: cython.int
        end: cython.int
        part: cython.int
        least: cython.int
        counts = []
        while order <= limit:
            self.list_neighbors()
            self.choose(order)
            if self.n_able == 0:
                break
            tests = 0
            if self.n_todo:
                self.make_room(order)
                hands = searches[:1] if live or self.n_todo < 2 * searches[0].grain else searches
                begin = begun() if begun is not None and order == first else 0
                # Who wants to be told gets a long level in parts of about half a second.
                least = 1 if len(hands) == 1 else searches[0].grain * len(hands)
                part = self.n_todo if report is None else max(least, 16)
                while begin < self.n_todo:
                    end = min(self.n_todo, begin + part)
                    began = perf_counter()
                    self.next = begin
                    if len(hands) == 1:
                        self.walk(hands[0], order, live, end)
                    else:
                        at_once(self.walk, [(search, order, live, end) for search in hands])
                    missing = -1
                    for search in hands:
                        missing = max(missing, search.missing_freedom)
                    if missing < 0:
                        begin = end
                        if begin < self.n_todo:
                            taken = max(perf_counter() - began, 0.001)
                            part = max(least, int(part * min(8.0, 0.5 / taken)))
                            report(order, self.n_todo, begin, int(np.abs(np.asarray(self.tests)[:begin]).sum()))
                        continue
                    begin = 0
                    for search in searches:
                        search.need_critical(missing)
                    self.list_neighbors()
                tests = self.settle(stage, order)
            counts.append(tests)
            if report is not None:
                report(order, self.n_todo, self.n_todo, tests)
            order += 1
        self.close(limit)
        return counts

    def list_neighbors(self):
        """Write the neighbour lists of the selected pairs that are alive, with the sizes of their ties."""
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
                self.tie[place] = self.strength[e]
                self.degree[v] += 1
                v = self.y[e]
                place = self.first[v] + self.degree[v]
                self.neighbors[place] = self.x[e]
                self.tie[place] = self.strength[e]
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

    def make_room(self, order):
        """Have room for the separating sets of all pairs to be asked."""
        need = self.used + cython.cast(cython.longlong, self.n_todo) * order
        if need > self.given.shape[0]:
            longer = np.zeros(2 * need, np.intc)
            longer[: self.used] = np.asarray(self.given)[: self.used]
            self.given = longer

    def walk(self, search, order, live, end):
        """Ask about run after run of the pairs to be asked, until those before ``end`` are taken.

        Several hands may walk at once: the next run goes to whoever is free, so that a slow hand holds nobody up. It
        is taken under Python's lock, and a pair's entries are touched by one hand only.
        """
        begin: cython.int
        search.enter(order, live)
        while self.next < end:
            begin = self.next
            self.next = begin + search.grain
            with cython.nogil:
                self.walk_run(search, order, begin, min(begin + search.grain, end))

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
