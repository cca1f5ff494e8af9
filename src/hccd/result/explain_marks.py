"""Why the marks of a PAG's edge are what they are: what the edge says, and the rule behind each mark, with its witness.

The rules are those of Zhang (2008) as `hccd.ancestral` applies them. ``(i, j)`` is the mark at j of the edge between i
and j: an arrowhead says that j is no cause of i, a tail that it is one, or a cause of what selects the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from hccd.graphs import PAG
from hccd.graphs.marks import EdgeType, Mark
from hccd.graphs.pag import ARROW, TAIL
from hccd.result.condition import condition_told

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: What an edge from a to b says.
_SAYS = {
    EdgeType.DIRECTED: (
        "{a} is a cause of {b}, directly or through others (unless it decides which rows are in the data), and {b} is "
        "not a cause of {a}"
    ),
    EdgeType.BIDIRECTED: "neither is a cause of the other, and both have a hidden common cause",
    EdgeType.PARTIALLY_DIRECTED: (
        "{b} is not a cause of {a}, but the data leave open whether {a} is a cause of {b}, or both have a hidden "
        "common cause"
    ),
    EdgeType.NONDIRECTED: (
        "the data leave open whether {a} is a cause of {b}, {b} is a cause of {a}, or both have a hidden common cause"
    ),
    EdgeType.UNDIRECTED: "each of the two is a cause of the other, or of what decides which rows are in the data",
    EdgeType.PARTIALLY_UNDIRECTED: (
        "{b} is a cause of {a}, or of what decides which rows are in the data, but the data leave open whether {a} is "
        "a cause of {b}"
    ),
}


def explain_marks(result: HCCDResult, x: int, y: int) -> str:
    """Say what the edge between two variables means, and why it has its marks."""
    source, target, kind = _graph(result).edge(x, y)
    a, b = _named(result, source), _named(result, target)
    sentences = [f"The edge is {a} {kind.sign} {b}: {_SAYS[kind].format(a=a, b=b)}."]
    ends = ((source, target, kind.marks[1]), (target, source, kind.marks[0]))
    reasons = {(i, j): _because(result, i, j) for i, j, mark in ends if mark is not Mark.CIRCLE}
    if len(reasons) == 2 and len(set(reasons.values())) == 1:
        return f"{sentences[0]} Both of its marks are there because {reasons[source, target]}."
    for i, j, mark in ends:
        if mark is not Mark.CIRCLE:
            sentences.append(f"The {mark.value} at {_named(result, j)} is there because {reasons[i, j]}.")
    return " ".join(sentences)


def _because(result: HCCDResult, i: int, j: int) -> str:
    reason = result.reasons.get((i, j), "given")
    told = _RULES.get(reason)
    if told is not None:
        return f"{told(result, i, j)} (rule {reason.removeprefix('R')} of FCI)"
    if reason == "collider":
        return _collider(result, i, j)
    if reason == "forced":
        return "no graph without it fits the other marks, though the tests did not claim it"
    if reason == "knowledge":
        return "your knowledge leaves no other mark"
    return "it was given" if reason == "given" else f"it follows from what else is known ({reason})"


def _collider(result: HCCDResult, i: int, j: int) -> str:
    a, b = _named(result, i), _named(result, j)
    for triple in result.colliders:
        if triple.z == j and i in (triple.x, triple.y):
            other = _named(result, triple.y if i == triple.x else triple.x)
            given = condition_told(result, [result.names[z] for z in triple.given], triple.p_value)
            dependence = "" if math.isnan(triple.dependence) else f" (with it, p = {triple.dependence:.3g})"
            return (
                f"{a} and {other} are independent {given}, and {b}, which is adjacent to both, is not in the "
                f"conditioning set{dependence}, so it is a cause of neither"
            )
    return f"the tests found that {b} is a cause of neither of two of its neighbours"


def _rule_1(result: HCCDResult, i: int, j: int) -> str:
    """Both marks of b -> c: an edge *-> b of a variable that is not adjacent to c, and b is no collider."""
    b, c = (i, j) if _at(result, i, j) == ARROW else (j, i)
    heads = [a for a in _graph(result).neighbors(b) if _at(result, a, b) == ARROW and not _joined(result, a, c)]
    other = _named(result, heads[0]) if heads else "another neighbour"
    return (
        f"{_named(result, b)} lies between {other} and {_named(result, c)} without being a collider, and is no cause "
        f"of {other}, so it must be a cause of {_named(result, c)}"
    )


def _rule_2(result: HCCDResult, i: int, j: int) -> str:
    between = [
        b
        for b in _graph(result).neighbors(i)
        if _at(result, i, b) == ARROW
        and _joined(result, b, j)
        and _at(result, b, j) == ARROW
        and TAIL in (_at(result, b, i), _at(result, j, b))
    ]
    through = f" through {_named(result, between[0])}" if between else ""
    return (
        f"arrowheads lead from {_named(result, i)} to {_named(result, j)}{through} already, and there are no causal "
        "cycles"
    )


def _rule_3(result: HCCDResult, i: int, j: int) -> str:
    return (
        f"two neighbours of both, which are not adjacent, have arrowheads at {_named(result, j)}, and the tests "
        f"rule out that {_named(result, i)} is a collider between them"
    )


def _rule_4(result: HCCDResult, i: int, j: int) -> str:
    return "a discriminating path leads there, and the set that separates its ends determines the marks"


def _rule_5(result: HCCDResult, i: int, j: int) -> str:
    return (
        "it lies on a cycle of edges without arrowheads and without short cuts, which only a selection of rows explains"
    )


def _rule_6(result: HCCDResult, i: int, j: int) -> str:
    return f"{_named(result, j)} has an undirected edge, and then no edge has an arrowhead at it"


def _rule_7(result: HCCDResult, i: int, j: int) -> str:
    return "an arrowhead there would require a collider that the tests rule out"


def _rule_8(result: HCCDResult, i: int, j: int) -> str:
    through = [
        b
        for b in _graph(result).neighbors(j)
        if _joined(result, b, i)
        and _at(result, b, j) == TAIL
        and _at(result, b, i) == ARROW
        and _at(result, i, b) == TAIL
    ]
    by = f" through {_named(result, through[0])}" if through else " through another variable"
    return f"{_named(result, j)} is a cause of {_named(result, i)}{by} already"


def _rule_9(result: HCCDResult, i: int, j: int) -> str:
    return (
        f"a path without short cuts leads from {_named(result, j)} to {_named(result, i)}, and an arrowhead would "
        "close a causal cycle or require a collider that the tests rule out"
    )


def _rule_10(result: HCCDResult, i: int, j: int) -> str:
    return (
        f"two paths without short cuts lead from {_named(result, j)} to causes of {_named(result, i)}, and an "
        "arrowhead would require a collider that the tests rule out"
    )


_RULES: dict[str, Callable[[HCCDResult, int, int], str]] = {
    "R1": _rule_1,
    "R2": _rule_2,
    "R3": _rule_3,
    "R4": _rule_4,
    "R5": _rule_5,
    "R6": _rule_6,
    "R7": _rule_7,
    "R8": _rule_8,
    "R9": _rule_9,
    "R10": _rule_10,
}


def _graph(result: HCCDResult) -> PAG:
    assert isinstance(result.graph, PAG)
    return result.graph


def _at(result: HCCDResult, i: int, j: int) -> int:
    """Return the mark at j of the edge between i and j; 0 if there is none."""
    return int(_graph(result).marks[i, j])


def _joined(result: HCCDResult, i: int, j: int) -> bool:
    return i == j or _at(result, i, j) != 0


def _named(result: HCCDResult, v: int) -> str:
    return f"'{result.names[v]}'"
