"""How sure each edge is: the probabilities of what two variables have between them, from resamples of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.edges import sealed

#: Probabilities are written with so many digits.
DIGITS = 6


class Probabilities(NamedTuple):
    """The probabilities of an arrow from source to target, one back, an undirected edge, and no edge."""

    forward: float
    backward: float
    undirected: float
    none: float

    @property
    def adjacent(self) -> float:
        """The probability that there is an edge."""
        return 1.0 - self.none

    def reversed(self) -> Probabilities:
        """Return the same with source and target exchanged."""
        return Probabilities(self.backward, self.forward, self.undirected, self.none)


class Edge(tuple[str, str, str]):
    """An edge as (source, target, type), with its confidence.

    Attributes
    ----------
    source, target, type : str
        What the tuple holds; the type is that of graph.json.
    confidence : float or None
        The probability that the two are adjacent; None if no resamples were drawn.
    probabilities : Probabilities or None
        Those of every kind of edge between the two, as seen from the source.
    """

    probabilities: Probabilities | None

    def __new__(cls, source: str, target: str, kind: str, probabilities: Probabilities | None = None) -> Edge:
        """Make an edge."""
        edge = super().__new__(cls, (source, target, kind))
        edge.probabilities = probabilities
        return edge

    @property
    def source(self) -> str:
        """The variable that the edge leads from."""
        return self[0]

    @property
    def target(self) -> str:
        """The variable that the edge leads to."""
        return self[1]

    @property
    def type(self) -> str:
        """The type of the edge, as in graph.json."""
        return self[2]

    @property
    def confidence(self) -> float | None:
        """The probability that the two are adjacent."""
        return None if self.probabilities is None else self.probabilities.adjacent

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (*self, self.probabilities)


@dataclass(frozen=True, eq=False)
class Confidence:
    """The probabilities of edges, from graphs that were learned from resamples of the rows.

    Attributes
    ----------
    pairs : array of int64, shape (m, 2)
        The pairs x < y, by column numbers, that are adjacent in the graph or in at least one resample; sorted.
    probabilities : array of float64, shape (m, 3)
        Of x -> y, x <- y and x - y; the rest to 1 is the probability of no edge.
    resamples : int
        How many resamples there were.
    counts : array of int64, shape (m, 3), or None
        How many resamples have each of these; the probabilities are computed from them (`docs/ACCURACY.md`). A file
        keeps the probabilities alone.
    """

    pairs: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    resamples: int
    counts: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        sealed(self.pairs)
        sealed(self.probabilities)

    @cached_property
    def _rows(self) -> dict[tuple[int, int], int]:
        return {(x, y): row for row, (x, y) in enumerate(self.pairs.tolist())}

    def of(self, i: int, j: int) -> Probabilities:
        """Return the probabilities for i and j, by column numbers; ``forward`` is from i to j."""
        row = self._rows.get((min(i, j), max(i, j)))
        if row is None:
            return Probabilities(0.0, 0.0, 0.0, 1.0)
        forward, backward, undirected = self.probabilities[row].tolist()
        none = max(round(1.0 - (forward + backward + undirected), DIGITS), 0.0)
        own = Probabilities(forward, backward, undirected, none)
        return own if i < j else own.reversed()

    def to_dict(self, listed: Iterable[tuple[int, int]]) -> dict[str, Any]:
        """Return as plain data what the edges do not hold; these are ``listed`` by their numbers."""
        known = {(min(i, j), max(i, j)) for i, j in listed}
        rest = [
            [x, y, *row]
            for (x, y), row in zip(self.pairs.tolist(), self.probabilities.tolist(), strict=True)
            if (x, y) not in known
        ]
        return {"resamples": self.resamples, "pairs": rest}

    @staticmethod
    def from_dict(data: Mapping[str, Any], edges: Mapping[tuple[int, int], Mapping[str, Any]], n: int) -> Confidence:
        """Rebuild it from plain data and from what the ``edges`` (source, target) say."""
        rows = {}
        for x, y, forward, backward, undirected in data["pairs"]:
            rows[int(x), int(y)] = (float(forward), float(backward), float(undirected))
        for (source, target), said in edges.items():
            own = Probabilities(*(float(said[name]) for name in Probabilities._fields))
            own = own if source < target else own.reversed()
            if own.adjacent > 0.0:
                rows[min(source, target), max(source, target)] = own[:3]
        for (x, y), row in rows.items():
            if not 0 <= x < y < n or min(row) < 0.0 or sum(row) > 1.0 + 1e-5:
                raise ValueError(f"the pair {x}, {y} has numbers that are not probabilities")
        pairs = sorted(rows)
        return Confidence(
            np.array(pairs, np.int64).reshape(-1, 2),
            np.array([rows[pair] for pair in pairs], np.float64).reshape(-1, 3),
            int(data["resamples"]),
        )
