"""Tests that a graph disagrees with, and the reason for each arrow: codes in columns, put into words on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.edges import EdgeArray, sealed
from hccd.graphs.meek import FIRST_REASON
from hccd.orientation.records import Records, ordered_ends

Kind = Literal["dropped", "forced"]

#: The codes of ``Conflicts.reason``: up to 3 they are what became of a claim (see ``_kernels/graphs/acceptance.py``).
OTHERWISE, WEAKER = 0, 2
FORCED, OUTSCORED, SCORED, DENIED, KNOWN = 4, 5, 6, 7, 8
_REASONS = (
    "its edges are re-oriented",
    "colliders need opposite directions of one of its edges",
    "stronger evidence gives one of its edges the other direction",
    "it would close a directed cycle",
    "its edges contradict fewer tests in this direction",
    "the score is higher with other directions",
    "the score is higher with a collider there",
    "your knowledge requires other directions",
    "your knowledge makes it a collider",
)

#: Why an arrow that no rule made is there, as a reason for ``hccd.graphs.meek``.
BY_COLLIDER, BY_FORCE, BY_SCORE, BY_KNOWLEDGE, BY_LINGAM = range(FIRST_REASON, FIRST_REASON + 5)
_ARROW_REASONS = ("", "R1", "R2", "R3", "R4", "collider", "forced", "score", "knowledge", "lingam")
#: ... and the rules that PAGs have besides (``hccd.ancestral.rules``).
_REASONS_OF_MARKS = (*_ARROW_REASONS, "R5", "R6", "R7", "R8", "R9", "R10")


def reason_code(reason: str) -> int:
    """Return the number of a reason."""
    return _REASONS_OF_MARKS.index(reason)


class Conflict(NamedTuple):
    """A triple x - z - y about which the graph disagrees with the tests.

    ``kind`` is ``dropped`` (a collider according to the tests, but not in the graph) or ``forced`` (a collider in the
    graph alone); ``reason`` says why.
    """

    kind: Kind
    x: int
    z: int
    y: int
    p_value: float
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Conflicts(Records[Conflict]):
    """Conflicts as columns; those of the reasons ``FORCED``, ``SCORED``, ``KNOWN`` are forced, all others dropped."""

    x: NDArray[np.int32]
    z: NDArray[np.int32]
    y: NDArray[np.int32]
    p_value: NDArray[np.float64]
    reason: NDArray[np.int8]

    @classmethod
    def none(cls) -> Conflicts:
        """No conflict at all."""
        some = np.empty(0, np.int32)
        return cls(some, some, some, np.empty(0), np.empty(0, np.int8))

    def relabelled(self, order: NDArray[np.int64]) -> Conflicts:
        """Rename variable i to ``order[i]``, x < y as ever; the conflicts keep their order."""
        x, y = ordered_ends(self.x, self.y, order)
        return Conflicts(x, order[self.z].astype(np.int32), y, self.p_value, self.reason)

    def __len__(self) -> int:
        return len(self.x)

    def _made(self) -> tuple[Conflict, ...]:
        columns = (self.x, self.z, self.y, self.p_value, self.reason)
        return tuple(
            Conflict("forced" if code in (FORCED, SCORED, KNOWN) else "dropped", x, z, y, p, _REASONS[code])
            for x, z, y, p, code in zip(*(column.tolist() for column in columns), strict=True)
        )


@dataclass(frozen=True, eq=False, repr=False)
class ArrowReasons(Mapping[tuple[int, int], str]):
    """Why each arrow (i, j) is there: ``collider``, ``score``, ``knowledge``, a rule ``R1`` .. ``R4``, ...

    In a PAG it is the mark at j, arrowhead or tail, and rules go up to ``R10``.
    """

    arrows: EdgeArray
    code: NDArray[np.int8]

    def __post_init__(self) -> None:
        sealed(self.arrows)
        sealed(self.code)

    def relabelled(self, order: NDArray[np.int64]) -> ArrowReasons:
        """Rename variable i to ``order[i]``."""
        return ArrowReasons(order.astype(np.int32)[self.arrows], self.code)

    @cached_property
    def _reasons(self) -> dict[tuple[int, int], str]:
        return {
            (a, b): _REASONS_OF_MARKS[code]
            for (a, b), code in zip(self.arrows.tolist(), self.code.tolist(), strict=True)
        }

    def __getitem__(self, arrow: tuple[int, int]) -> str:
        return self._reasons[arrow]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self.arrows)

    def __repr__(self) -> str:
        return repr(self._reasons)

    def __reduce__(self) -> tuple[Any, tuple[EdgeArray, NDArray[np.int8]]]:
        return ArrowReasons, (self.arrows, self.code)
