"""The files of the leaderboard: ranks and tables in Markdown, every run as CSV, critical differences as a picture.

As for other studies, what was timed stands in files of its own; the rest is the same every time, as long as the same
runs finish.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hccd.studies.board_data import kind_of
from hccd.studies.critical_difference import Panel, draw_ranks
from hccd.studies.description import Metric, Study
from hccd.studies.leaderboard import NOT_TAKEN, Board
from hccd.studies.peer_script import CONTINUOUS, DISCRETE, PEERS
from hccd.studies.ranks import LEVEL, MeanRanks, mean_ranks, ranks
from hccd.studies.report import as_csv, save
from hccd.studies.summary import SECONDS, Cell, cell, value_of

TIMED = Metric(SECONDS, "CPU seconds", digits=3, better="lower")
#: The metrics of the picture.
DRAWN = ("shd", "causal_accuracy")


@dataclass(frozen=True)
class Ranked:
    """A metric by which the methods at hand were ranked over the data sets at hand."""

    metric: Metric
    ranks: MeanRanks


def write_board(study: Study, scale: str, board: Board, folder: Path, left_out: Sequence[str]) -> str:
    """Write all files and return the tables in Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    study = replace(study, methods=board.methods)
    names = sorted({name for entry in board.entries for name in entry["values"]})
    rows = [{**entry, "values": {**entry["values"], "status": entry["status"]}} for entry in board.entries]
    save(folder / "runs.csv", as_csv(rows, [*names, "status"]))
    save(folder / "times.csv", as_csv(rows, [SECONDS]))
    head = _head(study, scale, board, left_out)
    shown = head + _ranks(study, board, study.metrics) + _tables(study, board, study.metrics) + _unfinished(board)
    save(folder / "table.md", shown)
    # The empty graph takes no time, and tells nothing by it.
    learning = tuple(m for m in board.methods if any(run["method"] == m.label and run[SECONDS] != 0 for run in rows))
    timed = replace(board, methods=learning)
    save(folder / "times.md", head + _ranks(study, timed, [TIMED]) + _tables(study, timed, [TIMED]))
    labels = [method.label for method in board.methods]
    panels = [
        Panel(f"{each.metric.title}, {each.metric.better} is better", labels, each.ranks)
        for each in _ranked(study, board, [m for m in study.metrics if m.name in DRAWN], board.data_sets, labels)
    ]
    draw_ranks(panels, folder / "figure", salt=study.name)
    return shown


def _head(study: Study, scale: str, board: Board, left_out: Sequence[str]) -> str:
    text = (
        f"# {study.title}\n\n{study.about}\n\n"
        f"Scale: {scale}, {len(board.data_sets)} data sets, {board.sets} sets of each, at most {board.cap:g} CPU "
        "seconds for a set. Cells: mean ± standard deviation over sets, the best in bold.\n"
    )
    if left_out:
        text += f"\nNot run, because the data are missing: {', '.join(left_out)}.\n"
    if board.versions:
        text += "\n| method of another package | version | settings | data |\n|---|---|---|---|\n"
        for name in (method.label for method in board.methods if method.label in PEERS):
            peer = PEERS[name]
            version = f"{peer.package} {board.versions[peer.package]}"
            text += f"| {name} | {version} | {peer.settings} | {', '.join(peer.kinds)} |\n"
    return text


def _cell(study: Study, board: Board, metric: Metric, data_set: str, label: str) -> Cell | None:
    """Summarize a method over all sets of a data set; None if one is missing."""
    if board.status(data_set, label):
        return None
    found = cell(study, board.runs(data_set, label), metric, study.method(label), (data_set,))
    return found if found is not None and found.runs == board.sets else None


def _ranked(
    study: Study, board: Board, metrics: Sequence[Metric], data_sets: Sequence[str], labels: Sequence[str]
) -> list[Ranked]:
    """Rank the methods by each metric that has a direction, over the data sets where it has a value at all."""
    found = []
    for metric in metrics:
        if metric.better == "neither":
            continue
        cells = [[_cell(study, board, metric, data_set, label) for label in labels] for data_set in data_sets]
        values = np.array([[math.nan if each is None else each.mean for each in line] for line in cells])
        usable = ~np.isnan(values).all(axis=1)
        if usable.any():
            found.append(Ranked(metric, mean_ranks(ranks(values[usable], metric.better))))
    return found


