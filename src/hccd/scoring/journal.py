"""What a search by a score tells while it goes on: how far it is, and its state for a checkpoint.

The state is that between two calls of compiled code, some variables apart. It holds all that the rest of the search
depends on, to the last bit: the compiled search, the trees and scores that it remembers (how long kicks go on hangs on
the work, and the work on what is remembered), and chance. So a search that is taken up ends with the same graph.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.table_families import MEMORY_BITS
from hccd.checkpoint import Checkpoint
from hccd.checkpoint.protocol import Arrays
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.graphs.rows import Rows
from hccd.scoring.candidate_parents import CandidateParents
from hccd.scoring.record import BestDag
from hccd.scoring.sound import refuse_unsound

#: Searches by single edges, numbered from 0, come before that over orders, which is followed by the end.
ORDERS, END = 100, 101


@dataclass
class Place:
    """Where a search is.

    ``part`` is the number of the search by single edges at hand, ``ORDERS`` or ``END``. ``sweep``, the variables ``at``
    which it is and how often it ``gained`` are of that part; ``sweep`` is -1 before the first one. ``fruitless``,
    ``share`` and ``enough`` say when kicks end, by the work since the step had ``begun``. ``filling`` counts how often
    missing cells were filled in, ``step`` the searches that are done where one follows another, ``pairs`` how many
    were looked at to begin with, and ``evaluated`` the families that were scored before the cells at hand.
    """

    part: int = 0
    sweep: int = -1
    at: int = 0
    gained: int = 0
    fruitless: int = 0
    filling: int = 0
    pairs: int = 0
    step: int = 0
    evaluated: int = 0
    share: float = 0.0
    enough: float = 0.0
    begun: float = 0.0

    def next_part(self, part: int) -> None:
        """Be at the beginning of another part."""
        self.part, self.sweep, self.at, self.gained, self.fruitless = part, -1, 0, 0, 0

    @classmethod
    def of(cls, numbers: NDArray[np.float64]) -> Place:
        """Take what ``astuple`` gave."""
        if numbers.shape != (len(fields(cls)),):
            raise ValueError("the place in the search is damaged")
        counts, works = numbers[:-3].astype(np.int64), numbers[-3:]
        return cls(*counts.tolist(), *works.tolist())


@dataclass(frozen=True, eq=False)
class ScoreState:
    """The state of a search by a score.

    ``found`` is the best DAG of the parts that are finished, ``start`` the one that the step began with, ``filled_by``
    that by which missing cells were filled in. ``kernel`` is the record of the compiled search.
    """

    place: Place
    found: BestDag
    start: PDAG
    filled_by: PDAG
    candidates: CandidateParents
    kernel: Arrays

    @property
    def reached(self) -> str:
        """What was done before."""
        if self.place.part == END:
            return "the score search is done"
        return f"the score search was at sweep {self.place.sweep + 2:,}"

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as arrays of numbers by name."""
        rows = self.candidates.rows
        lists: dict[str, NDArray[Any]] = (
            {} if rows is None else {"rows_first": rows.first, "rows_neighbors": rows.neighbors}
        )
        found = (self.found.before, self.found.after, self.found.from_learned, self.candidates.price)
        return {
            "place": np.array(astuple(self.place), np.float64),
            "found": np.array(found, np.float64),
            "found_edges": self.found.dag.directed_edges(),
            "start_edges": self.start.directed_edges(),
            "filled_edges": self.filled_by.directed_edges(),
            **lists,
            **self.kernel,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n: int, most_parents: int, constraints: Constraints | None) -> ScoreState:
        """Take what ``to_arrays`` gave; FileFormatError, KeyError, TypeError or ValueError if that cannot be."""
        kernel = dict(arrays)
        place = Place.of(kernel.pop("place"))
        before, after, from_learned, price = kernel.pop("found").tolist()
        dags = []
        for name in ("found_edges", "start_edges", "filled_edges"):
            dags.append(PDAG.from_edges(n, np.ascontiguousarray(kernel.pop(name), np.int32).reshape(-1, 2)))
            if dags[-1].topological_order() is None:
                raise ValueError("the graph has a cycle")
        rows = None
        if "rows_first" in kernel:
            first, neighbors = kernel.pop("rows_first"), kernel.pop("rows_neighbors")
            pairs = np.column_stack([np.repeat(np.arange(n), np.diff(first)), neighbors])
            rows = Rows.of_edges(n, np.ascontiguousarray(pairs[pairs[:, 0] < pairs[:, 1]], np.int32))
            if not (np.array_equal(rows.first, first) and np.array_equal(rows.neighbors, neighbors)):
                raise ValueError("the lists of candidates are damaged")
        by_edges = rows is not None and "edge" in kernel and 0 <= place.part < ORDERS
        if not (by_edges or place.part in (ORDERS, END)) or not (0 <= place.at <= n and place.sweep >= -1):
            raise ValueError("the search is nowhere")
        if place.part != END:
            refuse_unsound(kernel, n, None if rows is None else rows.n_slots, most_parents, 1 << MEMORY_BITS)
        found = BestDag(dags[0], before, after, bool(from_learned))
        return cls(place, found, dags[1], dags[2], CandidateParents(n, rows, price, constraints), kernel)


