"""The runs of the leaderboard: other packages first, whose graphs are kept apart, then ours, then every graph measured.

Two files grow: ``peers.jsonl`` holds graphs of other packages and knows nothing of our version, ``runs.jsonl`` what was
measured. A method of ours whose options change is run again, and no other; with another cap only what it concerns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hccd.parallel import as_they_come, worker_count
from hccd.studies.board_data import kind_of
from hccd.studies.board_runs import digest, measure_board
from hccd.studies.description import Method, Study
from hccd.studies.peer_runs import given_up, peer_case, peer_cases, peer_store, reason, run_peers, settled
from hccd.studies.peer_script import PEERS
from hccd.studies.peer_server import PeerServer
from hccd.studies.run_store import Case, Row, RunStore
from hccd.studies.sources import Folders
from hccd.version import __version__

NOT_TAKEN = "n/a"
Task = tuple[Any, ...]
"""What `measure_board` takes."""


@dataclass(frozen=True)
class Board:
    """What the runs came to.

    Attributes
    ----------
    data_sets : tuple of str
        In the order of the description.
    methods : tuple of Method
        Ours, then those of other packages.
    sets : int
        How many sets each data set has.
    cap : float
        CPU seconds that a run may use.
    versions : mapping
        The other packages that took part.
    entries : tuple of mapping
        The runs; ``status`` is empty, or says why there is no graph.
    """

    data_sets: tuple[str, ...]
    methods: tuple[Method, ...]
    sets: int
    cap: float
    versions: Mapping[str, str]
    entries: tuple[Mapping[str, Any], ...]

    def status(self, data_set: str, method: str) -> str:
        """Say why a method has no result on a data set; nothing if it has."""
        if method in PEERS and kind_of(data_set) not in PEERS[method].kinds:
            return NOT_TAKEN
        return next((entry["status"] for entry in self.runs(data_set, method) if entry["status"]), "")

    def runs(self, data_set: str, method: str) -> Sequence[Mapping[str, Any]]:
        """Return the runs of a method on a data set."""
        return self._by_cell.get((data_set, method), ())

    @cached_property
    def _by_cell(self) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
        found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for entry in self.entries:
            found.setdefault((entry["case"]["data_set"], entry["method"]), []).append(entry)
        return found


def run_board(
    study: Study,
    properties: Mapping[str, Any],
    folder: Path,
    folders: Folders,
    python: str | None,
    n_jobs: int | None,
    progress: Callable[[int, int, float | None], None],
) -> Board:
    """Make the runs that are missing, and return all.

    Parameters
    ----------
    study : Study
        The description.
    properties : mapping
        ``data_set``, a list; ``sets``, how many of each; ``cap``, CPU seconds.
    folder : Path
        Where finished runs are kept.
    folders : Folders
        Where data are that do not come with the package.
    python : str, optional
        The interpreter that has the other packages.
    n_jobs : int, optional
        Number of processes.
    progress : callable
        Hears of progress.
    """
    data_sets, sets, cap = properties["data_set"], properties["sets"], float(properties["cap"])
    packages = {PEERS[name].package for name in study.peers}
    versions = {name: version for name, version in PeerServer(python).versions().items() if name in packages}
    others = [name for name in study.peers if PEERS[name].package in versions]
    peers = peer_cases(data_sets, sets, others, versions)
    own = [
        (_own_case(data_set, number, method), method)
        for number in range(1, sets + 1)
        for data_set in data_sets
        for method in study.methods
    ]
    archives = folders.mmhc is not None
    measured = RunStore(folder / "runs.jsonl", {"study": study.runs, "version": __version__, "archives": archives})
    board = _BoardProgress(progress, len(own) + 2 * len(peers))
    found = peer_store(folder / "peers.jsonl", folders) if peers else None
    if found is not None:
        run_peers(peers, found, python, cap, folders, worker_count(n_jobs), board.at)
        tasks: list[Task] = [
            (_peer_case(case, row), None, row, cap, folders)
            for case in peers
            if (row := settled(case, found, cap)) is not None and "seconds" in row
        ]
        _measure(tasks, measured, cap, n_jobs, board, len(peers))
    for number in range(1, sets + 1):
        current = [(case, method) for case, method in own if case["set"] == number]
        tasks = [
            (case, method.options, None, cap, folders) for case, method in current if not given_up(case, measured, cap)
        ]
        _measure(tasks, measured, cap, n_jobs, board, 2 * len(peers) + (number - 1) * len(current))
    board.at(board.runs)

    def run_of(data_set: str, number: int, label: str) -> Row | None:
        if label not in others:
            case = _own_case(data_set, number, study.method(label))
            return None if given_up(case, measured, cap) else settled(case, measured, cap)
        case = peer_case(data_set, number, label, versions)
        if found is None or given_up(case, found, cap):
            return None
        graph = settled(case, found, cap)
        if graph is None or "seconds" not in graph:
            return graph
        return settled(_peer_case(case, graph), measured, cap)

    labels = [*(method.label for method in study.methods), *others]
    return Board(
        data_sets=tuple(data_sets),
        methods=tuple(map(Method, labels)),
        sets=sets,
        cap=cap,
        versions=versions,
        entries=tuple(
            _entry(data_set, number, label, row, cap)
            for data_set in data_sets
            for number in range(1, sets + 1)
            for label in labels
            if (row := run_of(data_set, number, label)) is not None
        ),
    )


def missing_packages(study: Study, versions: Mapping[str, str]) -> list[str]:
    """Return the packages that are not there."""
    return sorted({PEERS[name].package for name in study.peers} - set(versions))


def _own_case(data_set: str, number: int, method: Method) -> Case:
    return {"data_set": data_set, "set": number, "method": method.label, "options": dict(method.options)}


def _peer_case(case: Mapping[str, Any], found: Row) -> Case:
    return {"data_set": case["data_set"], "set": case["set"], "method": case["method"], "graph": digest(found)}


def _entry(data_set: str, number: int, label: str, row: Row, cap: float) -> dict[str, Any]:
    finished = "seconds" in row
    return {
        "case": {"data_set": data_set, "set": number},
        "method": label,
        "values": row["values"] if finished else {},
        "seconds": row["seconds"] if finished else None,
        "status": "" if finished else reason(row, cap),
    }


class _BoardProgress:
    """How many of all runs are done, and how long the rest may take."""

    def __init__(self, progress: Callable[[int, int, float | None], None], runs: int) -> None:
        self.runs = runs
        self._progress = progress
        self._start = time.monotonic()
        self._before: int | None = None
        progress(0, runs, None)

    def at(self, done: int) -> None:
        """Tell how many are done."""
        if self._before is None:
            # What was finished before took no time now.
            self._before = done - 1
        pace = (time.monotonic() - self._start) / max(done - self._before, 1)
        self._progress(done, self.runs, pace * (self.runs - done))


def _measure(
    tasks: Sequence[Task], store: RunStore, cap: float, n_jobs: int | None, board: _BoardProgress, before: int
) -> None:
    missing = [task for task in tasks if settled(task[0], store, cap) is None]
    done = before + len(tasks) - len(missing)
    for finished, (case, rows) in enumerate(as_they_come(measure_board, missing, n_jobs), 1):
        store.add({"case": case, "rows": rows})
        board.at(done + finished)
