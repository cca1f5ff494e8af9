"""A study from its description to its files: what is not finished is run, then everything is written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hccd.errors import InvalidParameterError
from hccd.parallel import as_they_come, working_on
from hccd.studies.cases import cases
from hccd.studies.description import SCALES, Study, load_study
from hccd.studies.run_store import Case, Row, RunStore, key_of
from hccd.studies.sources import Folders
from hccd.version import __version__

StudyProgress = Callable[[int, int, float | None], None]
"""Called with the number of finished runs, of all runs, and the seconds that are left, None if not known."""


@dataclass(frozen=True)
class Outcome:
    """What a study came to.

    Attributes
    ----------
    folder : Path
        Where its files are.
    table : str
        The tables in Markdown.
    left_out : tuple of str
        Data sets that were not to be had.
    not_installed : tuple of str
        Other packages that were not to be had.
    """

    folder: Path
    table: str
    left_out: tuple[str, ...]
    not_installed: tuple[str, ...] = ()


def reproduce(
    name: str,
    out: str | os.PathLike[str],
    *,
    scale: str = "quick",
    folders: Folders | None = None,
    n_jobs: int | None = None,
    progress: StudyProgress | None = None,
    replaced: Mapping[str, Any] | None = None,
    peers: str | None = None,
    client: Any = None,
    note: Callable[[str], None] | None = None,
) -> Outcome:
    """Carry out a study, or what is left of it, and write its tables and figures.

    Parameters
    ----------
    name : str
        One of `study_names`.
    out : path
        A folder; the study's files are put into the subfolder of its name.
    scale : {"quick", "paper"}
        A few runs of each kind, or as many as in the paper.
    folders : Folders, optional
        Where data are that do not come with the package.
    n_jobs : int, optional
        Number of processes; the results do not depend on it.
    progress : callable, optional
        Hears of progress.
    replaced : mapping, optional
        Properties of the runs that replace those of the scale, for example ``{"graphs": 2}``.
    peers : str, optional
        For the leaderboard: the Python interpreter that has the other packages; the running one by default.
    client : str or distributed.Client, optional
        Whose workers make the runs, as for `hccd.discover`; folders must be the same there.
    note : callable, optional
        Hears sentences about what happens to the workers.
    """
    with working_on(client, n_jobs, note or _unheard):
        return _reproduced(name, out, scale, folders, n_jobs, progress, replaced, peers)


def _reproduced(
    name: str,
    out: str | os.PathLike[str],
    scale: str,
    folders: Folders | None,
    n_jobs: int | None,
    progress: StudyProgress | None,
    replaced: Mapping[str, Any] | None,
    peers: str | None,
) -> Outcome:
    study = load_study(name)
    if peers is not None and study.kind != "leaderboard":
        raise InvalidParameterError(f"--peers is {peers!r}: it is for the study leaderboard only, leave it out")
    if scale not in SCALES:
        raise InvalidParameterError(f"the scale is {scale!r}: choose one of {', '.join(SCALES)}")
    given = folders or Folders()
    given.check()
    properties = {**study.scales[scale], **(replaced or {})}
    wanted, left_out = [], set()
    for case in cases(properties):
        if "data_set" in case and not given.offers(case["data_set"]):
            left_out.add(case["data_set"])
        else:
            wanted.append(case)
    if not wanted:
        raise InvalidParameterError(f"the study {name!r} has nothing to run on: give --mmhc or --neuropain")
    if study.kind == "leaderboard":
        return _board(study, scale, Path(out), properties, sorted(left_out), given, peers, n_jobs, progress or _silent)
    heading = {
        "study": study.runs,
        "properties": properties,
        "methods": [asdict(method) for method in study.methods],
        "archives": given.mmhc is not None,
        "version": __version__,
    }
    try:
        store = RunStore(Path(out, study.runs, "runs.jsonl"), heading)
        _run_missing(study, wanted, store, given, n_jobs, progress or _silent)
        from hccd.studies.report import write_report

        rows = [{"case": case, **row} for case in wanted for row in store.runs[key_of(case)]["rows"]]
        table = write_report(study, scale, rows, Path(out, name), sorted(left_out))
    except OSError as error:
        raise _not_written(out, error) from None
    return Outcome(Path(out, name), table, tuple(sorted(left_out)))


def _board(
    study: Study,
    scale: str,
    out: Path,
    properties: Mapping[str, Any],
    left_out: list[str],
    folders: Folders,
    peers: str | None,
    n_jobs: int | None,
    progress: StudyProgress,
) -> Outcome:
    """Carry out the leaderboard, whose runs are of one method each."""
    from hccd.studies.board_report import write_board
    from hccd.studies.leaderboard import missing_packages, run_board

    wanted = {**properties, "data_set": [each for each in properties["data_set"] if each not in left_out]}
    folder = out / study.name
    try:
        board = run_board(study, wanted, folder, folders, peers, n_jobs, progress)
        table = write_board(study, scale, board, folder, left_out)
    except OSError as error:
        raise _not_written(out, error) from None
    return Outcome(folder, table, tuple(left_out), tuple(missing_packages(study, board.versions)))


def _not_written(out: str | os.PathLike[str], error: OSError) -> InvalidParameterError:
    return InvalidParameterError(
        f"the folder {os.fspath(out)!r} cannot be written to ({error.strerror or error}): choose another --out"
    )


def measure(study: Study, case: Case, folders: Folders) -> tuple[Case, list[Row]]:
    """Carry out one run: a pure function of its description, but for the time it takes."""
    from hccd.studies.alarm_clusters import measure_clusters
    from hccd.studies.assumption_runs import measure_assumption
    from hccd.studies.calibration_runs import measure_calibration
    from hccd.studies.network_runs import measure_network
    from hccd.studies.partition_runs import measure_partitions
    from hccd.studies.synthetic_runs import measure_synthetic

    if study.kind == "networks":
        return case, measure_network(study, case, folders)
    own = {
        "synthetic": measure_synthetic,
        "assumption": measure_assumption,
        "calibration": measure_calibration,
        "clusters": measure_clusters,
        "partitions": measure_partitions,
    }
    return case, own[study.kind](study, case)


def _run_missing(
    study: Study, wanted: list[Case], store: RunStore, folders: Folders, n_jobs: int | None, progress: StudyProgress
) -> None:
    missing = [case for case in wanted if store.find(case) is None]
    start, done = time.monotonic(), len(wanted) - len(missing)
    progress(done, len(wanted), None)
    tasks = [(study, case, folders) for case in missing]
    for finished, (case, rows) in enumerate(as_they_come(measure, tasks, n_jobs), 1):
        store.add({"case": case, "rows": rows})
        left = (time.monotonic() - start) / finished * (len(missing) - finished)
        progress(done + finished, len(wanted), left)


def _unheard(_sentence: str) -> None:
    """Ignore a note."""


def _silent(_done: int, _all: int, _left: float | None) -> None:
    """Ignore progress."""
