"""From a graph with some arrows to a DAG, sink by sink (Dor and Tarsi 1992), at the least price.

A variable without arrows out of it can be made a sink: all edges that are left at it become arrows into it. The price
is the number of colliders that this makes and that nobody asked for: pairs of its neighbours that are not adjacent,
not claimed to be a collider, and not both parents already. Price 0 is Dor and Tarsi's condition. The cheapest
variable goes first, among equals the one with the largest number. Edges are told by slots (see adjacency.py).

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np


class Extension:
    """The graph that is left, what every sink would cost, and a heap of those that can be one."""

    def __init__(self, first, neighbors, mirror, into):
        n = len(first) - 1
        self.n = n
        self.first = first
        self.neighbors = neighbors
        self.mirror = mirror
        self.into = into
        self.claim_first = np.zeros(len(neighbors) + 1, np.int64)
        self.claims = np.zeros(0, np.intc)
        self.gone = np.zeros(n, np.uint8)
        self.n_out = np.zeros(n, np.intc)
        self.price = np.zeros(n, np.int64)
        self.near = np.full(n, -1, np.intc)
        # Every variable once, and once more for every edge that goes at it.
        self.heap = np.zeros(n + len(neighbors), np.int64)
        self.size = 0

    def claim(self, x_slot, y_slot):
        """Let the triples with these slots around their middle be colliders that cost nothing."""
        c: cython.Py_ssize_t
        s: cython.Py_ssize_t
        cursor: cython.longlong[::1]
        self.claims = np.zeros(2 * len(x_slot), np.intc)
        for c in range(x_slot.shape[0]):
            self.claim_first[x_slot[c] + 1] += 1
            self.claim_first[y_slot[c] + 1] += 1
        for s in range(self.claim_first.shape[0] - 1):
            self.claim_first[s + 1] += self.claim_first[s]
        cursor = np.array(self.claim_first)
        for c in range(x_slot.shape[0]):
            self.claims[cursor[x_slot[c]]] = y_slot[c]
            self.claims[cursor[y_slot[c]]] = x_slot[c]
            cursor[x_slot[c]] += 1
            cursor[y_slot[c]] += 1

    def run(self, free_only, parent):
        """Take sinks until all are gone; ``parent[s]`` is set where the neighbour in slot s becomes a parent.

        With ``free_only`` a sink that costs something is not taken. Returns how many variables are left.
        """
        v: cython.int
        key: cython.longlong
        left: cython.int = self.n
        self.find_prices()
        for v in range(self.n):
            if self.n_out[v] == 0:
                self.push(v)
        while self.size > 0:
            key = self.pop()
            v = self.n - 1 - key % self.n
            if self.gone[v]:
                continue
            # Prices only fall while neighbours go, so an entry that is out of date has a newer one before it.
            if free_only and key >= self.n:
                break
            self.remove(v, parent)
            left -= 1
        return left

    def find_prices(self):
        """Count the triples around every variable that would have to be paid for, and its arrows out."""
        x: cython.int
        z: cython.int
        i: cython.longlong
        j: cython.longlong
        a: cython.int
        c: cython.longlong
        claimed: cython.int[::1] = np.full(self.neighbors.shape[0], -1, np.intc)
        for x in range(self.n):
            for i in range(self.first[x], self.first[x + 1]):
                self.near[self.neighbors[i]] = x
            for i in range(self.first[x], self.first[x + 1]):
                z = self.neighbors[i]
                a = self.mirror[i]
                if self.into[a]:
                    self.n_out[x] += 1
                for c in range(self.claim_first[a], self.claim_first[a + 1]):
                    claimed[self.claims[c]] = a
                for j in range(a + 1, self.first[z + 1]):
                    if self.near[self.neighbors[j]] != x and claimed[j] != a and not (self.into[a] and self.into[j]):
                        self.price[z] += 1

    def remove(self, w, parent):
        """Make w a sink and take it away; its neighbours become cheaper, or can be sinks at last."""
        i: cython.longlong
        j: cython.longlong
        c: cython.longlong
        v: cython.int
        u: cython.int
        a: cython.int
        self.gone[w] = 1
        for i in range(self.first[w], self.first[w + 1]):
            self.near[self.neighbors[i]] = w
        for i in range(self.first[w], self.first[w + 1]):
            v = self.neighbors[i]
            if self.gone[v]:
                continue
            parent[i] = 1
            # w has no arrow out of it, so no pair of v with w in it was free as two parents.
            for j in range(self.first[v], self.first[v + 1]):
                u = self.neighbors[j]
                if u != w and not self.gone[u] and self.near[u] != w:
                    self.price[v] -= 1
            a = self.mirror[i]
            for c in range(self.claim_first[a], self.claim_first[a + 1]):
                if not self.gone[self.neighbors[self.claims[c]]]:
                    self.price[v] += 1
            if self.into[i]:
                self.n_out[v] -= 1
            if self.n_out[v] == 0:
                self.push(v)

    def push(self, v):
        """Put v on the heap with its present price."""
        k: cython.Py_ssize_t = self.size
        up: cython.Py_ssize_t
        key: cython.longlong = self.price[v] * self.n + self.n - 1 - v
        self.size += 1
        while k > 0:
            up = (k - 1) // 2
            if self.heap[up] <= key:
                break
            self.heap[k] = self.heap[up]
            k = up
        self.heap[k] = key

    def pop(self):
        """Take the smallest entry from the heap."""
        top: cython.longlong = self.heap[0]
        k: cython.Py_ssize_t = 0
        child: cython.Py_ssize_t
        key: cython.longlong
        self.size -= 1
        key = self.heap[self.size]
        while True:
            child = 2 * k + 1
            if child >= self.size:
                break
            if child + 1 < self.size and self.heap[child + 1] < self.heap[child]:
                child += 1
            if self.heap[child] >= key:
                break
            self.heap[k] = self.heap[child]
            k = child
        self.heap[k] = key
        return top
