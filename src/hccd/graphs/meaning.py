"""What each type of edge says about causes: the words of explanations, legends and lists of neighbours.

In a PDAG an edge without direction may have either. In a PAG a tail says that the variable there is a cause (or one of
the selection of rows), an arrowhead that it is none, and a circle that the data leave it open.
"""

from __future__ import annotations

from typing import NamedTuple

from hccd.graphs.marks import EdgeType
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG


class Meaning(NamedTuple):
    """The words for a type of edge.

    Attributes
    ----------
    target_is, source_is : str
        What the one end is to the other, as the name of a list of neighbours.
    legend : str
        What a picture says beside a sample.
    verb : str
        What stands between source and target in a phrase.
    """

    target_is: str
    source_is: str
    legend: str
    verb: str


_CAUSE = Meaning("effects", "causes", "cause \u2192 effect", "causes")
IN_PDAG = {
    EdgeType.DIRECTED: _CAUSE,
    EdgeType.UNDIRECTED: Meaning("undirected", "undirected", "direction open", "is joined, without direction, to"),
}
IN_PAG = {
    EdgeType.DIRECTED: _CAUSE,
    EdgeType.PARTIALLY_DIRECTED: Meaning(
        "possible effects",
        "possible causes",
        "cause, or hidden common cause",
        "causes, or has a hidden common cause with,",
    ),
    EdgeType.BIDIRECTED: Meaning(
        "hidden common cause", "hidden common cause", "hidden common cause", "has a hidden common cause with"
    ),
    EdgeType.NONDIRECTED: Meaning("open", "open", "left open", "is joined, with all else left open, to"),
    EdgeType.UNDIRECTED: Meaning(
        "selection", "selection", "joined by the selection of rows", "is joined, by the selection of rows, to"
    ),
    EdgeType.PARTIALLY_UNDIRECTED: Meaning(
        "selection",
        "selection",
        "perhaps joined by the selection of rows",
        "is joined, perhaps by the selection of rows, to",
    ),
}


def meanings(graph: PDAG | PAG) -> dict[EdgeType, Meaning]:
    """Return the words for the types that a graph of this kind can have."""
    return IN_PAG if isinstance(graph, PAG) else IN_PDAG


def neighbour_lists(graph: PDAG | PAG, x: int) -> dict[str, list[int]]:
    """Return the neighbours of a variable by what they are to it, ascending; every list is there.

    Examples
    --------
    >>> neighbour_lists(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]), 1)
    {'causes': [0], 'effects': [], 'undirected': [2]}
    """
    words = meanings(graph)
    lists: dict[str, list[int]] = {}
    for word in words.values():
        lists.setdefault(word.source_is, [])
        lists.setdefault(word.target_is, [])
    for source, target, kind in graph.typed_edges():
        if x in (source, target):
            name, other = (words[kind].target_is, target) if x == source else (words[kind].source_is, source)
            lists[name].append(other)
    return {name: sorted(found) for name, found in lists.items()}
