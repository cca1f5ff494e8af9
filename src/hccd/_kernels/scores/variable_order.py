"""An order of the variables, the best parents of each among those before it, and what a move would gain.

A variable is taken out and put back where the sum of all scores is highest. Only variables *near* each other matter for
that: those of which one was ever seen to gain as a parent of the other. Between two that are near it every place is the
same for a variable. So one with m others near it has m + 1 places, and all are compared by asking each of these for its
score with and without the variable before it.

Some parents may be musts (see grow_shrink.py): ``musts`` are the lists of these, and whether each is *fixed*. A
variable does not move before a fixed parent; between others that must be adjacent the order decides.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

if not cython.compiled:
    from .grow_shrink import GrowShrink
    from .tree_store import MOST_NODES


class VariableOrder:
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
        self.renewed = np.zeros(n, np.uint8)
        self.score = np.zeros(n)
        self.near = np.zeros(n + 1, np.intc)
        self.before = np.zeros(n + 1)
        self.after = np.zeros(n + 1)
        self.at_gap = np.zeros(n + 2)
        # Variables to be looked at, first come first served: a ring.
        self.waiting = np.zeros(n + 1, np.intc)
        self.waits = np.zeros(n, np.uint8)
        self.first_waiting = 0
        self.n_waiting = 0
        self.n_forgotten = 0
        self.narrow = False
        self.hasty = False
        self.lowest_moved = 0
        self.highest_moved = n - 1
        self.begin(np.asarray(sequence, np.intc))

    def begin(self, sequence):
        """Take this order; what the trees know stays."""
        i: cython.int
        for i in range(self.n):
            self.sequence[i] = sequence[i]
            self.trees.place[sequence[i]] = i
        self.settle()
        self.wait_all()
        return 0

    def wait_all(self):
        """Put everybody among those to be looked at."""
        i: cython.int
        for i in range(self.n):
            self.wait(i)
        return 0

    def record(self):
        """Return copies of all that the search goes on from."""
        ring = np.roll(self.waiting[: self.n], -self.first_waiting)
        return {
            "sequence": np.array(self.sequence),
            "node": np.array(self.node),
            "score": np.array(self.score),
            "waiting": ring[: self.n_waiting].copy(),
            **self.trees.record(),
            **self.families.record(),
        }

    def restore(self, kept):
        """Take over what ``record`` returned."""
        v: cython.int
        self.trees.restore(kept)
        self.families.restore(kept)
        self.sequence = kept["sequence"].copy()
        self.node = kept["node"].copy()
        self.score = kept["score"].copy()
        self.n_waiting = 0
        self.waits[:] = 0
        for v in range(self.n):
            self.trees.place[self.sequence[v]] = v
        for v in range(self.n):
            self.trees.noted(v, self.trees.place[v])
        self.trees.work = kept["tree_work"][0]
        for v in kept["waiting"]:
            self.wait(v)

    def compact(self):
        """Put side by side what is known of a variable; nothing else changes."""
        self.node = self.trees.compact()[np.asarray(self.node)]

    @cython.final
    def settle(self):
        """Find every variable's parents."""
        y: cython.int
        glance: cython.bint = self.trees.glance
        self.trees.glance = False
        for y in range(self.n):
            self.renew(y)
        self.trees.glance = glance
        return 0

    @cython.final
    def walked(self, y, limit):
        """Return the score of y if those before ``limit`` are available."""
        # The walk first: it may give the trees new arrays.
        node: cython.longlong = self.trees.walk(y, limit)
        return self.trees.shrunk[node]

    @cython.final
    def renew(self, y):
        """Find the parents of y."""
        self.node[y] = self.trees.noted(y, self.trees.place[y])
        self.score[y] = self.trees.shrunk[self.node[y]]
        self.renewed[y] = 1
        return 0

    def lead(self, y, members):
        """Let these be the parents of y wherever it may have them, if they score higher than those that it has.

        Growing by one parent at a time may have missed them. Return whether it had.
        """
        child: cython.int = y
        count: cython.int = len(members)
        self.families.begin(child, members, count)
        if self.families.value() - self.trees.price * count <= self.score[child] + 1e-6:
            return False
        self.trees.lead(child, members, count)
        self.renew(child)
        return True

    @property
    def work(self):
        """What the search has taken so far, in operations of about a nanosecond."""
        return self.trees.work + self.families.work

    def total(self):
        """Return the score of the order, less the price of the edges."""
        return self.sum_of_scores()

    @cython.final
    def sum_of_scores(self):
        """Return the sum of all scores."""
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

    @cython.final
    def wait_parents(self, node):
        """Put the parents that a node ends with among those to be looked at."""
        i: cython.longlong
        for i in range(self.trees.end_first[node], self.trees.end_first[node] + self.trees.end_count[node]):
            self.wait(self.trees.ends[i])

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
        alone: cython.double = 0.0
        glance: cython.bint
        own: cython.int = self.trees.place[v]
        if self.trees.n_nodes > MOST_NODES:
            self.trees.forget()
            self.settle()
            self.n_forgotten += 1
            self.lowest_moved = 0
            self.highest_moved = self.n - 1
        glance = self.trees.glance
        self.trees.glance = glance or self.hasty
        self.n_near = -1
        # Looking may show that others are near as well: then all is looked at again, which costs little.
        while self.n_near != self.trees.near_count[v]:
            self.list_near(v)
            here = 0
            total = 0.0
            self.sizes = abs(self.score[v])
            self.trees.work += 16 * self.n_near
            # Each one's score with v before it, and with v after it.
            for i in range(self.n_near):
                w = self.near[i]
                self.before[i] = self.after[i] = self.score[w]
                if self.trees.place[w] < own:
                    here = i + 1
                if self.trees.does_matter(w, v):
                    if self.trees.place[w] < own:
                        self.trees.place[v] = -1
                        self.before[i] = self.walked(w, self.trees.place[w])
                    else:
                        self.trees.place[v] = self.n
                        self.after[i] = self.walked(w, self.trees.place[w])
                    self.trees.place[v] = own
                total += self.before[i]
                self.sizes += abs(self.score[w])
            # From the first place to the last: v before all of them, then after the first, and so on.
            self.trees.until = -1
            for i in range(self.n_near + 1):
                limit = 0
                if i > 0:
                    total += self.after[i - 1] - self.before[i - 1]
                    limit = self.trees.place[self.near[i - 1]] + 1
                if limit > self.trees.until:
                    alone = self.walked(v, limit)
                self.at_gap[i] = total + alone
        self.trees.glance = glance
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
        self.lowest_moved = min(self.lowest_moved, own, to)
        self.highest_moved = max(self.highest_moved, own, to)
        self.follow(v)
        for i in range(min(here, gap), max(here, gap)):
            self.follow(self.near[i])
        return 0

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
        return 0