def _ranks(study: Study, board: Board, metrics: Sequence[Metric]) -> str:
    """Write mean ranks over all data sets, and over those of one kind without the methods that do not take it."""
    every = [method.label for method in board.methods]
    parts = [("all data sets", list(board.data_sets), every)]
    for kind in (DISCRETE, CONTINUOUS):
        of_kind = [data_set for data_set in board.data_sets if kind_of(data_set) == kind]
        if 0 < len(of_kind) < len(board.data_sets):
            taking = [label for label in every if board.status(of_kind[0], label) != NOT_TAKEN]
            parts.append((f"{kind} data sets", of_kind, taking))
    text = ""
    for title, data_sets, labels in parts:
        found = _ranked(study, board, metrics, data_sets, labels)
        if not found:
            continue
        text += f"\n## Mean ranks, {title}\n\n| method | {' | '.join(each.metric.title for each in found)} |\n"
        text += f"|{'---|' * (1 + len(found))}\n"
        best = [min(each.ranks.mean) for each in found]
        for place in sorted(range(len(labels)), key=lambda i: (found[0].ranks.mean[i], i)):
            means = [each.ranks.mean[place] for each in found]
            cells = [_bold(f"{mean:.2f}", mean == least) for mean, least in zip(means, best, strict=True)]
            text += f"| {labels[place]} | {' | '.join(cells)} |\n"
        for row, words in (
            ("data sets", [str(each.ranks.data_sets) for each in found]),
            ("critical difference", [_number(each.ranks.difference, 2) for each in found]),
            ("p of the Friedman test", [_p_value(each.ranks.p_value) for each in found]),
        ):
            text += f"| *{row}* | {' | '.join(words)} |\n"
    return text + (
        f"\nMethods whose mean ranks differ by less than the critical difference of the Nemenyi test (level {LEVEL}) "
        "do not differ significantly. With fewer than three methods or data sets there is no test.\n"
    )


def _tables(study: Study, board: Board, metrics: Sequence[Metric]) -> str:
    """Write one table for each metric; methods that never have a value for it are left out."""
    text = ""
    for metric in metrics:
        cells = {
            (data_set, method.label): _cell(study, board, metric, data_set, method.label)
            for data_set in board.data_sets
            for method in board.methods
        }
        labels = [method.label for method in board.methods if _has_values(board, metric, method.label)]
        text += f"\n## {metric.title}\n\n| data set | {' | '.join(labels)} |\n|{'---|' * (1 + len(labels))}\n"
        for data_set in board.data_sets:
            line = [cells[data_set, label] for label in labels]
            means = [each.mean for each in line if each is not None]
            if not means:
                continue
            best = {"lower": min, "higher": max}.get(metric.better, lambda _: math.nan)(means)
            words = [
                _unmeasured(board, data_set, label)
                if each is None
                else _bold(f"{each.mean:.{metric.digits}f} ± {each.spread:.{metric.digits}f}", each.mean == best)
                for label, each in zip(labels, line, strict=True)
            ]
            text += f"| {data_set} | {' | '.join(words)} |\n"
    return text


def _has_values(board: Board, metric: Metric, label: str) -> bool:
    """Whether a method ever has a value of a metric, or never had a run that could have had one."""
    finished = [run for run in board.entries if run["method"] == label and not run["status"]]
    return not finished or any(not math.isnan(value_of(run, metric.name)) for run in finished)


def _unmeasured(board: Board, data_set: str, label: str) -> str:
    """Say in a cell why it has no figure."""
    status = board.status(data_set, label)
    if not status:
        return "no DAG fits"
    return status if status == NOT_TAKEN else status.split(" in ")[0].split(":")[0]


def _unfinished(board: Board) -> str:
    """List what did not finish, with the reasons."""
    lines = [
        f"| {entry['method']} | {entry['case']['data_set']} | {entry['case']['set']} | {_escaped(entry['status'])} |"
        for entry in sorted(board.entries, key=lambda each: [m.label for m in board.methods].index(each["method"]))
        if entry["status"]
    ]
    if not lines:
        return ""
    return "\n## Not finished\n\n| method | data set | set | why |\n|---|---|---|---|\n" + "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Keep a package's words from ending a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def _bold(text: str, wanted: bool) -> str:
    return f"**{text}**" if wanted else text


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"
