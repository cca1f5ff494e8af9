"""Search for an order of the variables in which each has its best parents among those before it.

* **improve**: variables are moved until no single move gains. Who is near a variable that moved is looked at again.
* **look ahead**: two parents are taken at once of which neither gains alone, as where their effects cancel out.
* **kick**: a variable and its parents, or its children, get places at random, good ones more often, and the search goes
  on from there; what does not end higher is undone. Places that are equally good lead to another graph of the same
  class, from where other moves may gain; others lead further away.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp

if not cython.compiled:
    from .variable_order import VariableOrder

# Less than this is rounding.
LEAST_GAIN = cython.declare(cython.double, 1e-6)
# The error of a sum of scores is at most about this share of them.
ROUNDING = cython.declare(cython.double, 1e-15)


class PermutationSearch(VariableOrder):
    """The search from an order; its chance is always the same."""

    def __init__(self, families, first, last, other, sequence, price, max_parents, musts=None):
        n = len(first)
        self.kept_sequence = np.zeros(n, np.intc)
        self.kept_node = np.zeros(n, np.int64)
        self.kept_score = np.zeros(n)
        self.kept_forgotten = 0
        self.is_kept = False
        self.kicked = np.zeros(n + 1, np.intc)
        self.random = 0x9E3779B97F4A7C15
        VariableOrder.__init__(self, families, first, last, other, sequence, price, max_parents, musts)

    def record(self):
        """Return copies of all that the search goes on from, chance included."""
        return {**VariableOrder.record(self), "random": np.array([self.random], np.uint64)}

    def restore(self, kept):
        """Take over what ``record`` returned."""
        VariableOrder.restore(self, kept)
        self.is_kept = False
        self.random = int(kept["random"][0])

    def compact(self):
        """Do it, and forget the order that was kept: its nodes have other numbers."""
        VariableOrder.compact(self)
        self.is_kept = False

    def keep(self):
        """Keep the order as it is, to come back to it."""
        i: cython.int
        for i in range(self.n):
            self.kept_sequence[i] = self.sequence[i]
            self.kept_node[i] = self.node[i]
            self.kept_score[i] = self.score[i]
            self.renewed[i] = 0
        self.kept_forgotten = self.n_forgotten
        self.is_kept = True
        self.lowest_moved = self.n
        self.highest_moved = -1

    def go_back(self):
        """Take the order that was kept; nobody waits."""
        i: cython.int
        v: cython.int
        for i in range(self.lowest_moved, self.highest_moved + 1):
            v = self.kept_sequence[i]
            self.sequence[i] = v
            self.trees.place[v] = i
        for i in range(self.lowest_moved, self.highest_moved + 1):
            v = self.sequence[i]
            if self.renewed[v]:
                self.renew(v)
                self.renewed[v] = 0
        self.lowest_moved = self.n
        self.highest_moved = -1
        # The numbers of nodes are others where trees have begun anew.
        if self.n_forgotten != self.kept_forgotten:
            self.settle()
            self.keep()
        return 0

    @cython.final
    def gained(self):
        """Return how much higher the sum of all scores is than it was kept: only who was moved over counts."""
        i: cython.int
        v: cython.int
        result: cython.double = 0.0
        for i in range(self.lowest_moved, self.highest_moved + 1):
            v = self.sequence[i]
            result += self.score[v] - self.kept_score[v]
        self.trees.work += self.highest_moved + 1 - self.lowest_moved if self.highest_moved >= 0 else 0
        return result

    def improve(self, most):
        """Look at up to ``most`` of those that wait, and move them to their best places; return how many still wait."""
        self.is_kept = False
        with cython.nogil:
            self.improve_some(most)
        return self.n_waiting

    @cython.final
    def improve_some(self, most):
        """Look at up to ``most`` of those that wait, and move them to their best places."""
        v: cython.int
        here: cython.int
        best: cython.int
        i: cython.int
        looked: cython.int = 0
        while self.n_waiting > 0 and looked < most:
            v = self.waiting[self.first_waiting]
            self.first_waiting = (self.first_waiting + 1) % self.n
            self.n_waiting -= 1
            self.waits[v] = 0
            looked += 1
            here = self.look(v)
            best = here
            for i in range(self.lowest, self.highest + 1):
                if self.at_gap[i] > self.at_gap[best]:
                    best = i
            if self.at_gap[best] > self.at_gap[here] + LEAST_GAIN + ROUNDING * self.sizes:
                self.relocate(v, here, best)
        return 0

    @cython.final
    def improve_all(self):
        """Move variables until nobody waits."""
        while self.n_waiting > 0:
            self.improve_some(self.n)
        return 0

    def look_ahead(self):
        """Give variables pairs of parents of which neither gains alone; return how many got one."""
        y: cython.int
        count: cython.int = 0
        self.is_kept = False
        with cython.nogil:
            for y in range(self.n):
                while self.trees.look_ahead(y, self.node[y], self.trees.place[y]):
                    self.renew(y)
                    self.wait_near(y)
                    count += 1
        return count

    def kick(self, first, last, warmth, along, least):
        """Disturb the neighbourhood of each of these variables in turn; return how often that ended higher.

        A variable and its parents, or its children (``along`` is 1 or 2), get places at random. Those whose parents
        change by that are looked at again, and their parents. If the sum of all scores is higher then by more than
        ``least``, all who are near are looked at, and the end is kept; else everything is undone.
        """
        v: cython.int
        gained: cython.int = 0
        with cython.nogil:
            # After a kick the order is kept as it is.
            if not self.is_kept:
                self.keep()
            for v in range(first, last):
                gained += self.kick_one(v, warmth, along, least)
        return gained

    @cython.final
    def kick_one(self, v, warmth, along, least):
        """Disturb the neighbourhood of v; the order is kept as it was. Return whether that ended higher."""
        i: cython.int
        count: cython.int = self.list_adjacent(v, along)
        self.narrow = True
        self.trees.glance = True
        for i in range(count):
            self.shift(self.kicked[i], warmth)
        self.improve_all()
        self.narrow = False
        self.trees.glance = False
        if self.gained() <= least:
            self.go_back()
            return False
        for i in range(self.n):
            if self.node[i] != self.kept_node[i]:
                self.renew(i)
                self.wait_near(i)
        self.improve_all()
        if self.gained() <= least:
            self.go_back()
            return False
        self.keep()
        return True

    @cython.final
    def list_adjacent(self, v, along):
        """List v and its parents (1) or children (2); return how many that are."""
        w: cython.int
        i: cython.int
        s: cython.longlong
        count: cython.int = 1
        self.kicked[0] = v
        if along == 1:
            for i in range(self.trees.end_count[self.node[v]]):
                self.kicked[count] = self.trees.ends[self.trees.end_first[self.node[v]] + i]
                count += 1
            return count
        s = self.trees.near_last[v]
        while s >= 0:
            w = self.trees.near_variable[s]
            for i in range(self.trees.end_count[self.node[w]]):
                if self.trees.ends[self.trees.end_first[self.node[w]] + i] == v:
                    self.kicked[count] = w
                    count += 1
            s = self.trees.near_next[s]
        return count

    @cython.final
    def shift(self, v, warmth):
        """Put a variable at a random place, better ones more often: exp(score / warmth)."""
        i: cython.int
        here: cython.int = self.look(v)
        chosen: cython.int = self.lowest
        best: cython.double = self.at_gap[here]
        left: cython.double = 0.0
        for i in range(self.lowest, self.highest + 1):
            best = max(best, self.at_gap[i])
        for i in range(self.lowest, self.highest + 1):
            self.at_gap[i] = exp((self.at_gap[i] - best) / warmth)
            left += self.at_gap[i]
        left *= self.draw(1 << 30) / 1073741824.0
        while chosen < self.highest and left >= self.at_gap[chosen]:
            left -= self.at_gap[chosen]
            chosen += 1
        if chosen != here:
            self.relocate(v, here, chosen)
        return 0

    @cython.final
    def draw(self, below):
        """Return a random whole number from 0 up to ``below`` (xorshift)."""
        self.random ^= (self.random << 13) & cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        self.random ^= self.random >> 7
        self.random ^= (self.random << 17) & cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        return cython.cast(cython.int, (self.random >> 33) % cython.cast(cython.ulonglong, below))
