"""Meek's rules (1995): what must be directed once some edges are, if there is to be no cycle and no new collider.

``Orienter`` is the one place where edges become arrows. It propagates only from what changed, and remembers which
rule made each arrow. It decides nothing about evidence, and does not look for contradictions.

The rules, for a, b, c, d distinct ("-" undirected, "~" adjacent in any way, "!" not adjacent):

====  ==================================================  ======
R1    a -> b - c, a ! c                                    b -> c
R2    a -> b -> c, a - c                                   a -> c
R3    a - b, a - c, a - d, c -> b, d -> b, c ! d           a -> b
R4    a - b, a - d, a ~ c, d -> c -> b, b ! d              a -> b
====  ==================================================  ======
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from hccd.graphs.pdag import PDAG

Arrow = tuple[int, int]


class Orienter:
    """A skeleton whose edges are being directed; whatever is assumed is closed under R1-R4 at once."""

    def __init__(self, n: int, edges: Iterable[Iterable[int]]) -> None:
        self.n = n
        self.adjacent: list[set[int]] = [set() for _ in range(n)]
        for x, y in edges:
            self.adjacent[x].add(y)
            self.adjacent[y].add(x)
        self.undirected: list[set[int]] = [set(neighbors) for neighbors in self.adjacent]
        self.parents: list[set[int]] = [set() for _ in range(n)]
        self.children: list[set[int]] = [set() for _ in range(n)]
        #: Why each arrow is there: the caller's word for an assumption, or the rule that derived it.
        self.reasons: dict[Arrow, str] = {}

    def assume(self, arrows: Iterable[tuple[int, int, str]]) -> None:
        """Direct all ``arrows`` (from, to, reason), then all that follows from them.

        An edge that is directed already stays as it is. Consequences are drawn only once all the assumed arrows
        stand: before, an edge may look undirected that is not.
        """
        queue = list(arrows)
        n_assumed = len(queue)
        for a, b, why in queue[:n_assumed]:
            self._direct(a, b, why)
        for a, b, _ in queue[:n_assumed]:
            queue.extend(self._consequences(a, b))
        done = n_assumed
        while done < len(queue):
            a, b, why = queue[done]
            done += 1
            if self._direct(a, b, why):
                queue.extend(self._consequences(a, b))

    def _direct(self, a: int, b: int, why: str) -> bool:
        """Make a - b the arrow a -> b; say whether it was still undirected."""
        if b not in self.undirected[a]:
            return False
        self.reasons[a, b] = why
        self.undirected[a].discard(b)
        self.undirected[b].discard(a)
        self.children[a].add(b)
        self.parents[b].add(a)
        return True

    def _consequences(self, a: int, b: int) -> Iterator[tuple[int, int, str]]:
        """All arrows that the new arrow a -> b forces through one rule, with the name of the rule."""
        for name, rule in (
            ("R1", self._rule_1),
            ("R2", self._rule_2),
            ("R3", self._rule_3),
            ("R4", self._rule_4),
        ):
            for c, d in rule(a, b):
                yield c, d, name

    def _rule_1(self, a: int, b: int) -> Iterator[Arrow]:
        """a -> b - c with a, c not adjacent: b -> c, for otherwise b would be a new collider."""
        for c in self.undirected[b] - self.adjacent[a]:
            yield b, c

    def _rule_2(self, a: int, b: int) -> Iterator[Arrow]:
        """a -> b -> c with a - c: a -> c, for otherwise there would be a cycle; the new arrow is either one."""
        for c in self.children[b] & self.undirected[a]:
            yield a, c
        for z in self.parents[a] & self.undirected[b]:
            yield z, b

    def _rule_3(self, c: int, b: int) -> Iterator[Arrow]:
        """c -> b <- d, not adjacent, both undirected with a: a - b becomes a -> b."""
        for a in self.undirected[b] & self.undirected[c]:
            if any(d != c and d not in self.adjacent[c] for d in self.parents[b] & self.undirected[a]):
                yield a, b

    def _rule_4(self, p: int, q: int) -> Iterator[Arrow]:
        """d -> c -> b, b and d not adjacent, a - d, a ~ c: a - b becomes a -> b; the new arrow is either one."""
        for b in self.children[q] - self.adjacent[p]:
            for a in self.undirected[b] & self.undirected[p] & self.adjacent[q]:
                yield a, b
        for d in self.parents[p] - self.adjacent[q]:
            for a in self.undirected[q] & self.undirected[d] & self.adjacent[p]:
                yield a, q

    def to_pdag(self) -> PDAG:
        """Return the present state as a value."""
        directed = [(a, b) for a in range(self.n) for b in sorted(self.children[a])]
        undirected = [(a, b) for a in range(self.n) for b in sorted(self.undirected[a]) if a < b]
        return PDAG.from_edges(self.n, directed, undirected)


def meek_closure(pdag: PDAG) -> PDAG:
    """Return ``pdag`` with every edge directed that Meek's rules R1-R4 force.

    Examples
    --------
    >>> from hccd.graphs import PDAG, meek_closure
    >>> meek_closure(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])).directed_edges().tolist()
    [[0, 1], [1, 2]]
    """
    directed = pdag.directed_edges()
    orienter = Orienter(pdag.n, np.concatenate([directed, pdag.undirected_edges()]).tolist())
    orienter.assume([(a, b, "given") for a, b in directed.tolist()])
    return orienter.to_pdag()
