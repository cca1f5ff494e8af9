"""How far a search has come, as a value: enough to go on from there, in another process and with other workers.

The state is that between two levels of a pass, with the answers of the next level as far as they go. Variables have
their canonical numbers, so the order and the names of the columns do not enter. Nothing here writes files;
:mod:`hccd.checkpoint.folder` does, for who asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.errors import FileFormatError
from hccd.graphs.separators import Separations
from hccd.wrapper.trace import STAGES, Removals


@dataclass(frozen=True, eq=False)
class LevelState:
    """The answers to the first pairs of a level that is not finished.

    ``tests`` holds how many tests each pair took, negative if it is to fall; ``statistic``, ``freedom`` and ``given``
    (sets of equal size, end to end) run along those that fall.
    """

    tests: NDArray[np.int64]
    statistic: NDArray[np.float64]
    freedom: NDArray[np.int64]
    given: NDArray[np.int32]

    @classmethod
    def empty(cls) -> LevelState:
        """No pair has been asked."""
        return cls(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64), np.empty(0, np.int32))

    def fits(self, order: int, n_variables: int) -> bool:
        """Whether these can be answers of a level of this order."""
        fallen = int(np.count_nonzero(self.tests < 0))
        return (
            self.statistic.shape == self.freedom.shape == (fallen,)
            and self.given.shape == (fallen * order,)
            and _within(self.given, n_variables)
        )


@dataclass(frozen=True, eq=False)
class SearchState:
    """The graph of a search.

    ``passes`` are finished, of the next one all orders up to ``order``, and of the order after that ``level``.
    ``removals`` tells why edges fell. The ``seen`` and ``home`` arrays have an entry for each pair that is dependent
    without condition: what the passes know of it. ``outer`` bounds each variable's strength with any that is not its
    neighbour; ``by_stage`` and ``by_cluster`` count the tests.
    """

    passes: int
    order: int
    removals: Removals
    seen: NDArray[np.uint8]
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    outer: NDArray[np.float64]
    by_stage: tuple[tuple[int, ...], ...]
    by_cluster: NDArray[np.int64]
    level: LevelState

    @property
    def tests(self) -> int:
        """How many tests have been made."""
        return sum(map(sum, self.by_stage)) + int(np.abs(self.level.tests).sum())

    def check(self, n_variables: int, n_pairs: int, n_clusters: int, n_passes: int) -> None:
        """Refuse a state that cannot be one of a search of this size: compiled code goes by these numbers."""
        pairs, given = self.removals.separations.pairs, self.removals.separations.given
        along_pairs = (self.seen, self.home_start, self.home_stop, self.home_order)
        fits = (
            0 <= self.passes < n_passes
            and 0 <= self.order <= n_variables
            and all(column.shape == (n_pairs,) for column in along_pairs)
            and self.outer.shape == (n_variables,)
            and self.by_cluster.shape == (n_clusters,)
            and len(self.by_stage) == len(STAGES)
            and self.removals.stage.shape == self.removals.cluster.shape == (len(pairs),)
            and _within(self.removals.stage, len(STAGES))
            and _within(self.removals.cluster, n_clusters)
            and _within(pairs, n_variables)
            and _within(given, n_variables)
            and _within(self.home_start, n_variables + 1)
            and _within(self.home_stop, n_variables + 1)
            and _within(self.home_order, n_variables + 1)
            and self.level.fits(self.order + 1, n_variables)
        )
        if not fits:
            raise FileFormatError("the state does not fit the search: begin anew")

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as arrays of numbers by name."""
        separations = self.removals.separations
        return {
            "progress": np.array([self.passes, self.order], np.int64),
            "pairs": separations.pairs,
            "start": separations.start,
            "given": separations.given,
            "p_value": separations.p_value,
            "stage": self.removals.stage,
            "cluster": self.removals.cluster,
            "seen": self.seen,
            "home_start": self.home_start,
            "home_stop": self.home_stop,
            "home_order": self.home_order,
            "outer": self.outer,
            "orders": np.array([len(counts) for counts in self.by_stage], np.int64),
            "by_stage": np.array([count for counts in self.by_stage for count in counts], np.int64),
            "by_cluster": self.by_cluster,
            **{f"level_{name}": getattr(self.level, name) for name in ("tests", "statistic", "freedom", "given")},
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> SearchState:
        """Take what ``to_arrays`` gave; KeyError, TypeError or ValueError if that cannot be."""

        def column(name: str, kind: type[np.generic]) -> NDArray[Any]:
            array = arrays[name]
            if array.dtype != kind or array.ndim != (2 if name == "pairs" else 1):
                raise ValueError(f"{name} is of a wrong kind")
            return array

        start = column("start", np.int64)
        pairs, given = column("pairs", np.int32), column("given", np.int32)
        sizes = np.diff(start)
        if len(start) != len(pairs) + 1 or pairs.shape[1:] != (2,) or start[0] != 0 or start[-1] != len(given):
            raise ValueError("the separations are cut off")
        if (sizes < 1).any() or len(column("p_value", np.float64)) != len(pairs):
            raise ValueError("the separations do not fit together")
        passes, order = column("progress", np.int64).tolist()
        counts = iter(column("by_stage", np.int64).tolist())
        by_stage = tuple(tuple(next(counts) for _ in range(n)) for n in column("orders", np.int64).tolist())
        return cls(
            passes,
            order,
            Removals(
                Separations(pairs, start, given, arrays["p_value"]),
                column("stage", np.int8),
                column("cluster", np.int32),
            ),
            column("seen", np.uint8),
            column("home_start", np.int32),
            column("home_stop", np.int32),
            column("home_order", np.int32),
            column("outer", np.float64),
            by_stage,
            column("by_cluster", np.int64),
            LevelState(
                column("level_tests", np.int64),
                column("level_statistic", np.float64),
                column("level_freedom", np.int64),
                column("level_given", np.int32),
            ),
        )


class Checkpoint(Protocol):
    """Where a search leaves its state now and then.

    ``key()`` names the search: data, test, clusters and limits. It reads all of the data when first called, so who need
    not know should not ask.
    """

    def resume(self, key: Callable[[], str], check: Callable[[SearchState], None]) -> SearchState | None:
        """Return the state that was saved last under this key, if there is one and ``check`` accepts it.

        ``check`` raises ``FileFormatError`` for a state that cannot be gone on with.
        """
        ...

    def due(self) -> bool:
        """Whether it is time to save."""
        ...

    def save(self, key: Callable[[], str], state: SearchState) -> None:
        """Keep the state, and no longer the one before."""
        ...


def _within(numbers: NDArray[Any], below: int) -> bool:
    """Whether all are from 0 to below."""
    return not numbers.size or bool(numbers.min() >= 0 and numbers.max() < below)
