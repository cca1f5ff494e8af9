"""The sets that a collider rule still has to ask about, and the verdicts of all sets that separate.

For a separated pair x, y the sets lie among the neighbours of x or among those of y. A set is passed over if the
skeleton search has asked about it: it lies in the pair's earlier home, or the pass that removed the pair came to it
before the separating set (see ``hccd/orientation/untested.py``).

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs


class UntestedSets:
    """A walk over pairs, sides and sets of one size, which stops when a batch is full and goes on from there."""

    def __init__(self, first, neighbors, pair_x, pair_y, row, limit, start, given, association, by_strength, known):
        n = len(first) - 1
        self.first = first
        self.neighbors = neighbors
        self.pair_x = pair_x
        self.pair_y = pair_y
        self.row = row
        self.limit = limit
        self.start = start
        self.given = given
        self.association = association
        self.by_strength = by_strength
        self.position, self.home_start, self.home_stop, self.home_order, self.cluster_start, self.cluster_stop = known
        self.near_x = np.full(n, -1, np.intc)
        self.in_separator = np.full(n, -1, np.intc)
        self.key = np.zeros(n)

    def begin(self, order):
        """Start with sets of one size, from the first pair on."""
        self.order = order
        self.pair = -1
        self.side = 1
        self.fresh = True
        self.chosen = np.zeros(order, np.intc)
        self.ranked = np.zeros(order, np.intc)
        self.found = np.zeros(order, np.intc)

    def fill(self, pair, given):
        """Fill the rows of a batch with the next sets and the numbers of their pairs; return how many there are.

        Fewer than the batch has room for means that there are no more.
        """
        d: cython.int
        count: cython.Py_ssize_t = 0
        while count < pair.shape[0]:
            if not self.advance():
                return count
            if self.is_question():
                pair[count] = self.pair
                for d in range(self.order):
                    given[count, d] = self.neighbors[self.base + self.chosen[d]]
                count += 1
        return count

    def advance(self):
        """Go to the next set, in lexicographic order; to the next side or pair if there is none; False at the end."""
        d: cython.int
        e: cython.int
        if not self.fresh:
            d = self.order - 1
            while d >= 0 and self.chosen[d] == self.length - self.order + d:
                d -= 1
            if d >= 0:
                self.chosen[d] += 1
                for e in range(d + 1, self.order):
                    self.chosen[e] = self.chosen[e - 1] + 1
                return True
        while True:
            if self.side == 1:
                self.pair += 1
                while self.pair < self.pair_x.shape[0] and self.limit[self.pair] < self.order:
                    self.pair += 1
                if self.pair >= self.pair_x.shape[0]:
                    # Nothing is left, however often this is asked.
                    self.pair = self.pair_x.shape[0] - 1
                    self.fresh = True
                    return False
                self.load()
                self.side = 0
                self.base = self.first[self.pair_x[self.pair]]
                self.length = self.first[self.pair_x[self.pair] + 1] - self.base
            else:
                self.side = 1
                self.base = self.first[self.pair_y[self.pair]]
                self.length = self.first[self.pair_y[self.pair] + 1] - self.base
            if self.length >= self.order:
                for e in range(self.order):
                    self.chosen[e] = e
                self.fresh = False
                return True

    def load(self):
        """Mark the neighbours of x and the separating set of the pair at hand, and rank them as the search did."""
        i: cython.longlong
        d: cython.int
        p: cython.int = self.pair
        x: cython.int = self.pair_x[p]
        y: cython.int = self.pair_y[p]
        r: cython.longlong = self.row[p]
        self.separator_size = 0 if r < 0 else self.start[r + 1] - self.start[r]
        for i in range(self.first[x], self.first[x + 1]):
            self.near_x[self.neighbors[i]] = p
        if self.separator_size != self.order:
            return
        for i in range(self.first[x], self.first[x + 1]):
            self.weigh(x, y, self.neighbors[i])
        for i in range(self.first[y], self.first[y + 1]):
            self.weigh(x, y, self.neighbors[i])
        for d in range(self.order):
            self.found[d] = self.given[self.start[r] + d]
            self.in_separator[self.found[d]] = p
            self.weigh(x, y, self.found[d])
        self.sort_by_rank(self.found)

    def weigh(self, x, y, z):
        """Note by what z is ranked for the pair x, y: the weaker of its two strengths."""
        a: cython.double
        b: cython.double
        if self.by_strength:
            a = fabs(self.association[x, z])
            b = fabs(self.association[y, z])
            self.key[z] = a if a < b else b

    def is_question(self):
        """Whether the set at hand is neither a repetition nor the separating set, and has not been asked about."""
        d: cython.int
        z: cython.int
        place: cython.int
        low: cython.int
        high: cython.int
        repeated: cython.bint = self.side == 1
        separator: cython.bint = self.separator_size == self.order
        r: cython.longlong = self.row[self.pair]
        for d in range(self.order):
            z = self.neighbors[self.base + self.chosen[d]]
            self.ranked[d] = z
            if self.near_x[z] != self.pair:
                repeated = False
            if self.in_separator[z] != self.pair:
                separator = False
        if repeated or separator:
            return False
        if r < 0:
            return True
        low = high = self.position[self.ranked[0]]
        for d in range(1, self.order):
            place = self.position[self.ranked[d]]
            low = min(low, place)
            high = max(high, place)
        if self.order <= self.home_order[r] and self.home_start[r] <= low and high < self.home_stop[r]:
            return False
        if low < self.cluster_start[r] or high >= self.cluster_stop[r]:
            return True
        # The pass visits smaller sets first, and sets of one size in the order of their ranks.
        if self.order != self.separator_size:
            return self.order > self.separator_size
        self.sort_by_rank(self.ranked)
        for d in range(self.order):
            if self.ranked[d] != self.found[d]:
                return not self.before(self.ranked[d], self.found[d])
        return True

    def before(self, u, v):
        """Whether candidate u ranks before candidate v."""
        if self.by_strength and self.key[u] != self.key[v]:
            return self.key[u] > self.key[v]
        return u < v

    def sort_by_rank(self, members):
        """Sort a few variables by rank, by insertion."""
        d: cython.int
        e: cython.int
        z: cython.int
        for d in range(1, self.order):
            z = members[d]
            e = d
            while e > 0 and self.before(z, members[e - 1]):
                members[e] = members[e - 1]
                e -= 1
            members[e] = z


def count_votes(middle, pair, first, start, given, p_value, majority, collider, decisive):
    """Let the separating sets of each triple's pair decide: 1 a collider, 0 none, -1 ambiguous.

    The votes of a pair are ``first[pair] : first[pair + 1]``; the set of vote v is ``given[start[v] : start[v +
    1]]``. All must agree, or with ``majority`` more than half of them. ``decisive`` is the vote on the winning side,
    of all votes if there is no winner, with the highest p-value; the earliest among equals.
    """
    t: cython.Py_ssize_t
    v: cython.longlong
    i: cython.longlong
    z: cython.int
    inside: cython.longlong
    total: cython.longlong
    best: cython.double
    p: cython.double
    verdict: cython.int
    holds: cython.bint
    contains: cython.uchar[::1] = np.zeros(len(p_value), np.uint8)
    for t in range(middle.shape[0]):
        z = middle[t]
        inside = 0
        total = first[pair[t] + 1] - first[pair[t]]
        for v in range(first[pair[t]], first[pair[t] + 1]):
            holds = False
            for i in range(start[v], start[v + 1]):
                if given[i] == z:
                    holds = True
                    break
            contains[v] = holds
            inside += holds
        if majority:
            verdict = -1 if 2 * inside == total else 2 * inside < total
        else:
            verdict = -1 if 0 < inside < total else inside == 0
        collider[t] = verdict
        best = -2.0
        for v in range(first[pair[t]], first[pair[t] + 1]):
            if verdict < 0 or contains[v] != verdict:
                # A set without p-value comes after all that have one.
                p = p_value[v] if p_value[v] == p_value[v] else -1.0
                if p > best:
                    best = p
                    decisive[t] = v
