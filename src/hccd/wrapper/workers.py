"""Who asks the questions of a level: one hand, several threads over the same ledger, or workers elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.search.calling import CallingSearch
from hccd._kernels.search.foreseen import ForeseenSearch
from hccd._kernels.search.ledger import Ledger
from hccd._kernels.search.level import LevelSearch
from hccd.independence import BoundCITest, Level, LevelOutcome, answer
from hccd.parallel import Cluster, cluster_in_use, even_chunks, in_threads, map_independent, shares_memory, worker_count

_STAY = (
    "the tests are made on this machine, because sending a compiled test to a Dask worker takes longer than making it: "
    "the workers get resamples, tests in Python and whole clusters of variables"
)
#: Seconds of a question of which nothing is known, and how much the levels before count.
_UNKNOWN, _FORGOTTEN = 1e-3, 0.5


class Workers(Protocol):
    """What the ledger asks of them; ``least`` pairs are worth handing out at once."""

    least: int

    def ask(self, order: int, live: bool, begin: int, end: int) -> int:
        """Answer a run of pairs; return the largest degrees of freedom without a critical value, or -1."""
        ...

    def need_critical(self, freedom: int) -> None:
        """Get the critical values for up to this many degrees of freedom."""
        ...


def workers_for(
    ledger: Ledger,
    ci: BoundCITest,
    association: NDArray[np.float64],
    by_strength: bool,
    position: NDArray[np.int32],
    live: bool,
    n_jobs: int | None,
) -> Workers:
    """Return as many workers as ``n_jobs`` says, of the kind that joblib's context asks for; or those of a cluster.

    In a live level (original PC) an edge that falls is gone at once, so one worker asks all edges of a cluster. A
    Dask cluster gets tests that take longer than their way there.
    """
    count, cluster = worker_count(n_jobs), cluster_in_use()
    outer = np.asarray(ledger.outer)
    searches = [ci.searcher(association, outer, by_strength, position)]
    if isinstance(searches[0], ForeseenSearch):
        # All tables that a level needs are counted in the same passes over the rows, so one hand asks for all of them.
        return _Hands(ledger, searches, np.iinfo(np.int32).max)
    far = cluster is not None and isinstance(searches[0], CallingSearch) and cluster.is_worth(ci)
    if cluster is not None and not far:
        cluster.say_once(_STAY)
    if not far and (count == 1 or shares_memory()):
        searches += [ci.searcher(association, outer, by_strength, position) for _ in range(count - 1)]
        return _Hands(ledger, searches)
    nothing = np.zeros(0, np.int32)
    level = Level(
        0, nothing, nothing, nothing, nothing, nothing, position, np.zeros(0, np.int64), nothing, nothing,
        association, outer, by_strength, live,
    )  # fmt: skip
    if cluster is not None and far:
        return _Far(ledger, ci, level, cluster)
    return _Processes(ledger, ci, level, 4 * count, n_jobs)


class _Hands:
    """Searches that look at the ledger's own lists: one, or one for each thread."""

    def __init__(self, ledger: Ledger, searches: Sequence[LevelSearch], least: int | None = None) -> None:
        self.ledger, self.searches = ledger, list(searches)
        few = 1 if len(self.searches) == 1 else self.searches[0].grain * len(self.searches)
        self.least = few if least is None else least
        for search in self.searches:
            ledger.attach(search)

    def ask(self, order: int, live: bool, begin: int, end: int) -> int:
        """Answer a run of pairs; few of them are not worth a second hand."""
        hands = self.searches[:1] if end - begin < 2 * self.searches[0].grain else self.searches
        self.ledger.begin_run(begin)
        if len(hands) == 1:
            self.ledger.walk(hands[0], order, live, end)
        else:
            in_threads(self.ledger.walk, [(search, order, live, end) for search in hands])
        return max(search.missing_freedom for search in hands)

    def need_critical(self, freedom: int) -> None:
        """Get the critical values for up to this many degrees of freedom."""
        for search in self.searches:
            search.need_critical(freedom)


