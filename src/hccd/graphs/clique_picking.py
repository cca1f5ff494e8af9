"""How many orientations without colliders and cycles a connected chordal graph has, and draws among them.

Wienöbst, Bannach and Liskiewicz, "Polynomial-Time Algorithms for Counting and Sampling Markov Equivalent DAGs" (AAAI
2021; JMLR 2023). Every such orientation has maximal cliques that come first in some order of it. Each orientation is
counted at one of them: at the clique that is first in a rooted clique tree, which means that no separator on the way to
it from the root comes first in the order of its members. So the number is a sum over the maximal cliques of the orders
of their members that are allowed, times the numbers of what remains free, which is a product of smaller problems of the
same kind. All numbers are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import factorial, prod

import numpy as np

from hccd.graphs.chordal import Neighbours, components, induced, layers_after, rooted_cliques


@cache
def _allowed_orders(size: int, forbidden: tuple[int, ...]) -> int:
    """Return how many orders of ``size`` things begin with none of a chain of sets of these sizes."""
    return factorial(size) - sum(
        factorial(size - part) * _allowed_orders(part, forbidden[:i]) for i, part in enumerate(forbidden)
    )


@dataclass(frozen=True)
class _Choice:
    """A clique to come first: its members, what may not come first in it, what is free then, and how often."""

    members: tuple[int, ...]
    forbidden: tuple[frozenset[int], ...]
    free: tuple[frozenset[int], ...]
    weight: int


class ChordalOrientations:
    """The orientations without colliders and cycles of the connected parts of one chordal graph.

    Parameters
    ----------
    graph : mapping
        The neighbours of each vertex.

    Examples
    --------
    >>> square = {0: [1, 2, 3], 1: [0, 2], 2: [0, 1, 3], 3: [0, 2]}
    >>> ChordalOrientations(square).count(square)
    10
    """

    def __init__(self, graph: Neighbours) -> None:
        self._graph = graph
        self._choices: dict[frozenset[int], list[_Choice]] = {}
        self._counts: dict[frozenset[int], int] = {}

    def count(self, vertices: Sequence[int] | frozenset[int] | Neighbours) -> int:
        """Return the number of orientations of a connected part."""
        part = frozenset(vertices)
        if part not in self._counts:
            self._counts[part] = self._counted(part)
        return self._counts[part]

    def order(self, vertices: Sequence[int] | frozenset[int], rng: np.random.Generator) -> list[int]:
        """Draw an orientation of a connected part, each equally likely: edges run from earlier to later vertices."""
        part = frozenset(vertices)
        n = len(part)
        inside = self._inside(part)
        edges = sum(map(len, inside.values())) // 2
        if edges == n * (n - 1) // 2:
            whole: list[int] = rng.permutation(sorted(part)).tolist()
            return whole
        if edges == n - 1:
            # In a tree the root decides everything.
            root = sorted(part)[_below(n, rng)]
            return components(inside, [root, *sorted(part - {root}, reverse=True)][::-1])[0]
        self.count(part)
        choices = self._choices[part]
        ends = list(accumulate(choice.weight for choice in choices))
        drawn = _below(ends[-1], rng)
        choice = choices[next(i for i, end in enumerate(ends) if drawn < end)]
        order = self._first(choice, rng)
        for free in choice.free:
            order += self.order(free, rng)
        return order

    def _first(self, choice: _Choice, rng: np.random.Generator) -> list[int]:
        """Draw an order of the clique's members that is allowed; at least about every second is."""
        while True:
            order: list[int] = rng.permutation(choice.members).tolist()
            if not any(separator.issuperset(order[: len(separator)]) for separator in choice.forbidden):
                return order

    def _counted(self, part: frozenset[int]) -> int:
        n = len(part)
        inside = self._inside(part)
        edges = sum(map(len, inside.values())) // 2
        if edges == n * (n - 1) // 2:
            return factorial(n)
        if edges == n - 1:
            return n
        choices = []
        for clique in rooted_cliques(inside):
            free = tuple(
                frozenset(one) for layer in layers_after(inside, clique.members) for one in components(inside, layer)
            )
            orders = _allowed_orders(len(clique.members), tuple(map(len, clique.separators)))
            choices.append(_Choice(clique.members, clique.separators, free, orders * prod(map(self.count, free))))
        self._choices[part] = choices
        return sum(choice.weight for choice in choices)

    def _inside(self, part: frozenset[int]) -> dict[int, set[int]]:
        return induced(self._graph, sorted(part))


def _below(limit: int, rng: np.random.Generator) -> int:
    """Draw one of 0 .. limit-1, each equally likely, however large the limit is."""
    bits = (limit - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes((bits + 7) // 8), "little") & ((1 << bits) - 1)
        if drawn < limit:
            return drawn
