"""Why pairs are not adjacent: separations as columns of numbers, and the mapping pair -> separating set.

At 5000 variables twelve million pairs are separated, nearly all of them by nothing at all. So the pairs found
independent without any condition are one boolean matrix, and only the others are listed, column by column.
A pair that is missing was *never separated*; that is different from being separated by the empty set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.adjacency import find_pairs
from hccd.errors import InvalidGraphError
from hccd.graphs.edges import pair_order

Edge = tuple[int, int]


class Separation(NamedTuple):
    """One removed edge x < y: the set that separates its ends, and the p-value of that test (nan: it has none)."""

    edge: Edge
    given: tuple[int, ...]
    p_value: float


@dataclass(frozen=True, eq=False)
class Separations:
    """Separations as columns, sorted by pair (x < y): ``given[start[i]:start[i + 1]]`` separates ``pairs[i]``."""

    pairs: NDArray[np.int32]
    start: NDArray[np.int64]
    given: NDArray[np.int32]
    p_value: NDArray[np.float64]

    def __post_init__(self) -> None:
        for name, kind in (("pairs", np.int32), ("start", np.int64), ("given", np.int32), ("p_value", np.float64)):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), kind))
        if np.min(self.pairs, initial=0) < 0 or np.min(self.given, initial=0) < 0:
            raise InvalidGraphError("Separations name a variable below 0: variables are numbered from 0.")

    @classmethod
    def empty(cls) -> Separations:
        """No separation at all."""
        return cls(np.empty((0, 2), np.int32), np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.float64))

    @classmethod
    def of(cls, found: Mapping[Edge, tuple[Sequence[int], float]]) -> Separations:
        """Separations from a mapping of pairs x < y to their set and p-value."""
        pairs = sorted(found)
        sets = [found[pair][0] for pair in pairs]
        return cls(
            np.array(pairs, np.int32).reshape(-1, 2),
            np.cumsum([0, *map(len, sets)]),
            np.array([z for given in sets for z in given], np.int32),
            np.array([found[pair][1] for pair in pairs], np.float64),
        )

    @classmethod
    def of_one_order(
        cls, pairs: NDArray[np.int32], given: NDArray[np.int32], p_value: NDArray[np.float64]
    ) -> Separations:
        """Separations by sets of one size: one row of ``given`` for each of the sorted ``pairs``."""
        start = np.arange(len(pairs) + 1, dtype=np.int64) * given.shape[1]
        return cls(pairs, start, np.ascontiguousarray(given).ravel(), p_value)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Separation]:
        for i, (x, y) in enumerate(self.pairs.tolist()):
            yield Separation((x, y), self.given_of(i), float(self.p_value[i]))

    def given_of(self, i: int) -> tuple[int, ...]:
        """Return the separating set of row ``i``."""
        return tuple(self.given[self.start[i] : self.start[i + 1]].tolist())

    def taken(self, rows: NDArray[np.int64]) -> Separations:
        """Return the given rows, in that order."""
        return Separations(self.pairs[rows], *sets_of(rows, self.start, self.given), self.p_value[rows])

    @classmethod
    def together(cls, n: int, first: Separations, second: Separations) -> tuple[Separations, NDArray[np.int64]]:
        """Put separations of different pairs among n variables together; also return which row of both each was."""
        both = cls(
            np.concatenate([first.pairs, second.pairs]),
            np.concatenate([first.start, first.start[-1] + second.start[1:]]),
            np.concatenate([first.given, second.given]),
            np.concatenate([first.p_value, second.p_value]),
        )
        return both.relabelled(np.arange(n))

    def relabelled(self, order: NDArray[np.int64]) -> tuple[Separations, NDArray[np.int64]]:
        """Rename variable i to ``order[i]``; also return which old row each new row was."""
        labels = order.astype(np.int32)
        ends = labels[self.pairs[:, 0]], labels[self.pairs[:, 1]]
        x, y = np.minimum(*ends), np.maximum(*ends)
        rows = pair_order(len(order), x, y)
        start, given = sets_of(rows, self.start, self.given)
        pairs = np.column_stack([x[rows], y[rows]])
        return Separations(pairs, start, labels[given], self.p_value[rows]), rows

    def rows_of(self, x: NDArray[np.int32], y: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the row of each pair (x < y), -1 for a pair that is not here."""
        rows = np.empty(len(x), np.int64)
        find_pairs(self.pairs, x, y, rows)
        return rows

    def find(self, x: int, y: int) -> int | None:
        """Return the row of the pair, in either order, or None."""
        x, y = min(x, y), max(x, y)
        low, high = np.searchsorted(self.pairs[:, 0], [x, x + 1])
        row = int(low) + int(np.searchsorted(self.pairs[low:high, 1], y))
        return row if row < high and self.pairs[row, 1] == y else None


def sets_of(
    rows: NDArray[np.int64], start: NDArray[np.int64], given: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the sets of some rows end to end, and where each begins; row -1 has the empty set."""
    sizes = np.where(rows >= 0, start[rows + 1] - start[rows], 0)
    first = np.concatenate([[0], np.cumsum(sizes)])
    source = np.repeat(start[rows] - first[:-1], sizes) + np.arange(first[-1])
    return first, given[source]


class SeparatingSets(Mapping[Edge, tuple[int, ...]]):
    """The separating set of every separated pair (x < y); a pair without one is missing, never empty by default."""

    def __init__(self, marginal: NDArray[np.bool_], separations: Separations) -> None:
        self._marginal = marginal
        self._separations = separations

    def between(self, x: int, y: int) -> tuple[int, ...] | None:
        """Return the set that separated ``x`` and ``y``, in either order; None if nothing ever did."""
        if self._marginal[x, y]:
            return ()
        row = self._separations.find(x, y)
        return None if row is None else self._separations.given_of(row)

    def __getitem__(self, edge: Edge) -> tuple[int, ...]:
        given = self.between(*edge)
        if given is None:
            raise KeyError(edge)
        return given

    def __iter__(self) -> Iterator[Edge]:
        for x in range(len(self._marginal)):
            for y in np.flatnonzero(self._marginal[x, x + 1 :]).tolist():
                yield x, x + 1 + y
        for x, y in self._separations.pairs.tolist():
            yield x, y

    def __len__(self) -> int:
        return int(np.count_nonzero(self._marginal)) // 2 + len(self._separations)
