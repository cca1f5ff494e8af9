"""From the ledger of a search to its state and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.ledger import Ledger
from hccd.errors import FileFormatError
from hccd.wrapper.state import Checkpoint, LevelState, SearchState
from hccd.wrapper.trace import Removals


@dataclass(frozen=True)
class Keeping:
    """A checkpoint and the key under which a search uses it."""

    checkpoint: Checkpoint
    key: Callable[[], str]

    def found(
        self, book: Ledger, x: NDArray[np.int32], y: NDArray[np.int32], n_passes: int
    ) -> tuple[SearchState, NDArray[np.int64]] | None:
        """Return the state that was kept of this search, and the rows of the ledger that have fallen in it."""
        n, m = len(book.outer), len(x)

        def rows_of(state: SearchState) -> NDArray[np.int64]:
            numbers = x.astype(np.int64) * n + y
            pairs = state.removals.separations.pairs.astype(np.int64)
            return np.searchsorted(numbers, pairs[:, 0] * n + pairs[:, 1])

        def check(state: SearchState) -> None:
            state.check(n, m, len(book.by_cluster), n_passes)
            rows = rows_of(state)
            pairs = state.removals.separations.pairs
            if (np.diff(rows) <= 0).any() or (rows >= m).any() or (np.column_stack([x[rows], y[rows]]) != pairs).any():
                raise FileFormatError("the state is about other pairs of variables: begin anew")

        state = self.checkpoint.resume(self.key, check)
        return None if state is None else (state, rows_of(state))


def take_over(book: Ledger, state: SearchState, rows: NDArray[np.int64]) -> None:
    """Put the ledger into a state in which the pairs of ``rows`` have fallen."""
    np.asarray(book.alive)[rows] = 0
    np.asarray(book.fell_order)[rows] = np.diff(state.removals.separations.start)
    np.asarray(book.fell_stage)[rows] = state.removals.stage
    np.asarray(book.fell_cluster)[rows] = state.removals.cluster
    for column, kept in (
        (book.seen, state.seen),
        (book.home_start, state.home_start),
        (book.home_stop, state.home_stop),
        (book.home_order, state.home_order),
        (book.outer, state.outer),
        (book.by_cluster, state.by_cluster),
    ):
        np.asarray(column)[:] = kept


def begin_level(book: Ledger, level: LevelState) -> int:
    """Fill the answers that are known into the first level of a ledger, and return how many there are."""
    done, fallen = len(level.tests), level.tests < 0
    if done > book.n_todo:
        return 0
    order = len(level.given) // max(1, len(level.statistic))
    rows, places = np.asarray(book.todo)[:done][fallen], np.flatnonzero(fallen) * order
    np.asarray(book.tests)[:done] = level.tests
    np.asarray(book.statistic)[rows] = level.statistic
    np.asarray(book.freedom)[rows] = level.freedom
    np.asarray(book.given_start)[rows] = places
    np.asarray(book.given)[places[:, None] + np.arange(order)] = level.given.reshape(len(rows), order)
    return done


def level_of(book: Ledger, order: int, done: int) -> LevelState:
    """Return the answers to the first pairs of the level that a ledger is at."""
    tests = np.array(book.tests)[:done]
    rows = np.asarray(book.todo)[:done][tests < 0]
    given = np.asarray(book.given)[np.asarray(book.given_start)[rows][:, None] + np.arange(order)]
    return LevelState(
        tests, np.asarray(book.statistic)[rows], np.asarray(book.freedom)[rows], given.ravel().astype(np.int32)
    )


def state_of(
    book: Ledger, removals: Removals, by_stage: Sequence[Sequence[int]], passes: int, order: int, done: int
) -> SearchState:
    """Return the state of a search after some passes, some orders of the next, and some pairs of the next order.

    Nothing in it changes later.
    """
    return SearchState(
        passes=passes,
        order=order,
        removals=removals,
        seen=np.array(book.seen),
        home_start=np.array(book.home_start),
        home_stop=np.array(book.home_stop),
        home_order=np.array(book.home_order),
        outer=np.array(book.outer),
        by_stage=tuple(map(tuple, by_stage)),
        by_cluster=np.array(book.by_cluster),
        level=level_of(book, order + 1, done) if done else LevelState.empty(),
    )
