"""A weighted graph that falls apart: clusters of its vertices, each with the weights inside it.

Positions 0 .. n - 1 hold the vertices; a cluster is an interval of positions, in which vertices ascend. Every weight
is stored once, with the first of its two vertices: the one at position p has ``length[p]`` later neighbours, stored
from ``first[p]`` on, by their places within the cluster (position less the cluster's start). Dividing a cluster
reorders its positions and drops the weights between its parts, for good: nothing is copied, and nothing grows.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class ClusterGraph:
    """The graph in which vertex v is tied to the later vertices ``columns[first[v] : first[v + 1]]``, ascending.

    Weights are positive. ``columns`` and ``weights`` are consumed.
    """

    def __init__(self, first, columns, weights):
        n = len(first) - 1
        self.n = n
        self.first = first[:n].copy()
        self.length = np.diff(first).astype(np.intc)
        self.columns = columns
        self.weights = weights
        self.order = np.arange(n, dtype=np.intc)
        self.label = np.zeros(n, np.intc)
        self.place = np.zeros(n, np.intc)
        self.moved = np.zeros(n, np.intc)
        self.moved_first = np.zeros(n, np.int64)
        self.part_start = np.zeros(n + 1, np.intc)

    def find_components(self, start, size):
        """Label the places of a cluster by connected component, numbered by their first places; return how many.

        Places point to earlier ones of their component (in ``label``), the first place of each to itself.
        """
        i: cython.int
        a: cython.int
        b: cython.int
        k: cython.longlong
        count: cython.int = size
        for i in range(size):
            self.label[i] = i
        for i in range(size):
            for k in range(self.first[start + i], self.first[start + i] + self.length[start + i]):
                a = self.first_place(i)
                b = self.first_place(self.columns[k])
                if a != b:
                    self.label[a if a > b else b] = a if a < b else b
                    count -= 1
                    if count == 1:
                        return 1
        count = 0
        for i in range(size):
            # What a place points to is earlier, so it has its number already.
            if self.label[i] == i:
                self.label[i] = count
                count += 1
            else:
                self.label[i] = self.label[self.label[i]]
        return count

    def first_place(self, i):
        """Follow the pointers of ``find_components`` to the first place of a component, and shorten the way."""
        while self.label[i] != i:
            self.label[i] = self.label[self.label[i]]
            i = self.label[i]
        return i

    def divide(self, start, size, count, ignored):
        """Make parts of a cluster, one for each label 0 .. count - 1, and let them take its interval in that order.

        ``part_start`` receives where they start and where the last one ends. Parts of at most ``ignored`` vertices
        will not be looked at again: their weights are left as they are.
        """
        i: cython.int
        part: cython.int
        for part in range(count + 1):
            self.part_start[part] = 0
        for i in range(size):
            self.place[i] = self.part_start[self.label[i] + 1]
            self.part_start[self.label[i] + 1] += 1
        self.part_start[0] = start
        for part in range(count):
            self.part_start[part + 1] += self.part_start[part]
        for i in range(size):
            part = self.label[i]
            if self.part_start[part + 1] - self.part_start[part] > ignored:
                self.drop_others(start + i, part)
        for i in range(size):
            self.moved[self.part_start[self.label[i]] + self.place[i] - start] = i
        self.move(start, size)

    def drop_others(self, position, part):
        """Keep the neighbours in the same part, by their places there; places ascend as they did in the whole."""
        k: cython.longlong
        into: cython.longlong = self.first[position]
        j: cython.int
        for k in range(self.first[position], self.first[position] + self.length[position]):
            j = self.columns[k]
            if self.label[j] == part:
                self.columns[into] = self.place[j]
                self.weights[into] = self.weights[k]
                into += 1
        self.length[position] = into - self.first[position]

    def move(self, start, size):
        """Let position start + i take what stood at start + moved[i]."""
        i: cython.int
        for i in range(size):
            self.moved_first[i] = self.first[start + self.moved[i]]
        for i in range(size):
            self.first[start + i] = self.moved_first[i]
        for i in range(size):
            self.place[i] = self.length[start + self.moved[i]]
        for i in range(size):
            self.length[start + i] = self.place[i]
        for i in range(size):
            self.place[i] = self.order[start + self.moved[i]]
        for i in range(size):
            self.order[start + i] = self.place[i]
