"""The edges as columns: ends, strength, why each is there and why it points where it points."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from hccd.drawing.palette import ON_DARK, edge_colour
from hccd.graphs.marks import EdgeType
from hccd.graphs.meaning import meanings
from hccd.report.limits import EXPLAINED
from hccd.result.explain import explain
from hccd.result.format import numbered_edges, reasons_of

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: How the page writes an edge between its ends.
_SIGNS = {
    EdgeType.DIRECTED: "\u2192",
    EdgeType.UNDIRECTED: "\u2014",
    EdgeType.BIDIRECTED: "\u2194",
    EdgeType.PARTIALLY_DIRECTED: "\u25cb\u2192",
    EdgeType.PARTIALLY_UNDIRECTED: "\u25cb\u2014",
    EdgeType.NONDIRECTED: "\u25cb\u2014\u25cb",
}


def edge_types(result: HCCDResult) -> dict[str, Any]:
    """Return what the page says and draws of each type of edge that such a graph can have."""
    return {
        kind.value: {
            "marks": [mark.value for mark in kind.marks],
            "sign": _SIGNS[kind],
            "colours": [edge_colour(kind), ON_DARK[edge_colour(kind)]],
            **words._asdict(),
        }
        for kind, words in meanings(result.graph).items()
    }


def edge_columns(result: HCCDResult) -> dict[str, Any]:
    """Return all edges, one entry of each list for an edge; a directed edge has its cause first.

    ``rule`` is about the mark at the target, ``source_rule`` about that at the source.
    """
    edges = numbered_edges(result.graph)
    place = {pair: i for i, pair in enumerate(map(tuple, result.skeleton.edges.tolist()))}
    strength = [float(result.strength[place[min(a, b), max(a, b)]]) for a, b, _ in edges]
    explained = set(sorted(range(len(edges)), key=lambda i: (-_ranked(strength[i]), i))[:EXPLAINED])
    conflicts = _conflicts_by_pair(result)
    witnesses = _witnesses(result)
    reasons = [reasons_of(result, a, b, EdgeType(kind)) for a, b, kind in edges]
    return {
        "from": [a for a, _, _ in edges],
        "to": [b for _, b, _ in edges],
        "type": [kind for _, _, kind in edges],
        "strength": [s if math.isfinite(s) else None for s in strength],
        "shown": [f"{s:.3g}" if s == s else "" for s in strength],
        "rule": [own.get("reason", "") for own in reasons],
        "source_rule": [own.get("source_reason", "") for own in reasons],
        "witness": [witnesses.get((a, b)) or witnesses.get((b, a)) for a, b, _ in edges],
        "conflicts": [conflicts.get((min(a, b), max(a, b)), []) for a, b, _ in edges],
        "why": [explain(result, a, b) if i in explained else None for i, (a, b, _) in enumerate(edges)],
    }


def conflict_list(result: HCCDResult) -> list[dict[str, Any]]:
    """Return the verdicts that the graph does not follow."""
    return [
        {
            "kind": conflict.kind,
            "triple": [conflict.x, conflict.z, conflict.y],
            "p": f"{conflict.p_value:.3g}" if math.isfinite(conflict.p_value) else "",
            "reason": conflict.reason,
        }
        for conflict in result.conflicts
    ]


def left_out(result: HCCDResult) -> list[str]:
    """Say which edges are not explained in the page."""
    if result.skeleton.n_edges <= EXPLAINED:
        return []
    return [
        f"Full explanations are in this page for the {EXPLAINED:,} strongest of {result.skeleton.n_edges:,} edges; "
        "result.explain(a, b) gives the others."
    ]


def _ranked(strength: float) -> float:
    return strength if strength == strength else math.inf


def _conflicts_by_pair(result: HCCDResult) -> dict[tuple[int, int], list[int]]:
    """Return the numbers of the conflicts that each edge is part of."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, conflict in enumerate(result.conflicts):
        for end in (conflict.x, conflict.y):
            found[min(end, conflict.z), max(end, conflict.z)].append(number)
    return found


def _witnesses(result: HCCDResult) -> dict[tuple[int, int], dict[str, Any]]:
    """Return, for each arrowhead at a collider, the collider, its other neighbour and what separates the two."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for triple in result.colliders:
        for end, other in ((triple.x, triple.y), (triple.y, triple.x)):
            if result.reasons.get((end, triple.z)) == "collider":
                found.setdefault(
                    (end, triple.z),
                    {
                        "middle": triple.z,
                        "other": other,
                        "given": list(triple.given),
                        "p": f"{triple.p_value:.3g}" if math.isfinite(triple.p_value) else "",
                    },
                )
    return found
