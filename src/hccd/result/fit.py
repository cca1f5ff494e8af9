"""How well a graph fits the data it was learned from, as a value that goes into the result and its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

#: A non-adjacent pair is listed if its q-value is below this: at most this share of what is listed is there by chance.
LISTED_BELOW = 0.05


class Remaining(NamedTuple):
    """Two variables without an edge that still depend on each other given the parents of one of them.

    ``q_value`` is Benjamini and Hochberg's, over all pairs without an edge.
    """

    x: int
    y: int
    p_value: float
    q_value: float


@dataclass(frozen=True)
class Fit:
    """How well the graph predicts held-out rows, and which dependences it does not explain.

    Attributes
    ----------
    learned, empty, full : float or None
        Log-likelihood of held-out rows, in nats per row: with a DAG of the learned class, no edges, and all edges in
        the same order. Every fifth row in turn is predicted by the parameters of the others; the edges are those
        learned from all rows. Continuous columns are standardized. None where it was not computed.
    pairs : int
        How many pairs without an edge were tested given parents.
    remaining : tuple of Remaining
        Those whose q-value is below .05, the smallest first.
    """

    learned: float | None
    empty: float | None
    full: float | None
    pairs: int
    remaining: tuple[Remaining, ...] = ()

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the fit as plain data."""
        return {
            "log_likelihood": {"learned": self.learned, "empty": self.empty, "full": self.full},
            "pairs": self.pairs,
            "remaining": [[names[each.x], names[each.y], each.p_value, each.q_value] for each in self.remaining],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], names: Sequence[str]) -> Fit:
        """Read a fit from plain data."""
        number = {name: i for i, name in enumerate(names)}
        likelihood = {name: _number(data["log_likelihood"][name]) for name in ("learned", "empty", "full")}
        remaining = tuple(Remaining(number[x], number[y], float(p), float(q)) for x, y, p, q in data["remaining"])
        return cls(**likelihood, pairs=int(data["pairs"]), remaining=remaining)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
