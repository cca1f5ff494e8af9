"""The six types of edges, by the marks at their ends: what PDAGs, PAGs and the files of graphs have in common.

=====================  ==========  ==================================
type                   drawn       at the source, at the target
=====================  ==========  ==================================
directed               a --> b     tail, arrowhead
undirected             a --- b     tail, tail
bidirected             a <-> b     arrowhead, arrowhead
partially-directed     a o-> b     circle, arrowhead
partially-undirected   a o-- b     circle, tail
nondirected            a o-o b     circle, circle
=====================  ==========  ==================================
"""

from __future__ import annotations

from enum import Enum


class Mark(Enum):
    """What an edge looks like at one end."""

    TAIL = "tail"
    ARROW = "arrowhead"
    CIRCLE = "circle"


class EdgeType(Enum):
    """The type of an edge from a source to a target."""

    DIRECTED = "directed"
    UNDIRECTED = "undirected"
    BIDIRECTED = "bidirected"
    PARTIALLY_DIRECTED = "partially-directed"
    PARTIALLY_UNDIRECTED = "partially-undirected"
    NONDIRECTED = "nondirected"

    @property
    def marks(self) -> tuple[Mark, Mark]:
        """The marks at the source and at the target."""
        return _MARKS[self]

    @property
    def symmetric(self) -> bool:
        """Whether both ends look the same."""
        return self.marks[0] is self.marks[1]


_MARKS = {
    EdgeType.DIRECTED: (Mark.TAIL, Mark.ARROW),
    EdgeType.UNDIRECTED: (Mark.TAIL, Mark.TAIL),
    EdgeType.BIDIRECTED: (Mark.ARROW, Mark.ARROW),
    EdgeType.PARTIALLY_DIRECTED: (Mark.CIRCLE, Mark.ARROW),
    EdgeType.PARTIALLY_UNDIRECTED: (Mark.CIRCLE, Mark.TAIL),
    EdgeType.NONDIRECTED: (Mark.CIRCLE, Mark.CIRCLE),
}
_TYPES = {marks: kind for kind, marks in _MARKS.items()}

#: An edge by the numbers of its source and target.
TypedEdge = tuple[int, int, EdgeType]


def edge_between(x: int, y: int, at_x: Mark, at_y: Mark) -> TypedEdge:
    """Return the edge with these marks at its ends.

    Examples
    --------
    >>> edge_between(0, 1, Mark.ARROW, Mark.TAIL)
    (1, 0, <EdgeType.DIRECTED: 'directed'>)
    """
    if (at_x, at_y) in _TYPES:
        return x, y, _TYPES[at_x, at_y]
    return y, x, _TYPES[at_y, at_x]
