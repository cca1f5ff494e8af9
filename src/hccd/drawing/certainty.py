"""How sure an edge is, to the eye: the one encoding of the report, of matplotlib's pictures and of SVG.

A line is the wider and the darker the likelier its ends are adjacent; a head is the darker the likelier the edge points
there. So each mark is as dark as it is likely to be right. The least opacity is not zero: what is in the graph is in
the picture.
"""

from __future__ import annotations

from typing import NamedTuple

from hccd.result.confidence import Probabilities

_FAINTEST, _THINNEST = 0.16, 0.25


class Certainty(NamedTuple):
    """How to draw an edge: its width as a part of the widest, and the opacities of its line and of its head."""

    width: float
    line: float
    head: float


def certainty(probabilities: Probabilities) -> Certainty:
    """Return how to draw an edge; ``forward`` is the direction of its head, if it has one."""
    adjacent = probabilities.adjacent
    return Certainty(
        _between(_THINNEST, adjacent), _between(_FAINTEST, adjacent), _between(_FAINTEST, probabilities.forward)
    )


def _between(least: float, probability: float) -> float:
    return round(least + (1.0 - least) * min(1.0, max(0.0, probability)), 3)


SURE = certainty(Probabilities(1.0, 0.0, 0.0, 0.0))
#: What a key shows of edges that are not sure: the text, and how such an edge is drawn.
UNSURE_DIRECTION = ("direction unsure", certainty(Probabilities(0.1, 0.4, 0.5, 0.0)))
UNSURE_EDGE = ("edge unsure", certainty(Probabilities(0.2, 0.0, 0.0, 0.8)))
