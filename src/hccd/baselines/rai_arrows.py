"""Arrowheads on a graph that still has edges too many: what RAI orients by while it learns.

Below its last order RAI orients a graph with edges that a larger set would remove, and the rules of a CPDAG are not
sound there: an arrow x -> y on such an edge may say that x is an ancestor of y, which it is not. So two relations are
kept apart, as FCI does:

* ``head[x, y]``: an arrowhead at y of the edge x - y: y is no ancestor of x.
* ``before[x, y]``: x is an ancestor of y.

A triple x - z - y whose ends a set separates that z is not in is a collider if z depends on both ends given that set
(Colombo and others 2012, lemma 3.1), which the caller has to make sure of. If z is in the set, and no part of the set
separates, z is an ancestor of x or of y: with an arrowhead at z, of the other end (rule 1). An arrowhead also follows
along a directed path (rule 2). With perfect tests every mark is true of the graph behind the data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray


class Arrows:
    """The marks on the edges of ``adjacent``, a symmetric matrix that loses edges as the caller removes them.

    ``apart`` has the pairs that are independent without condition: any neighbour of both ends is a collider.

    ``possible[y, z]`` says that z may be a parent of y. It is not once an arrowhead stands at z and none at y, and
    never again: so every part of a set of possible parents was one when sets were smaller. An edge that gets arrowheads
    at both ends at once has no direction: with perfect tests it will fall, and else one of the arrowheads is wrong.
    """

    def __init__(self, adjacent: NDArray[np.bool_], apart: NDArray[np.bool_]) -> None:
        self.adjacent = adjacent
        self.head = np.zeros_like(adjacent)
        self.before = np.zeros_like(adjacent)
        #: Members of separating sets: by member and one end, the other ends.
        self._between: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._new: list[tuple[int, int]] = []
        for z in range(len(adjacent)):
            near = np.flatnonzero(adjacent[z])
            self.head[near[apart[np.ix_(near, near)].any(axis=1)], z] = True
        self.possible = np.ones_like(adjacent)
        self.close()

    def collide(self, x: int, z: int) -> None:
        """Put an arrowhead at z, unless z is known to be an ancestor of x: tests on data contradict each other."""
        if not self.head[x, z] and not self.before[z, x]:
            self.head[x, z] = True
            self._new.append((x, z))

    def separate(self, x: int, y: int, given: Collection[int]) -> None:
        """Take note of a set that separates x and y, no part of which does."""
        for z in given:
            self._between[z, x].append(y)
            self._between[z, y].append(x)
            if self.adjacent[x, z] and self.adjacent[z, y]:
                self._rule_1(x, z, y)
                self._rule_1(y, z, x)

    def close(self) -> None:
        """Follow the rules from all that is new."""
        while self._new:
            x, y = self._new.pop()
            if not self.adjacent[x, y]:
                continue
            for z in self._between.get((y, x), ()):
                if self.adjacent[y, z]:
                    self._rule_1(x, y, z)
            both = self.adjacent[x] & self.adjacent[y]
            # Rule 2: w before x with an arrowhead at y, or an arrowhead at y of x - y and y before z.
            for w in np.flatnonzero(both & self.before[:, x]).tolist():
                self.collide(w, y)
            for z in np.flatnonzero(both & self.before[y]).tolist():
                self.collide(x, z)
            if self.before[x, y]:
                for z in np.flatnonzero(both & self.head[y]).tolist():
                    self.collide(x, z)
                for w in np.flatnonzero(both & self.head[:, x]).tolist():
                    self.collide(w, y)
                for z in np.flatnonzero(both & self.before[y]).tolist():
                    self._precede(x, z)
                for w in np.flatnonzero(both & self.before[:, x]).tolist():
                    self._precede(w, y)
        self.possible &= self.adjacent & ~(self.head & ~self.head.T)

    def _rule_1(self, x: int, z: int, y: int) -> None:
        """With an arrowhead at z of x - z, z in the set that separates x and y is an ancestor of y."""
        if self.head[x, z]:
            self._precede(z, y)

    def _precede(self, x: int, y: int) -> None:
        """Make x an ancestor of y, unless an arrowhead says that it is not."""
        if not self.before[x, y] and not self.head[y, x] and not self.before[y, x]:
            self.before[x, y] = self.head[x, y] = True
            self._new.append((x, y))
