"""What a run tells while it goes on: events for the caller, and its state for a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hccd._kernels.search.ledger import Ledger
from hccd.checkpoint import Checkpoint, SearchState
from hccd.checkpoint.protocol import Arrays
from hccd.progress import Progress, ProgressFunction, silent
from hccd.wrapper.passes import STAGES, Pass

AfterPart = Callable[[int, int, int, int], None]


class Reached(NamedTuple):
    """How far a run has come: passes, orders of the next one, and pairs of the order after these."""

    passes: int = 0
    order: int = 0
    done: int = 0


class Journal:
    """The link between a run and who follows it.

    ``divisible`` says whether a level may be saved before it is finished.
    """

    def __init__(
        self,
        ledger: Ledger,
        passes: Sequence[Pass],
        n_variables: int,
        n_clusters: int,
        divisible: bool,
        progress: ProgressFunction,
        checkpoint: Checkpoint | None,
        key: Callable[[], str],
    ) -> None:
        self.ledger, self.passes, self.divisible = ledger, passes, divisible
        self.n_variables, self.n_clusters = n_variables, n_clusters
        self.progress, self.checkpoint, self.key = progress, checkpoint, key

    def resume(self) -> Reached:
        """Take over the state that was saved, if any, and say how far it is."""
        state = None if self.checkpoint is None else self.checkpoint.resume("search", self.key, self._read)
        if state is None:
            return Reached()
        self.ledger.restore(dict(state.columns))
        self.ledger.by_stage[:] = map(list, state.by_stage)
        return Reached(state.passes, state.order, state.done)

    def _read(self, arrays: Arrays) -> SearchState:
        state = SearchState.from_arrays(arrays)
        state.check(self.n_variables, len(self.ledger), self.n_clusters, len(self.passes), len(STAGES))
        return state

    def after_part(self, number: int, step: Pass) -> AfterPart | None:
        """Return what a pass calls after each level, and after parts of a long one; None if nobody listens."""
        if self.progress is silent and self.checkpoint is None:
            return None
        heights = self.passes[-1].height + 1

        def call(order: int, pairs: int, done: int, tests: int) -> None:
            whole = done == pairs
            made = sum(map(sum, self.ledger.by_stage)) + (0 if whole else tests)
            self.progress(Progress(STAGES[step.stage], step.height, heights, order, pairs, made, done))
            if whole:
                self._save(Reached(number, order))
            elif self.divisible:
                self._save(Reached(number, order - 1, done))

        return call

    def after_pass(self, number: int) -> None:
        """Save the state if it is time."""
        self._save(Reached(number + 1), finished=number + 1 == len(self.passes))

    def _save(self, reached: Reached, *, finished: bool = False) -> None:
        """Hand the state to the checkpoint, if it is time."""
        if self.checkpoint is not None and self.checkpoint.due("search", finished=finished):
            by_stage = tuple(map(tuple, self.ledger.by_stage))
            columns = self.ledger.record(reached.done)
            self.checkpoint.save("search", self.key, SearchState(reached.passes, reached.order, columns, by_stage))
