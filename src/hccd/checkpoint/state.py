"""How far a search has come, as a value: enough to go on from there, in another process and with other workers.

The state is that between two levels of a pass, or between two parts of a level: the columns of the ledger as they are,
with the answers of the level at hand as far as they go. Variables have their canonical numbers, so the order and the
names of the columns do not enter. Nothing here writes files; ``CheckpointFolder`` does, for who asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import FileFormatError

#: The columns of a ledger's record, with their types.
_TYPES: dict[str, type[np.generic]] = {
    "seen": np.uint8,
    "home_start": np.int32,
    "home_stop": np.int32,
    "home_order": np.int32,
    "fell_order": np.int32,
    "fell_stage": np.int8,
    "fell_cluster": np.int32,
    "statistic": np.float64,
    "freedom": np.int64,
    "given_start": np.int64,
    "outer": np.float64,
    "by_cluster": np.int64,
    "given": np.int32,
    "tests": np.int64,
    "used": np.int64,
}


@dataclass(frozen=True, eq=False)
class SearchState:
    """The state of a search.

    ``passes`` are finished, of the next one all orders up to ``order``, and of the order after that as many pairs as
    ``columns["tests"]`` has entries. ``columns`` are those of the ledger (``Ledger.record``); ``by_stage`` counts the
    tests by stage and order.
    """

    passes: int
    order: int
    columns: Mapping[str, NDArray[Any]]
    by_stage: tuple[tuple[int, ...], ...]

    @property
    def done(self) -> int:
        """How many pairs of the unfinished level are answered."""
        return len(self.columns["tests"])

    @property
    def tests(self) -> int:
        """How many tests have been made."""
        return sum(map(sum, self.by_stage)) + int(np.abs(self.columns["tests"]).sum())

    @property
    def reached(self) -> str:
        """What was done before."""
        return f"{self.tests:,} tests are done"

    def check(self, n_variables: int, n_pairs: int, n_clusters: int, n_passes: int, n_stages: int) -> None:
        """Refuse a state that cannot be one of a search of this size: compiled code goes by these numbers."""
        column = self.columns
        lengths = {"outer": n_variables, "by_cluster": n_clusters, "used": 1}
        lengths |= {"given": len(column["given"]), "tests": self.done}
        below = {
            "home_start": n_variables + 1,
            "home_stop": n_variables + 1,
            "home_order": n_variables + 1,
            "fell_stage": n_stages,
            "fell_cluster": n_clusters,
            "given": n_variables,
            "used": len(column["given"]) + 1,
        }
        # The sets of pairs that fell, and of those that fall when their level is finished, lie within what is given.
        fell = np.maximum(column["fell_order"], 0)
        pending = int(column["used"][0]) + self.done * (self.order + 1) if self.done else 0
        fits = (
            0 <= self.passes <= n_passes
            and 0 <= self.order <= n_variables
            and len(self.by_stage) == n_stages
            and self.done <= n_pairs
            and all(column[name].shape == (lengths.get(name, n_pairs),) for name in _TYPES)
            and all(_within(column[name], 0, below[name]) for name in below)
            and _within(column["fell_order"], -1, n_variables)
            and _within(column["given_start"], 0, len(column["given"]) + 1)
            and _within(column["given_start"] + fell, 0, len(column["given"]) + 1)
            and pending <= len(column["given"])
        )
        if not fits:
            raise FileFormatError("the saved state does not fit the search, which starts from the beginning")

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as arrays of numbers by name."""
        return {
            "progress": np.array([self.passes, self.order], np.int64),
            "orders": np.array([len(counts) for counts in self.by_stage], np.int64),
            "by_stage": np.array([count for counts in self.by_stage for count in counts], np.int64),
            **self.columns,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> SearchState:
        """Take what ``to_arrays`` gave; KeyError, TypeError or ValueError if that cannot be."""

        def column(name: str, kind: type[np.generic]) -> NDArray[Any]:
            if arrays[name].dtype != kind or arrays[name].ndim != 1:
                raise ValueError(f"{name} is of a wrong kind")
            return arrays[name]

        passes, order = column("progress", np.int64).tolist()
        counts = column("by_stage", np.int64).tolist()
        orders = column("orders", np.int64)
        if (orders < 0).any() or orders.sum() != len(counts):
            raise ValueError("the counts are cut off")
        ends = np.cumsum(orders).tolist()
        by_stage = tuple(tuple(counts[end - n : end]) for end, n in zip(ends, orders.tolist(), strict=True))
        return cls(passes, order, {name: column(name, kind) for name, kind in _TYPES.items()}, by_stage)


def _within(numbers: NDArray[Any], first: int, below: int) -> bool:
    """Whether all are from ``first`` to below."""
    return not numbers.size or bool(numbers.min() >= first and numbers.max() < below)
