"""Meek's rules (1995), propagated from what changed until nothing more follows.

The rules are stated in ``hccd/graphs/meek.py``. Edges are told by slots (see adjacency.py): ``mark[s]`` says whether
the owner of the row has its edge to the neighbour in slot s undirected, as an arrow out, or as an arrow in.

Arrows are taken from a queue in the order in which they were found; what an arrow implies is found rule by rule, in
ascending order of the variables, and an edge gets the reason that was found first.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

UNDIRECTED = 0
OUT = 1
IN = 2


class MeekClosure:
    """The marks of a graph, a queue of arrows, and the rows of the two ends of the arrow at hand."""

    def __init__(self, first, neighbors, mirror, owner, mark, reason):
        n = len(first) - 1
        self.first = first
        self.neighbors = neighbors
        self.mirror = mirror
        self.mark = mark
        self.reason = reason
        self.owner = owner
        self.queue = np.zeros(len(neighbors), np.intc)
        self.queued = np.zeros(len(neighbors), np.uint8)
        self.size = 0
        self.of_a = np.full(n, -1, np.intc)
        self.of_b = np.full(n, -1, np.intc)

    def close(self, arrows, why):
        """Direct the ``arrows`` (slots, seen from the tail) for the reasons given, then all that follows from them.

        An edge that is directed already stays as it is. Consequences are drawn only once all the arrows stand: before,
        an edge may look undirected that is not.
        """
        i: cython.Py_ssize_t
        done: cython.Py_ssize_t = 0
        n_assumed: cython.Py_ssize_t
        for i in range(arrows.shape[0]):
            self.find(arrows[i], why[i])
        n_assumed = self.size
        for i in range(n_assumed):
            self.direct(self.queue[i])
        while done < self.size:
            if done >= n_assumed:
                self.direct(self.queue[done])
            self.follow(self.queue[done])
            done += 1

    def find(self, slot, why):
        """Put the undirected edge of ``slot`` on the queue as an arrow out, unless it is there in either direction."""
        if self.mark[slot] == UNDIRECTED and not self.queued[slot]:
            self.queued[slot] = 1
            self.queued[self.mirror[slot]] = 1
            self.reason[slot] = why
            self.queue[self.size] = slot
            self.size += 1

    def direct(self, slot):
        """Make the edge of ``slot`` an arrow out."""
        self.mark[slot] = OUT
        self.mark[self.mirror[slot]] = IN

    def follow(self, slot):
        """Find all arrows that the arrow of ``slot`` forces through one rule."""
        a: cython.int = self.owner[slot]
        b: cython.int = self.neighbors[slot]
        s: cython.longlong
        for s in range(self.first[a], self.first[a + 1]):
            self.of_a[self.neighbors[s]] = s
        for s in range(self.first[b], self.first[b + 1]):
            self.of_b[self.neighbors[s]] = s
        self.rule_1(a, b)
        self.rule_2(a, b)
        self.rule_3(a, b)
        self.rule_4(a, b)
        for s in range(self.first[a], self.first[a + 1]):
            self.of_a[self.neighbors[s]] = -1
        for s in range(self.first[b], self.first[b + 1]):
            self.of_b[self.neighbors[s]] = -1

    def rule_1(self, a, b):
        """a -> b - c with a, c not adjacent: b -> c, for otherwise b would be a new collider."""
        s: cython.longlong
        for s in range(self.first[b], self.first[b + 1]):
            if self.mark[s] == UNDIRECTED and self.of_a[self.neighbors[s]] < 0:
                self.find(s, 1)

    def rule_2(self, a, b):
        """a -> b -> c with a - c: a -> c, for otherwise there would be a cycle; the new arrow is either one."""
        s: cython.longlong
        t: cython.int
        for s in range(self.first[b], self.first[b + 1]):
            if self.mark[s] == OUT:
                t = self.of_a[self.neighbors[s]]
                if t >= 0 and self.mark[t] == UNDIRECTED:
                    self.find(t, 2)
        for s in range(self.first[a], self.first[a + 1]):
            if self.mark[s] == IN:
                t = self.of_b[self.neighbors[s]]
                if t >= 0 and self.mark[t] == UNDIRECTED:
                    self.find(self.mirror[t], 2)

    def rule_3(self, c, b):
        """c -> b <- d, not adjacent, both undirected with a: a - b becomes a -> b. The row of c is in ``of_a``."""
        s: cython.longlong
        r: cython.longlong
        t: cython.int
        a: cython.int
        d: cython.int
        for s in range(self.first[b], self.first[b + 1]):
            a = self.neighbors[s]
            t = self.of_a[a]
            if self.mark[s] != UNDIRECTED or t < 0 or self.mark[t] != UNDIRECTED:
                continue
            for r in range(self.first[a], self.first[a + 1]):
                d = self.neighbors[r]
                t = self.of_b[d]
                if self.mark[r] == UNDIRECTED and t >= 0 and self.mark[t] == IN and d != c and self.of_a[d] < 0:
                    self.find(self.mirror[s], 3)
                    break

    def rule_4(self, p, q):
        """d -> c -> b, b and d not adjacent, a - d, a ~ c: a - b becomes a -> b; the new arrow p -> q is either one."""
        s: cython.longlong
        r: cython.longlong
        t: cython.int
        v: cython.int
        a: cython.int
        for s in range(self.first[q], self.first[q + 1]):
            v = self.neighbors[s]
            if self.mark[s] == OUT and self.of_a[v] < 0:
                for r in range(self.first[v], self.first[v + 1]):
                    a = self.neighbors[r]
                    t = self.of_a[a]
                    if self.mark[r] == UNDIRECTED and t >= 0 and self.mark[t] == UNDIRECTED and self.of_b[a] >= 0:
                        self.find(self.mirror[r], 4)
        for s in range(self.first[p], self.first[p + 1]):
            v = self.neighbors[s]
            if self.mark[s] == IN and self.of_b[v] < 0:
                for r in range(self.first[v], self.first[v + 1]):
                    a = self.neighbors[r]
                    t = self.of_b[a]
                    if self.mark[r] == UNDIRECTED and t >= 0 and self.mark[t] == UNDIRECTED and self.of_a[a] >= 0:
                        self.find(self.mirror[t], 4)
