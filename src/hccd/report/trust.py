"""How far to believe the graph: the figures and warnings of the first screen, and the probabilities of every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hccd.drawing.certainty import SURE, UNSURE_DIRECTION, UNSURE_EDGE, certainty
from hccd.report.check_section import CheckSection
from hccd.report.limits import UNJOINED
from hccd.result.belief import CLASSES, belief
from hccd.result.format import numbered_edges

if TYPE_CHECKING:
    from hccd.result import HCCDResult

#: From this probability on a pair without an edge is listed as nearly joined.
NEARLY = 0.3


def warnings_of(result: HCCDResult, check: CheckSection | None) -> list[str]:
    """Return all warnings, each once: those of the run, then what a check alone has found."""
    checked = [line.text for line in check.lines if line.level == "warning"] if check is not None else []
    return list(dict.fromkeys([*result.warnings, *checked]))


def confidence_of(result: HCCDResult, warned: bool) -> dict[str, Any] | None:
    """Return what is known about how sure edges are, with how each is drawn; None if nothing is.

    ``warned`` tells whether there are warnings beside it.
    """
    found, known = belief(result), result.confidence
    if found is None or known is None:
        return None
    edges = [known.of(i, j) for i, j, _ in numbered_edges(result.graph)]
    unjoined = _unjoined(result)
    return {
        "resamples": known.resamples,
        "classes": CLASSES,
        "edge_classes": found.edges,
        "arrowhead_classes": found.arrowheads,
        "advice": found.advice(warned),
        "shares": [list(map(_rounded, own)) for own in edges],
        "looks": list(map(certainty, edges)),
        "key": {"sure": SURE, "direction": UNSURE_DIRECTION, "edge": UNSURE_EDGE},
        "nearly": NEARLY,
        "unjoined": unjoined[:UNJOINED],
        "complete": len(unjoined) <= UNJOINED,
    }


def left_out(result: HCCDResult) -> list[str]:
    """Say which probabilities are not in the page."""
    if result.confidence is None or len(result.confidence.pairs) - result.skeleton.n_edges <= UNJOINED:
        return []
    return [
        f"Of the pairs without an edge, only the {UNJOINED:,} that are adjacent in most resamples have their "
        "probabilities in this page; result.confidence.of(i, j) gives all."
    ]


def _unjoined(result: HCCDResult) -> list[list[float]]:
    """Return the pairs without an edge as x, y and their four probabilities, the nearest to an edge first."""
    known, joined = result.confidence, result.skeleton.adjacency
    assert known is not None
    pairs = [(x, y) for x, y in known.pairs.tolist() if not joined[x, y]]
    rows = [[x, y, *map(_rounded, known.of(x, y))] for x, y in pairs]
    return sorted(rows, key=lambda row: (row[5], row[0], row[1]))


def _rounded(probability: float) -> float:
    return round(probability, 4)
