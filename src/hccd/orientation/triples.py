"""Unshielded triples and what a rule decided about them, as columns of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.separators import sets_of
from hccd.orientation.records import Records, ordered_ends

#: What a rule can say: the codes of ``Triples.collider``.
COLLIDER, NO_COLLIDER, AMBIGUOUS = 1, 0, -1
_VERDICTS: dict[int, bool | None] = {COLLIDER: True, NO_COLLIDER: False, AMBIGUOUS: None}


class Triple(NamedTuple):
    """An unshielded triple x - z - y (x < y) and what the rule decided about it.

    ``collider`` is None if the evidence is ambiguous; ``given`` is the set that decided, ``p_value`` its p-value, and
    ``dependence`` the p-value given that set and z, which is small if z is a collider; nan if it was not computed.
    """

    x: int
    z: int
    y: int
    collider: bool | None
    given: tuple[int, ...]
    p_value: float
    dependence: float = math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Triples(Records[Triple]):
    """Triples as columns; ``given[start[i] : start[i + 1]]`` decided about triple i."""

    x: NDArray[np.int32]
    z: NDArray[np.int32]
    y: NDArray[np.int32]
    collider: NDArray[np.int8]
    start: NDArray[np.int64]
    given: NDArray[np.int32]
    p_value: NDArray[np.float64]
    dependence: NDArray[np.float64]

    @classmethod
    def of(cls, triples: Iterable[Triple]) -> Triples:
        """Return triples as columns; those that are columns already, as they are."""
        if isinstance(triples, Triples):
            return triples
        listed = list(triples)
        codes = {verdict: code for code, verdict in _VERDICTS.items()}
        return cls(
            np.array([triple.x for triple in listed], np.int32),
            np.array([triple.z for triple in listed], np.int32),
            np.array([triple.y for triple in listed], np.int32),
            np.array([codes[triple.collider] for triple in listed], np.int8),
            np.cumsum([0, *(len(triple.given) for triple in listed)], dtype=np.int64),
            np.array([z for triple in listed for z in triple.given], np.int32),
            np.array([triple.p_value for triple in listed], np.float64),
            np.array([triple.dependence for triple in listed], np.float64),
        )

    def taken(self, rows: NDArray[np.int64]) -> Triples:
        """Return the given rows, in that order."""
        start, given = sets_of(rows, self.start, self.given)
        return Triples(
            self.x[rows], self.z[rows], self.y[rows], self.collider[rows], start, given,
            self.p_value[rows], self.dependence[rows],
        )  # fmt: skip

    def relabelled(self, order: NDArray[np.int64]) -> Triples:
        """Rename variable i to ``order[i]``, x < y as ever; the triples keep their order."""
        x, y = ordered_ends(self.x, self.y, order)
        labels = order.astype(np.int32)
        return replace(self, x=x, z=labels[self.z], y=y, given=labels[self.given])

    def __len__(self) -> int:
        return len(self.x)

    def _made(self) -> tuple[Triple, ...]:
        given, start = self.given.tolist(), self.start.tolist()
        return tuple(
            Triple(x, z, y, _VERDICTS[code], tuple(given[start[i] : start[i + 1]]), p, dependence)
            for i, (x, z, y, code, p, dependence) in enumerate(
                zip(
                    self.x.tolist(),
                    self.z.tolist(),
                    self.y.tolist(),
                    self.collider.tolist(),
                    self.p_value.tolist(),
                    self.dependence.tolist(),
                    strict=True,
                )
            )
        )
