"""Claimed colliders, one after the other: an arrow that would turn another one round or close a cycle is refused.

Arrows and claims are told by slots (see adjacency.py): ``into[s]`` says that the neighbour in slot s points to the
owner of the row.

The C types of everything here are in the file of the same name ending in ``.pxd``.
"""

import cython
import numpy as np

ACCEPTED = 0
CONTESTED = 1
REVERSED = 2
CYCLIC = 3


class Acceptance:
    """The arrows accepted so far, as lists of children and parents, and the search for a path among them."""

    def __init__(self, first, neighbors, mirror, into):
        n = len(first) - 1
        self.first = first
        self.neighbors = neighbors
        self.mirror = mirror
        self.into = into
        self.lists = np.zeros((2, max(len(neighbors), 1)), np.intc)
        self.length = np.zeros((2, max(n, 1)), np.intc)
        self.seen = np.full((2, max(n, 1)), -1, np.intc)
        self.waiting = np.zeros((2, max(n, 1)), np.intc)

    def assume(self, owner, slots):
        """Draw the arrows into these owners from the neighbours in ``slots``; they have no cycle."""
        i: cython.Py_ssize_t
        for i in range(slots.shape[0]):
            self.draw(owner[i], slots[i])

    def accept(self, owner, x_slot, y_slot, contested, refusal):
        """Take the claims x -> z <- y in the order given; z is the owner of both slots.

        An arrow marked as ``contested`` is left out; the other one of its claim is drawn nevertheless. Fills
        ``refusal`` with one of the codes above.
        """
        c: cython.Py_ssize_t
        take_x: cython.bint
        take_y: cython.bint
        a: cython.int
        b: cython.int
        for c in range(owner.shape[0]):
            a = x_slot[c]
            b = y_slot[c]
            take_x = not contested[a]
            take_y = not contested[b]
            refusal[c] = ACCEPTED if take_x and take_y else CONTESTED
            if (take_x and self.into[self.mirror[a]]) or (take_y and self.into[self.mirror[b]]):
                refusal[c] = REVERSED
                continue
            # What stands already has no path back.
            take_x = take_x and not self.into[a]
            take_y = take_y and not self.into[b]
            if not (take_x or take_y):
                continue
            if self.reaches(c, owner[c], self.neighbors[a] if take_x else -1, self.neighbors[b] if take_y else -1):
                refusal[c] = CYCLIC
                continue
            if take_x:
                self.draw(owner[c], a)
            if take_y:
                self.draw(owner[c], b)

    def draw(self, z, slot):
        """Accept the arrow into z from the neighbour in ``slot``."""
        x: cython.int = self.neighbors[slot]
        self.into[slot] = 1
        self.lists[0, self.first[x] + self.length[0, x]] = z
        self.lists[1, self.first[z] + self.length[1, z]] = x
        self.length[0, x] += 1
        self.length[1, z] += 1

    def reaches(self, stamp, z, x, y):
        """Whether a path leads from z to x or to y (-1: nobody).

        Two searches, down from z and up from x and y, go on in turns until they meet or one has nowhere to go: mostly
        one of the two sides is small, whatever the other is.
        """
        side: cython.int
        v: cython.int
        u: cython.int
        i: cython.longlong
        top_down: cython.int = 0
        top_up: cython.int = 0
        work_down: cython.longlong = 0
        work_up: cython.longlong = 0
        self.seen[0, z] = stamp
        self.waiting[0, 0] = z
        top_down = 1
        if x >= 0:
            self.seen[1, x] = stamp
            self.waiting[1, top_up] = x
            top_up += 1
        if y >= 0:
            self.seen[1, y] = stamp
            self.waiting[1, top_up] = y
            top_up += 1
        while top_down > 0 and top_up > 0:
            if work_down <= work_up:
                side = 0
                top_down -= 1
                v = self.waiting[0, top_down]
                work_down += 1 + self.length[0, v]
            else:
                side = 1
                top_up -= 1
                v = self.waiting[1, top_up]
                work_up += 1 + self.length[1, v]
            for i in range(self.first[v], self.first[v] + self.length[side, v]):
                u = self.lists[side, i]
                if self.seen[1 - side, u] == stamp:
                    return True
                if self.seen[side, u] != stamp:
                    self.seen[side, u] = stamp
                    if side == 0:
                        self.waiting[0, top_down] = u
                        top_down += 1
                    else:
                        self.waiting[1, top_up] = u
                        top_up += 1
        return False
