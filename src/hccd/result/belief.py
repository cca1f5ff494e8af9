"""How much of a graph to believe, in a few figures: how many edges and arrowheads are sure, likely, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hccd.result.format import numbered_edges
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
    """The edges by the probability that their ends are adjacent, the arrowheads by that of their direction."""

    edges: Tally
    arrowheads: Tally

    def sentences(self) -> list[str]:
        """Say it: what is sure, and whether most is not even likely."""
        edges, heads = sum(self.edges), sum(self.arrowheads)
        if not edges:
            return []
        sure = f"{self.edges.sure:,} of {counted(edges, 'edge')}"
        sure += f" and {self.arrowheads.sure:,} of {counted(heads, 'arrowhead')}" if heads else ""
        said = [f"Sure (a probability of {SURE} or more): {sure}."]
        if 2 * self.edges.unlikely > edges:
            said.append("Most edges are not likely: another sample of these rows would give another graph.")
        elif 2 * self.arrowheads.unlikely > heads:
            said.append("Most arrowheads are not likely: read which variables are joined, not who causes whom.")
        return said


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
    return Belief(Tally.of(edges), Tally.of(heads))