class ScoreJournal:
    """The link between a search by a score and who follows it.

    Parameters
    ----------
    progress : callable, optional
        Hears how many of the variables the sweep at hand has done, and the share of the whole work, nan if unknown.
    checkpoint, key : optional
        Where the state is left now and then, and the name of this search.
    """

    def __init__(
        self,
        progress: Callable[[int, float], None] | None = None,
        checkpoint: Checkpoint | None = None,
        key: Callable[[], str] | None = None,
    ) -> None:
        self._progress, self._checkpoint, self._key = progress, checkpoint, key
        #: What a run that was stopped left, until the search has taken it over.
        self.state: ScoreState | None = None
        self.place = Place()
        self._filled_by: PDAG | None = None
        self._start: PDAG | None = None

    def resume(self, n: int, most_parents: int, constraints: Constraints | None) -> None:
        """Take over the state that was saved, if any."""
        if self._checkpoint is not None and self._key is not None:
            self.state = self._checkpoint.resume(
                "score", self._key, lambda arrays: ScoreState.from_arrays(arrays, n, most_parents, constraints)
            )

    def begin(self, filling: int, filled_by: PDAG, pairs: int) -> None:
        """Begin with the cells at hand; a state goes on where it was."""
        self._filled_by = filled_by
        evaluated = self.place.evaluated
        self.place = Place(filling=filling, pairs=pairs, evaluated=evaluated)
        if self.state is not None:
            self.place = replace(self.state.place)

    def begin_step(self, step: int, start: PDAG, work: int) -> PDAG:
        """Begin with a search after so much work, and return the DAG to start from; that of a state has its own."""
        if self.state is None:
            self.place.next_part(0)
            self.place.step, self.place.begun = step, float(work)
            self._start = start
        else:
            self._start = self.state.start
        return self._start

    def take(self) -> Arrays | None:
        """Return the record of the compiled search to go on with, once, if there is one."""
        state, self.state = self.state, None
        return None if state is None else state.kernel

    def after(
        self,
        found: BestDag,
        candidates: CandidateParents,
        record: Callable[[], Arrays] | None,
        done: int,
        share: float = math.nan,
    ) -> None:
        """Tell how many variables the sweep at hand has done, and save the state if it is time; no record: the end."""
        if self._progress is not None:
            self._progress(done, share)
        if self._checkpoint is None or not self._checkpoint.due("score", finished=record is None):
            return
        assert self._key is not None
        kernel = {} if record is None else record()
        start, filled_by = self._start or found.dag, self._filled_by or found.dag
        state = ScoreState(replace(self.place), found, start, filled_by, candidates, kernel)
        self._checkpoint.save("score", self._key, state)
