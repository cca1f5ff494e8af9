"""How much of a graph to believe, in a few figures: how many edges and arrowheads are sure, likely, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hccd.result.format import numbered_edges
from hccd.tables.findings import DEPENDENT_ROWS
from hccd.wording import counted

if TYPE_CHECKING:
    from hccd.result.hccd_result import HCCDResult

#: An edge is sure from this probability on, and likely from that one on.
SURE, LIKELY = 0.9, 0.5
#: What the three classes are called, the surest first.
CLASSES = (f"{SURE} or more", f"{LIKELY} to {SURE}", f"below {LIKELY}")


class Tally(NamedTuple):
    """How many of some probabilities are sure, likely, or neither."""

    sure: int
    likely: int
    unlikely: int

    @classmethod
    def of(cls, probabilities: list[float]) -> Tally:
        """Count probabilities, which are sums of shares: what rounding takes from 0.9 is given back."""
        sure = sum(p >= SURE - 1e-9 for p in probabilities)
        likely = sum(p >= LIKELY - 1e-9 for p in probabilities) - sure
        return cls(sure, likely, len(probabilities) - sure - likely)


class Belief(NamedTuple):
    """The edges by the probability that their ends are adjacent, the arrowheads by that of their direction.

    ``overrated`` says that rows were found to depend on each other: resamples of such rows agree too often.
    """

    edges: Tally
    arrowheads: Tally
    overrated: bool = False

    @property
    def sure(self) -> str:
        """How many edges and arrowheads are sure, in one phrase."""
        edges, heads = sum(self.edges), sum(self.arrowheads)
        arrowheads = f" and {self.arrowheads.sure:,} of {counted(heads, 'arrowhead')}" if heads else ""
        beware = "; too many, because the rows seem to depend on each other" if self.overrated and edges else ""
        return f"{self.edges.sure:,} of {counted(edges, 'edge')}{arrowheads} (a probability of {SURE} or more){beware}"

    def advice(self, warned: bool) -> str:
        """Say in one sentence what to make of it, and that resamples share what warnings name."""
        edges, heads = sum(self.edges), sum(self.arrowheads)
        if not edges:
            return ""
        if self.overrated:
            return (
                "The rows seem to depend on each other, which resampling cannot detect, so these probabilities are too "
                "high: do not rely on the edges until the rows are independent."
            )
        if 2 * self.edges.unlikely > edges:
            return "Most edges are unlikely: another sample of this size would give another graph."
        if heads and 2 * self.arrowheads.unlikely > heads:
            return "Most arrowheads are unlikely: read which variables are adjacent, and leave the directions open."
        if 2 * self.edges.sure < edges:
            few = "" if 2 * self.arrowheads.sure >= heads else f", and {self.arrowheads.sure:,} of {heads:,} arrowheads"
            return f"Fewer than half of the edges are sure{few}: treat the others as hypotheses."
        if 2 * self.arrowheads.sure < heads:
            return "Most edges are sure, but fewer than half of the arrowheads: treat the directions as hypotheses."
        stable = "Most of this graph would be the same in another sample of this size"
        return f"{stable}, but resampling does not account for the warnings." if warned else f"{stable}."


def belief(result: HCCDResult) -> Belief | None:
    """Return how sure the edges of a result are in figures; None if nothing is known about that."""
    if result.confidence is None:
        return None
    edges, heads = [], []
    for i, j, kind in numbered_edges(result.graph):
        own = result.confidence.of(i, j)
        edges.append(own.adjacent)
        if kind == "directed":
            heads.append(own.forward)
    overrated = any(finding.kind in DEPENDENT_ROWS for finding in result.findings)
    return Belief(Tally.of(edges), Tally.of(heads), overrated)