class _Processes:
    """Workers that share no memory: each gets a part of the questions and sends back its answers."""

    #: A chunk of pairs has to be worth its journey.
    grain = 16

    def __init__(self, ledger: Ledger, ci: BoundCITest, level: Level, chunks: int, n_jobs: int | None) -> None:
        self.ledger, self.ci, self.level, self.n_jobs = ledger, ci, level, n_jobs
        self.chunks = chunks
        # What falls in a live level is not seen in this process, so all of it must be sent at once.
        self.least = np.iinfo(np.int32).max if level.live else self.grain * self.chunks

    def ask(self, order: int, live: bool, begin: int, end: int) -> int:
        """Answer a run of pairs; each worker finds its own critical values."""
        questions = self.ledger.questions(begin, end)
        count = max(1, min(self.chunks, (end - begin) // self.grain))
        chunks = np.split(np.arange(end), self.ledger.blocks()[:-1]) if live else even_chunks(end - begin, count)
        tasks = [tuple(column[rows] for column in questions) for rows in chunks]
        outcomes = map_independent(_answered, tasks, self.n_jobs, self._shared(order, self.ledger.graph()))
        self._note(begin, order, [outcome for _, outcome in outcomes])
        return -1

    def _shared(self, order: int, graph: tuple[NDArray[Any], ...]) -> tuple[Any, ...]:
        """Return what all chunks need; what bounds strengths rises as pairs fall, all else of the level stays."""
        return self.ci, self.level, (order, *graph, self.level.outer.copy())

    def _note(self, begin: int, order: int, outcomes: Sequence[LevelOutcome]) -> None:
        """Write down the answers to runs of pairs that follow each other."""
        self.ledger.note(begin, order, *(np.concatenate(columns) for columns in zip(*outcomes, strict=True)))

    def need_critical(self, freedom: int) -> None:
        """Nothing is missing here."""


class _Far(_Processes):
    """The workers of a Dask cluster: a level becomes pieces of about equal work, or is answered here if it is short.

    How many questions a pair takes is not known before, but how many there are at most is; and so is how long it took
    in the levels before, divided by that number.
    """

    def __init__(self, ledger: Ledger, ci: BoundCITest, level: Level, cluster: Cluster) -> None:
        super().__init__(ledger, ci, level, 1, None)
        self.cluster = cluster
        pace = cluster.pace(ci)
        #: Pairs, possible questions, and seconds of the levels so far, the older the less.
        self.spent = np.array([1.0, 8.0, 4.0 * (_UNKNOWN if pace is None else pace)])
        self._divide_long_levels()

    def ask(self, order: int, live: bool, begin: int, end: int) -> int:
        """Answer a run of pairs, by pieces of which the longest begins first."""
        questions, graph = self.ledger.questions(begin, end), self.ledger.graph()
        possible = _possible(order, questions, graph, self.level.position)
        expected = possible * self.spent[2] / self.spent[1]
        pieces = self.cluster.pieces(float(expected.sum()))
        ends = self.ledger.blocks()[:-1] if live else _even(expected, pieces)
        shared = self._shared(order, graph)
        if pieces < 2:
            outcomes = [_answered(*shared, *questions)]
        else:
            chunks = np.split(np.arange(end - begin), ends)
            by_length = np.argsort([-expected[rows].sum() for rows in chunks], kind="stable")
            tasks = [tuple(column[chunks[number]] for column in questions) for number in by_length]
            found = map_independent(_answered, tasks, 1, shared)
            outcomes = [found[place] for place in np.argsort(by_length)]
        self._note(begin, order, [outcome for _, outcome in outcomes])
        now = np.array([end - begin, possible.sum(), sum(seconds for seconds, _ in outcomes)])
        self.spent = self.spent * _FORGOTTEN + now
        self._divide_long_levels()
        return -1

    def _divide_long_levels(self) -> None:
        """Ask for as many pairs at once as keep the workers busy for about a second, so that a level can be saved."""
        if not self.level.live:
            self.least = max(1, int(max(1, self.cluster.threads) * self.spent[0] / self.spent[2]))


def _possible(
    order: int, questions: tuple[NDArray[Any], ...], graph: tuple[NDArray[Any], ...], position: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return for each pair how many sets there are at most that it has to be asked about; at least a little."""
    first, neighbors, degree = graph

    def beyond_home(v: int, start: int, stop: int) -> int:
        """Count the sets of neighbours of an end, without the other end, that do not lie at home."""
        at = position[neighbors[first[v] : first[v] + degree[v]]]
        known = int(((at >= start) & (at < stop)).sum())
        return comb(int(degree[v]) - 1, order) - comb(max(known - 1, 0), order)

    count = [
        sum(beyond_home(v, start, stop if order <= home else start) for v in (x, y))
        for x, y, start, stop, home in zip(*(column.tolist() for column in questions), strict=True)
    ]
    return np.maximum(count, 0.1)


def _even(work: NDArray[np.float64], pieces: int) -> NDArray[np.int64]:
    """Return where runs of about equal work end, the last one left out."""
    reached = np.cumsum(work)
    ends = np.searchsorted(reached, reached[-1] * np.arange(1, max(pieces, 1)) / max(pieces, 1)) + 1
    return np.unique(ends[ends < len(work)])


def _answered(
    ci: BoundCITest,
    level: Level,
    graph: tuple[int, NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]],
    x: NDArray[np.int32],
    y: NDArray[np.int32],
    home_start: NDArray[np.int32],
    home_stop: NDArray[np.int32],
    home_order: NDArray[np.int32],
) -> tuple[float, LevelOutcome]:
    """Answer the questions about some pairs of a level, by the graph at hand; tell how long it took."""
    began = perf_counter()
    order, first, neighbors, degree, outer = graph
    asked = level._replace(
        order=order, x=x, y=y, home_start=home_start, home_stop=home_stop, home_order=home_order,
        first=first, neighbors=neighbors, degree=degree, outer=outer,
    )  # fmt: skip
    outcome = answer(ci, asked)
    return perf_counter() - began, outcome
