"""What is behind an arrowhead or another mark, in a few words: for lists, tables and facts."""

from __future__ import annotations

from hccd.graphs import PAG, AnyGraph

_OF_PDAG = {
    "collider": "common effect (collider)",
    "forced": "forced by a cycle",
    "lingam": "noise that is not normal (LiNGAM)",
    "score": "highest score",
    "knowledge": "your knowledge",
    **{f"R{number}": f"Meek's rule {number}" for number in range(1, 5)},
    "given": "given",
}
_OF_PAG = {
    "collider": "collider",
    "forced": "forced by other marks",
    "knowledge": "your knowledge",
    **{f"R{number}": f"FCI's rule {number}" for number in range(1, 11)},
    "given": "given",
}


def rule_names(graph: AnyGraph) -> dict[str, str]:
    """Return the words for the reasons that marks of such a graph have."""
    return _OF_PAG if isinstance(graph, PAG) else _OF_PDAG
