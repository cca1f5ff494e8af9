"""The candidates of one edge: neighbours of either end, ranked as far as somebody looks.

For an edge (x, y) the neighbours of x and those of y are merged and ranked together (strongest first, then smallest
number), so that the result does not know which end is which.

Ranking is lazy, because the first few candidates settle most edges. Common neighbours of both ends are looked at first:
a candidate's rank is its weaker strength, and ``outer`` bounds the strength of a variable with anything that is not its
neighbour, so a common neighbour above both bounds comes before all others, and these need not even be gathered. What is
left is put in order by insertion if it is little, and made a heap if it is much.

Which sets are made of the candidates is left to the walk (``level.py``); it is told which candidates lie outside the
home of the edge (``home_start <= position < home_stop``).

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

# How many ranks are found by looking through the common neighbours before the whole pool is made a heap.
BY_LOOKING = cython.declare(cython.int, 4)
# How many candidates are sorted at once rather than made a heap.
BY_INSERTION = cython.declare(cython.int, 16)


class Candidates:
    """A graph as neighbour lists, and the ranked pool of one of its edges.

    ``association`` is a symmetric matrix whose sizes are the strengths; ``outer[v]`` bounds the strength of v with any
    variable that is not its neighbour (infinity: nothing is known). Without ``by_strength`` numbers alone decide.
    """

    def __init__(self, association, outer, by_strength, position):
        n = len(position)
        self.by_strength = by_strength
        self.association = association
        self.outer = outer
        self.position = position
        self.pool = np.zeros(2 * n, np.intc)
        self.side = np.zeros(2 * n, np.intc)
        self.key = np.zeros(2 * n)
        self.mark = np.full(n, -1, np.int64)
        self.met = np.zeros(n, np.int64)
        self.turn = 0
        self.of_x = np.zeros(2 * n + 1, np.intc)
        self.of_y = np.zeros(2 * n + 1, np.intc)
        self.away = np.zeros(2 * n + 1, np.intc)

    def attach(self, first, neighbors, degree, strength):
        """Look at the graph of these neighbour lists from now on, whatever the caller writes into them.

        ``strength`` has that of every neighbour beside the neighbour: rows of the matrix are far apart.
        """
        self.first = first
        self.neighbors = neighbors
        self.degree = degree
        self.strength = strength

    def restart(self, live):
        """Begin on the graph as it is; with ``live`` an edge that falls is taken from the lists at once."""
        self.live = live
        self.marked = -1
        self.mark[:] = -1

    @cython.final
    def meet(self, x, y, home_start, home_stop):
        """Begin the pool of an edge with the common neighbours of both ends, and count the others."""
        i: cython.longlong
        z: cython.int
        a: cython.double
        self.x = x
        self.y = y
        self.home_start = home_start
        self.home_stop = home_stop
        # Edges come sorted by their first end, so its neighbours are marked once for many edges.
        if self.marked != self.x or self.live:
            self.mark_neighbors()
        self.turn += 1
        self.common = 0
        for i in range(self.first[self.y], self.first[self.y] + self.degree[self.y]):
            z = self.neighbors[i]
            if self.mark[z] >= 0:
                self.pool[self.common] = z
                self.side[self.common] = 3
                self.met[z] = self.turn
                if self.by_strength:
                    a = self.strength[self.mark[z]]
                    # The weaker of the two strengths: a separator must touch both ends.
                    self.key[self.common] = a if a < self.strength[i] else self.strength[i]
                self.common += 1
        self.total_x = self.degree[self.x] - 1
        self.total_y = self.degree[self.y] - 1
        self.size = self.total_x + self.total_y - self.common
        self.ranked = 0
        self.whole = False
        if self.home_stop <= self.home_start:
            self.total_away = self.size
        else:
            self.count_away()

    @cython.final
    def mark_neighbors(self):
        """Mark the neighbours of x by their places in its list."""
        i: cython.longlong
        if self.marked >= 0:
            # In a live level the list may have lost its last entries since; they are cleared all the same.
            for i in range(self.first[self.marked], self.first[self.marked] + self.marked_degree):
                self.mark[self.neighbors[i]] = -1
        self.marked = self.x
        self.marked_degree = self.degree[self.x]
        for i in range(self.first[self.x], self.first[self.x] + self.degree[self.x]):
            self.mark[self.neighbors[i]] = i

    @cython.final
    def count_away(self):
        """Count the candidates outside the home of the edge."""
        i: cython.longlong
        z: cython.int
        self.total_away = 0
        for i in range(self.first[self.x], self.first[self.x] + self.degree[self.x]):
            z = self.neighbors[i]
            if z != self.y:
                self.total_away += self.is_away(z)
        for i in range(self.first[self.y], self.first[self.y] + self.degree[self.y]):
            z = self.neighbors[i]
            if z != self.x and self.mark[z] < 0:
                self.total_away += self.is_away(z)

    @cython.final
    def is_away(self, z):
        """Whether z lies outside the home of the edge."""
        return self.position[z] < self.home_start or self.position[z] >= self.home_stop

    @cython.final
    def fill(self):
        """Add the neighbours of one end only, and put what is not ranked yet in order: few at once, many as a heap."""
        i: cython.longlong
        k: cython.int
        z: cython.int
        a: cython.double
        count: cython.int = self.common
        self.whole = True
        for i in range(self.first[self.x], self.first[self.x] + self.degree[self.x]):
            z = self.neighbors[i]
            if z != self.y and self.met[z] != self.turn:
                self.pool[count] = z
                self.side[count] = 1
                if self.by_strength:
                    a = abs(self.association[self.y, z])
                    self.key[count] = a if a < self.strength[i] else self.strength[i]
                count += 1
        for i in range(self.first[self.y], self.first[self.y] + self.degree[self.y]):
            z = self.neighbors[i]
            if z != self.x and self.mark[z] < 0:
                self.pool[count] = z
                self.side[count] = 2
                if self.by_strength:
                    a = abs(self.association[self.x, z])
                    self.key[count] = a if a < self.strength[i] else self.strength[i]
                count += 1
        if not self.by_strength:
            for k in range(self.ranked, count):
                self.key[k] = 0.0
        self.in_order = count - self.ranked <= BY_INSERTION
        if self.in_order:
            for k in range(self.ranked + 1, count):
                self.insert(k)
        else:
            count -= self.ranked
            for k in range(count // 2 - 1, -1, -1):
                self.sift(k, count)

    @cython.final
    def insert(self, k):
        """Move candidate k to its place among those not ranked yet that stand before it, which are in order."""
        z: cython.int = self.pool[k]
        s: cython.int = self.side[k]
        key: cython.double = self.key[k]
        while k > self.ranked and (self.key[k - 1] < key or (self.key[k - 1] == key and self.pool[k - 1] > z)):
            self.pool[k] = self.pool[k - 1]
            self.side[k] = self.side[k - 1]
            self.key[k] = self.key[k - 1]
            k -= 1
        self.pool[k] = z
        self.side[k] = s
        self.key[k] = key

    @cython.final
    def before(self, i, j):
        """Whether candidate i ranks before candidate j."""
        if self.key[i] != self.key[j]:
            return self.key[i] > self.key[j]
        return self.pool[i] < self.pool[j]

    @cython.final
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

    @cython.final
    def sift(self, root, count):
        """Restore the heap below ``root``. It lies backwards at the end of the pool: node k at size - 1 - k."""
        top: cython.int = self.size - 1
        child: cython.int
        z: cython.int = self.pool[top - root]
        s: cython.int = self.side[top - root]
        key: cython.double = self.key[top - root]
        while True:
            child = 2 * root + 1
            if child >= count:
                break
            if child + 1 < count and self.before(top - child - 1, top - child):
                child += 1
            if self.key[top - child] < key or (self.key[top - child] == key and self.pool[top - child] > z):
                break
            self.pool[top - root] = self.pool[top - child]
            self.side[top - root] = self.side[top - child]
            self.key[top - root] = self.key[top - child]
            root = child
        self.pool[top - root] = z
        self.side[top - root] = s
        self.key[top - root] = key

    @cython.final
    def rank_up_to(self, i):
        """Move the best candidates to the ranked front until rank i is there."""
        r: cython.int
        while self.ranked <= i:
            r = self.ranked
            if not self.whole and not self.find_best():
                self.fill()
            if self.whole and not self.in_order:
                # The heap's best is at the very end; its last node is at rank r, just behind the front.
                self.swap(r, self.size - 1)
                self.sift(0, self.size - r - 1)
            self.ranked += 1
            self.of_x[r + 1] = self.of_x[r] + (self.side[r] & 1)
            self.of_y[r + 1] = self.of_y[r] + (self.side[r] >> 1)
            self.away[r + 1] = self.away[r] + self.is_away(self.pool[r])

    @cython.final
    def find_best(self):
        """Move the best common neighbour to the front, if it is certain to come before all other candidates."""
        k: cython.int
        best: cython.int = self.ranked
        bound: cython.double
        # In a live level the bounds would have to follow every edge that falls.
        if not self.by_strength or self.live or best >= self.common or best >= BY_LOOKING:
            return False
        for k in range(best + 1, self.common):
            if self.before(k, best):
                best = k
        bound = self.outer[self.x]
        if self.outer[self.y] > bound:
            bound = self.outer[self.y]
        if self.key[best] <= bound:
            return False
        self.swap(self.ranked, best)
        return True

    @cython.final
    def forget(self, v, gone):
        """Take ``gone`` from the neighbours of ``v``; their order does not matter, the pool is ranked anyway."""
        i: cython.longlong = self.first[v]
        stop: cython.longlong = i + self.degree[v] - 1
        while self.neighbors[i] != gone:
            i += 1
        # Exchanged rather than overwritten: marks are taken back along the list as it was.
        self.neighbors[i] = self.neighbors[stop]
        self.neighbors[stop] = gone
        self.strength[i] = self.strength[stop]
        self.degree[v] -= 1
