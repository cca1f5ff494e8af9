"""What the files of graphs hold: names, and edges of up to six types.

A `PDAG` knows directed and undirected edges. Files know the other edges of ancestral graphs as well
(`hccd.graphs.marks`), and every reader and writer here passes them on; whether they can be used is decided once, in
`MixedGraph.named`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hccd.errors import InvalidGraphError
from hccd.graphs.formats.named import NamedGraph, check_names
from hccd.graphs.marks import EdgeType, Mark, TypedEdge, edge_between
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG

#: Numbers of edges by their names.
EdgeNumbers = Mapping[tuple[int, int], Mapping[str, float]]
_OTHER_WAY = {"forward": "backward", "backward": "forward"}


def numbers_from(numbers: EdgeNumbers, source: int, target: int) -> dict[str, float]:
    """Return the numbers of an edge, whichever way it is listed: what was forward is backward from the other end."""
    if (source, target) in numbers:
        return dict(numbers[source, target])
    other = numbers.get((target, source), {})
    return {name: other[_OTHER_WAY.get(name, name)] for name in other}


def edge_type(text: str, source: str, target: str) -> EdgeType:
    """Return the type of this name; one sentence for a name that is none."""
    try:
        return EdgeType(text)
    except ValueError:
        raise InvalidGraphError(
            f"the edge between {source!r} and {target!r} is of type {text!r}: "
            f"the types are {', '.join(kind.value for kind in EdgeType)}"
        ) from None


@dataclass(frozen=True)
class MixedGraph:
    """Names and typed edges, at most one edge between two variables.

    Attributes
    ----------
    names : tuple of str
        Variable i is ``names[i]``; all different.
    edges : tuple of (int, int, EdgeType)
        Sorted; an edge that looks the same at both ends has the smaller number first.
    numbers : mapping
        What is known of edges (source, target), by name: how sure they are. It is written where a format has a place
        for it, and not read.
    """

    names: tuple[str, ...]
    edges: tuple[TypedEdge, ...]
    numbers: EdgeNumbers = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def from_edges(cls, names: Iterable[str], edges: Iterable[TypedEdge], *, merge: bool = False) -> MixedGraph:
        """Bring edges into normal form.

        Parameters
        ----------
        names : iterable of str
            The names of the variables.
        edges : iterable of (int, int, EdgeType)
            An edge may be listed more than once.
        merge : bool
            Take two opposite directed edges for an undirected one, as in formats that know nothing but arrows.

        Raises
        ------
        InvalidGraphError
            If a name occurs twice, an edge joins a variable to itself, or two edges join the same variables.
        """
        known = tuple(names)
        check_names(known)
        found: dict[tuple[int, int], TypedEdge] = {}
        for source, target, kind in edges:
            if source == target:
                raise InvalidGraphError(f"an edge joins {known[source]!r} to itself: remove it")
            pair = (min(source, target), max(source, target))
            edge = (*pair, kind) if kind.symmetric else (source, target, kind)
            other = found.setdefault(pair, edge)
            if other == edge:
                continue
            arrows = (EdgeType.DIRECTED, EdgeType.UNDIRECTED)
            if not (merge and kind in arrows and other[2] in arrows):
                raise InvalidGraphError(
                    f"there are two different edges between {known[source]!r} and {known[target]!r}: keep one"
                )
            found[pair] = (*pair, EdgeType.UNDIRECTED)
        return cls(known, tuple(sorted(found.values(), key=lambda edge: edge[:2])))

    @classmethod
    def of(cls, names: Iterable[str], graph: PDAG | PAG, numbers: EdgeNumbers | None = None) -> MixedGraph:
        """Take a graph with its names, and with numbers of its edges if there are any."""
        return cls(tuple(names), tuple(graph.typed_edges()), numbers or {})

    def said(self, source: int, target: int) -> dict[str, float]:
        """Return the numbers of an edge as seen from the source."""
        return numbers_from(self.numbers, source, target)

    def named(self) -> NamedGraph:
        """Return the graph for use.

        Raises
        ------
        InvalidGraphError
            If it has an edge of another type than directed and undirected.
        """
        by_type: dict[EdgeType, list[tuple[int, int]]] = {EdgeType.DIRECTED: [], EdgeType.UNDIRECTED: []}
        for source, target, kind in self.edges:
            if kind not in by_type:
                raise InvalidGraphError(
                    f"the edge between {self.names[source]!r} and {self.names[target]!r} is of type {kind.value!r}: "
                    "only directed and undirected edges can be used"
                )
            by_type[kind].append((source, target))
        return NamedGraph(self.names, PDAG.from_edges(len(self.names), *by_type.values()))

    def only(self, kinds: frozenset[EdgeType], format_name: str) -> MixedGraph:
        """Return the graph itself, or say which edge a format has no place for."""
        for source, target, kind in self.edges:
            if kind not in kinds:
                raise InvalidGraphError(
                    f"{format_name} has no place for the {kind.value} edge between {self.names[source]!r} and "
                    f"{self.names[target]!r}: choose another format"
                )
        return self


class EdgeCollector:
    """Variables and edges by name, as a file lists them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._edges: list[TypedEdge] = []

    def node(self, name: str) -> int:
        """Take notice of a variable and return its number."""
        return self._numbers.setdefault(name, len(self._numbers))

    def edge(self, source: str, target: str, kind: EdgeType) -> None:
        """Add an edge, and its ends if they are new."""
        self._edges.append((self.node(source), self.node(target), kind))

    def edge_between(self, x: str, y: str, at_x: Mark, at_y: Mark) -> None:
        """Add the edge with these marks at its ends."""
        self._edges.append(edge_between(self.node(x), self.node(y), at_x, at_y))

    def graph(self, *, merge: bool = False) -> MixedGraph:
        """Return what was collected; see `MixedGraph.from_edges`."""
        return MixedGraph.from_edges(self._numbers, self._edges, merge=merge)
