"""One node of a cluster tree, and how nodes are put together and taken apart without recursion.

A chain-like tree can be as deep as there are variables, beyond Python's limit on recursion. So comparing,
pickling and building go through a flat list of records in preorder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple


class Record(NamedTuple):
    """A cluster in a preorder list: how many children follow; variables may be empty unless it is a leaf."""

    n_children: int
    variables: tuple[int, ...]
    eigenvalues: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Cluster:
    """A set of variables, and the clusters it was divided into.

    Attributes
    ----------
    variables : tuple of int
        Ascending.
    children : tuple of Cluster
        Empty for a leaf; else at least two, a partition of ``variables``.
    eigenvalues : tuple of float
        What the separability rule saw here, ascending from the trivial 0; empty if it was not asked.
    """

    variables: tuple[int, ...]
    children: tuple[Cluster, ...] = ()
    eigenvalues: tuple[float, ...] = ()

    def preorder(self) -> Iterator[Cluster]:
        """Walk through this cluster and all below it: parents before children, first child first."""
        waiting = [self]
        while waiting:
            cluster = waiting.pop()
            yield cluster
            waiting.extend(reversed(cluster.children))

    def records(self) -> list[Record]:
        """Return the flat form that :func:`assemble` takes back."""
        return [
            Record(len(cluster.children), () if cluster.children else cluster.variables, cluster.eigenvalues)
            for cluster in self.preorder()
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cluster):
            return NotImplemented
        return self.variables == other.variables and self.records() == other.records()

    def __hash__(self) -> int:
        return hash((self.variables, len(self.children)))

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.variables[:4])) + (", ..." if len(self.variables) > 4 else "")
        return f"Cluster([{shown}], n_variables={len(self.variables)}, n_children={len(self.children)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Nested objects would be pickled by recursion.
        return assemble, (self.records(),)


def assemble(records: Sequence[Record]) -> Cluster:
    """Build a cluster from preorder records; inner variables left empty are the union of the children's."""
    built: list[Cluster] = []
    for n_children, variables, eigenvalues in reversed(records):
        children = tuple(built.pop() for _ in range(n_children))
        if children and not variables:
            variables = merged(child.variables for child in children)
        built.append(Cluster(variables, children, eigenvalues))
    (root,) = built
    return root


def merged(parts: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """All variables of the parts, ascending."""
    return tuple(sorted(chain.from_iterable(parts)))
