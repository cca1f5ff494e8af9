"""Search for an order of the variables in which each has its best parents among those before it.

A variable is taken out and put back where the sum of all scores is highest. Only variables *near* each other matter for
that: those of which one was ever seen to gain as a parent of the other. Between two that are near it every place is the
same for a variable. So one with m others near it has m + 1 places, and all are compared by asking each of these for its
score with and without the variable before it.

* **improve**: variables are moved until no single move gains. Who is near a variable that moved is looked at again.
* **look ahead**: two parents are taken at once of which neither gains alone, as where their effects cancel out.
* **kick**: a variable and its parents, or its children, get places at random, good ones more often, and the search goes
  on from there; what does not end higher is undone. Places that are equally good lead to another graph of the same
  class, from where other moves may gain; others lead further away.

Some parents may be musts (see grow_shrink.py): ``musts`` are the lists of these, and whether each is *fixed*. A
variable does not move before a fixed parent; between others that must be adjacent the order decides.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp

if not cython.compiled:
    from .grow_shrink import MOST_NODES, GrowShrink

# Less than this is rounding.
LEAST_GAIN = cython.declare(cython.double, 1e-6)
# The error of a sum of scores is at most about this share of them.
ROUNDING = cython.declare(cython.double, 1e-15)


class PermutationSearch:
    """An order of the variables, and the best parents of each in it."""

    def __init__(self, families, first, last, other, sequence, price, max_parents, musts=None):
        n = len(first)
        self.n = n
        self.families = families
        must_first, must, fixed = musts or (np.zeros(n + 1, np.int64), np.zeros(0, np.intc), np.zeros(0, np.uint8))
        self.must_first = must_first
        self.must = must
        self.fixed = fixed
        self.trees = GrowShrink(families, first, last, other, price, max_parents, must_first, must)
        self.sequence = np.zeros(n, np.intc)
        self.node = np.zeros(n, np.int64)
        self.score = np.zeros(n)
        self.kept_sequence = np.zeros(n, np.intc)
        self.kept_node = np.zeros(n, np.int64)
        self.kept_score = np.zeros(n)
        self.near = np.zeros(n + 1, np.intc)
        self.kicked = np.zeros(n + 1, np.intc)
        self.before = np.zeros(n + 1)
        self.after = np.zeros(n + 1)
        self.at_gap = np.zeros(n + 2)
        # Variables to be looked at, first come first served: a ring.
        self.waiting = np.zeros(n + 1, np.intc)
        self.waits = np.zeros(n, np.uint8)
        self.first_waiting = 0
        self.n_waiting = 0
        self.random = 0x9E3779B97F4A7C15
        self.n_forgotten = 0
        self.narrow = False
        self.begin(np.asarray(sequence, np.intc))

    def begin(self, sequence):
        """Take this order; what the trees know stays."""
        i: cython.int
        for i in range(self.n):
            self.sequence[i] = sequence[i]
            self.trees.place[sequence[i]] = i
        self.settle()
        for i in range(self.n):
            self.wait(i)

    @cython.final
    def settle(self):
        """Find every variable's parents."""
        y: cython.int
        for y in range(self.n):
            self.renew(y)

    @cython.final
    def renew(self, y):
        """Find the parents of y."""
        self.node[y] = self.trees.walk(y, self.trees.place[y])
        self.score[y] = self.trees.shrunk[self.node[y]]

    @property
    def work(self):
        """What the search has taken so far, in operations of about a nanosecond."""
        return self.trees.work + self.families.work

    def total(self):
        """Return the score of the order, less the price of the edges."""
        y: cython.int
        result: cython.double = 0.0
        for y in range(self.n):
            result += self.score[y]
        return result

    def parents(self, y):
        """Return the parents of y, ascending."""
        i: cython.int = y
        begin: cython.longlong = self.trees.end_first[self.node[i]]
        return np.sort(self.trees.ends[begin : begin + self.trees.end_count[self.node[i]]])

    def keep(self):
        """Keep the order as it is, to come back to it."""
        self.kept_sequence[:] = self.sequence
        self.kept_node[:] = self.node
        self.kept_score[:] = self.score
        self.n_forgotten = 0

    def go_back(self):
        """Take the order that was kept; nobody waits."""
        i: cython.int
        for i in range(self.n):
            self.sequence[i] = self.kept_sequence[i]
            self.trees.place[self.sequence[i]] = i
            self.waits[i] = 0
        self.n_waiting = 0
        if self.n_forgotten:
            self.settle()
            return
        for i in range(self.n):
            self.node[i] = self.kept_node[i]
            self.score[i] = self.kept_score[i]

    @cython.final
    def wait(self, v):
        """Put v among those to be looked at."""
        if not self.waits[v]:
            self.waits[v] = 1
            self.waiting[(self.first_waiting + self.n_waiting) % self.n] = v
            self.n_waiting += 1

    @cython.final
    def wait_near(self, v):
        """Put those near v among those to be looked at."""
        s: cython.longlong = self.trees.near_last[v]
        self.wait(v)
        while s >= 0:
            self.wait(self.trees.near_variable[s])
            s = self.trees.near_next[s]

    def improve(self, most):
        """Look at up to ``most`` of those that wait, and move them to their best places; return how many still wait."""
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
        return self.n_waiting

    def look_ahead(self):
        """Give variables pairs of parents of which neither gains alone; return how many got one."""
        y: cython.int
        count: cython.int = 0
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
        i: cython.int
        count: cython.int
        gained: cython.int = 0
        best: cython.double = self.total()
        self.keep()
        for v in range(first, last):
            count = self.list_adjacent(v, along)
            self.narrow = True
            for i in range(count):
                self.shift(self.kicked[i], warmth)
            self.improve_all()
            self.narrow = False
            if self.total() <= best + least:
                self.go_back()
                continue
            for i in range(self.n):
                if self.node[i] != self.kept_node[i]:
                    self.wait_near(i)
            self.improve_all()
            self.keep()
            best = self.total()
            gained += 1
        return gained

    @cython.final
    def improve_all(self):
        """Move variables until nobody waits."""
        while self.n_waiting > 0:
            self.improve(self.n)

    @cython.final
    def list_adjacent(self, v, along):
        """List v and its parents (1) or children (2); return how many that are."""
        w: cython.int
        i: cython.int
        count: cython.int = 1
        self.kicked[0] = v
        if along == 1:
            for i in range(self.trees.end_count[self.node[v]]):
                self.kicked[count] = self.trees.ends[self.trees.end_first[self.node[v]] + i]
                count += 1
            return count
        self.trees.work += self.n
        for w in range(self.n):
            for i in range(self.trees.end_count[self.node[w]]):
                if self.trees.ends[self.trees.end_first[self.node[w]] + i] == v:
                    self.kicked[count] = w
                    count += 1
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

    @cython.final
    def draw(self, below):
        """Return a random whole number from 0 up to ``below`` (xorshift)."""
        self.random ^= (self.random << 13) & cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        self.random ^= self.random >> 7
        self.random ^= (self.random << 17) & cython.cast(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
        return cython.cast(cython.int, (self.random >> 33) % cython.cast(cython.ulonglong, below))

    @cython.final
    def list_near(self, v):
        """List those near v by place."""
        s: cython.longlong = self.trees.near_last[v]
        i: cython.int
        w: cython.int
        self.n_near = 0
        while s >= 0:
            w = self.trees.near_variable[s]
            i = self.n_near
            while i > 0 and self.trees.place[self.near[i - 1]] > self.trees.place[w]:
                self.near[i] = self.near[i - 1]
                i -= 1
            self.near[i] = w
            self.n_near += 1
            s = self.trees.near_next[s]
        # The next time there is little left to sort.
        s = self.trees.near_last[v]
        for i in range(self.n_near):
            self.trees.near_variable[s] = self.near[i]
            s = self.trees.near_next[s]

    @cython.final
    def look(self, v):
        """Compare all places of v: at_gap[i] is the score with v behind the first i of those near it.

        Return the place where it is now.
        """
        i: cython.int
        w: cython.int
        here: cython.int = 0
        limit: cython.int
        total: cython.double
        own: cython.int = self.trees.place[v]
        if self.trees.n_nodes > MOST_NODES:
            self.trees.forget()
            self.settle()
            self.n_forgotten += 1
        self.n_near = -1
        # Looking may show that others are near as well: then all is looked at again, which costs little.
        while self.n_near != self.trees.near_count[v]:
            self.list_near(v)
            here = 0
            total = 0.0
            self.sizes = abs(self.score[v])
            # Each one's score with v before it, and with v after it.
            for i in range(self.n_near):
                w = self.near[i]
                if self.trees.place[w] < own:
                    here = i + 1
                    self.after[i] = self.score[w]
                    self.trees.place[v] = -1
                    self.before[i] = self.trees.shrunk[self.trees.walk(w, self.trees.place[w])]
                else:
                    self.before[i] = self.score[w]
                    self.trees.place[v] = self.n
                    self.after[i] = self.trees.shrunk[self.trees.walk(w, self.trees.place[w])]
                self.trees.place[v] = own
                total += self.before[i]
                self.sizes += abs(self.score[w])
            # From the first place to the last: v before all of them, then after the first, and so on.
            for i in range(self.n_near + 1):
                limit = -1
                if i > 0:
                    total += self.after[i - 1] - self.before[i - 1]
                    limit = self.trees.place[self.near[i - 1]] + 1
                self.at_gap[i] = total + self.trees.shrunk[self.trees.walk(v, limit)]
        self.find_range(v)
        return here

    @cython.final
    def find_range(self, v):
        """Find the first and the last place of v that leave it between its fixed parents and its fixed children."""
        i: cython.int
        self.lowest = 0
        self.highest = self.n_near
        if self.fixed.shape[0] == 0:
            return
        for i in range(self.n_near):
            if self.is_fixed(self.near[i], v):
                self.lowest = i + 1
        for i in range(self.n_near - 1, -1, -1):
            if self.is_fixed(v, self.near[i]):
                self.highest = i

    @cython.final
    def is_fixed(self, x, y):
        """Whether x is a fixed parent of y."""
        s: cython.longlong
        for s in range(self.must_first[y], self.must_first[y + 1]):
            if self.must[s] == x:
                return self.fixed[s]
        return False

    @cython.final
    def relocate(self, v, here, gap):
        """Put v behind the first ``gap`` of those near it."""
        i: cython.int
        w: cython.int
        own: cython.int = self.trees.place[v]
        to: cython.int
        if gap > here:
            to = self.trees.place[self.near[gap - 1]]
            for i in range(own, to):
                w = self.sequence[i + 1]
                self.sequence[i] = w
                self.trees.place[w] = i
        else:
            to = self.trees.place[self.near[gap]]
            for i in range(own, to, -1):
                w = self.sequence[i - 1]
                self.sequence[i] = w
                self.trees.place[w] = i
        self.sequence[to] = v
        self.trees.place[v] = to
        self.follow(v)
        for i in range(min(here, gap), max(here, gap)):
            self.follow(self.near[i])

    @cython.final
    def follow(self, v):
        """Find the parents of v after a move; put those that may move now among those to be looked at."""
        node: cython.longlong = self.node[v]
        self.renew(v)
        if self.narrow:
            if self.node[v] != node:
                self.wait(v)
                self.wait_parents(node)
                self.wait_parents(self.node[v])
        else:
            self.wait_near(v)

    @cython.final
    def wait_parents(self, node):
        """Put the parents that a node ends with among those to be looked at."""
        i: cython.longlong
        for i in range(self.trees.end_first[node], self.trees.end_first[node] + self.trees.end_count[node]):
            self.wait(self.trees.ends[i])
