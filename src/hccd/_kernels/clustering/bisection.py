"""A whole tree of clusters in one call: components first, then halves by the second eigenvector.

Clusters come out in preorder. A cluster without any weight stays whole; one that is not connected is taken apart into
its components, which is no division; any other is cut in two where the 2-means of its second eigenvector are
(``line.py``). Children stand in the order of their smallest vertices.
"""

import cython
import numpy as np

if not cython.compiled:
    from .line import cut_line
    from .second_eigenvector import SecondEigenvector

NOT_A_NUMBER = cython.declare(cython.double, float("nan"))


class Bisection(SecondEigenvector):
    """The growth of a tree, and the tree itself as arrays.

    After :meth:`grow` cluster c of the preorder has ``n_children[c]`` children and ``n_members[c]`` vertices, and was
    divided at the eigenvalue ``eigenvalue[c]``, nan if there was nothing to be divided; ``order`` holds the vertices
    leaf by leaf.
    """

    def __init__(self, first, columns, weights):
        SecondEigenvector.__init__(self, first, columns, weights)
        n = len(first) - 1
        self.sorted = np.zeros(n, np.intc)
        self.waiting = np.zeros((n + 1, 4), np.intc)
        self.n_children = np.zeros(2 * n, np.intc)
        self.n_members = np.zeros(2 * n, np.intc)
        self.eigenvalue = np.full(2 * n, NOT_A_NUMBER)

    def grow(self, min_size, max_depth, min_fraction):
        """Divide down to ``min_size`` vertices, at most ``max_depth`` times on any path; return how many clusters."""
        start: cython.int
        size: cython.int
        depth: cython.int
        connected: cython.bint
        n_parts: cython.int
        count: cython.int = 0
        with cython.nogil:
            self.n_waiting = 0
            self.push(0, self.n, 0, False)
            while self.n_waiting > 0:
                self.n_waiting -= 1
                start = self.waiting[self.n_waiting, 0]
                size = self.waiting[self.n_waiting, 1]
                depth = self.waiting[self.n_waiting, 2]
                connected = self.waiting[self.n_waiting, 3] != 0
                n_parts = 1
                if size > min_size and depth < max_depth:
                    if not connected:
                        n_parts = self.find_components(start, size)
                        connected = n_parts == 1
                        if n_parts == size:
                            n_parts = 1
                    if connected:
                        self.eigenvalue[count] = self.find(start, size)
                        n_parts = self.cut(size, min_fraction)
                        depth += 1
                self.n_members[count] = size
                if n_parts > 1:
                    self.n_children[count] = n_parts
                    self.divide(start, size, n_parts, min_size if depth < max_depth else self.n)
                    self.push_parts(n_parts, depth, not connected)
                count += 1
        return count

    def cut(self, size, min_fraction):
        """Label the places of a cluster by the halves of its eigenvector, the first place 0; return how many."""
        i: cython.int
        below: cython.int
        first: cython.int
        below = cut_line(self.vector, size, min_fraction, self.sorted, self.moved)
        if below == 0:
            return 1
        for i in range(size):
            self.label[self.sorted[i]] = 0 if i < below else 1
        first = self.label[0]
        for i in range(size):
            self.label[i] ^= first
        return 2

    def push_parts(self, n_parts, depth, connected):
        """Let the parts of the cluster just divided wait, the first of them on top."""
        part: cython.int
        for part in range(n_parts - 1, -1, -1):
            self.push(self.part_start[part], self.part_start[part + 1] - self.part_start[part], depth, connected)

    def push(self, start, size, depth, connected):
        """Let a cluster wait."""
        self.waiting[self.n_waiting, 0] = start
        self.waiting[self.n_waiting, 1] = size
        self.waiting[self.n_waiting, 2] = depth
        self.waiting[self.n_waiting, 3] = connected
        self.n_waiting += 1

    def result(self, count):
        """Return the vertices leaf by leaf, and children, members and eigenvalue of the first ``count`` clusters."""
        return (
            np.asarray(self.order),
            np.asarray(self.n_children)[:count],
            np.asarray(self.n_members)[:count],
            np.asarray(self.eigenvalue)[:count],
        )
