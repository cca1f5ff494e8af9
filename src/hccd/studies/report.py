"""The files of a study: every run as CSV, tables in Markdown, figures as PNG and SVG.

``runs.csv``, ``table.md`` and ``figure.*`` depend on the description and the seeds alone, byte for byte. What was timed
is different in every run, and stands in ``times.csv``, ``times.md`` and, for the synthetic studies, ``times.png`` and
``times.svg``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hccd.studies.alarm_clusters import listed_clusters
from hccd.studies.description import Metric, Study
from hccd.studies.figures import draw
from hccd.studies.scatter import shares
from hccd.studies.summary import SECONDS, Entry, cell, groups

TIMED = (Metric(SECONDS, "CPU seconds", digits=4), Metric(SECONDS, "CPU time, ratio to PC", "mean", 2))


def write_report(study: Study, scale: str, rows: Sequence[Entry], folder: Path, left_out: Sequence[str]) -> str:
    """Write all files of a study and return the tables in Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    if study.kind == "calibration":
        return _write_calibration(study, scale, rows, folder, left_out)
    ordered = sorted(rows, key=lambda row: _place(study, row))
    names = sorted({name for row in rows for name in row["values"]})
    save(folder / "runs.csv", as_csv(ordered, names))
    save(folder / "times.csv", as_csv(ordered, [SECONDS]))
    head = _head(study, scale, rows, left_out)
    shown = _tables(study, rows, study.metrics)
    if study.figure == "scatter":
        shown += shares(study, rows)
    if study.figure == "clusters":
        shown += listed_clusters(study)
    save(folder / "table.md", head + shown)
    save(folder / "times.md", head + _tables(study, rows, TIMED))
    draw(study, rows, folder / "figure")
    if study.kind == "synthetic":
        draw(replace(study, metrics=TIMED), rows, folder / "times")
    return head + shown


def _write_calibration(study: Study, scale: str, rows: Sequence[Entry], folder: Path, left_out: Sequence[str]) -> str:
    """Write the claims of all runs, their tables and curves; and what the resamples took."""
    from hccd.studies.calibration_report import claims_csv, draw_reliability, tables

    shown = _head(study, scale, rows, left_out) + tables(study, rows)
    save(folder / "claims.csv", claims_csv(study, rows))
    save(folder / "times.csv", as_csv(rows, [SECONDS]))
    save(folder / "table.md", shown)
    draw_reliability(study, rows, folder / "figure")
    return shown


def _place(study: Study, row: Entry) -> tuple[str, int]:
    """Sort by run, then by method in the order of the description; numbers in a run by size."""
    case = "|".join(
        f"{value:012.3f}" if isinstance(value, int | float) else str(value) for value in row["case"].values()
    )
    return case, [method.label for method in study.methods].index(row["method"])


def as_csv(rows: Sequence[Entry], names: Sequence[str]) -> str:
    """Write runs as CSV: their properties, the method, and what was measured under these names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    # What is a table itself, such as a grid, is a setting of the study, and the same in every run.
    keys = [key for key, value in rows[0]["case"].items() if not isinstance(value, dict)]
    writer.writerow([*keys, "method", *names])
    for row in rows:
        measured = {SECONDS: row[SECONDS], **row["values"]}
        writer.writerow(
            [*(row["case"][key] for key in keys), row["method"], *(measured.get(name, "") for name in names)]
        )
    return text.getvalue()


def _head(study: Study, scale: str, rows: Sequence[Entry], left_out: Sequence[str]) -> str:
    runs = len({repr(row["case"]) for row in rows})
    text = f"# {study.title}\n\n{study.about}\n\nScale: {scale}, {runs} runs. Cells: mean ± spread (the paper's).\n"
    return text + (f"\nNot run, because the data are missing: {', '.join(left_out)}.\n" if left_out else "")


def _tables(study: Study, rows: Sequence[Entry], metrics: Sequence[Metric]) -> str:
    """Write one table for each metric."""
    text = ""
    for metric in metrics:
        lines = []
        methods = [method for method in study.methods if metric.ratio == "none" or method.baseline]
        for group in groups(study, rows):
            cells = []
            for method in methods:
                found = cell(study, rows, metric, method, group)
                if found is None:
                    cells.append("")
                    continue
                paper = study.paper_figure(metric, method, group)
                words = f"{found.mean:.{metric.digits}f} ± {found.spread:.{metric.digits}f}"
                if paper is not None:
                    beside = f"{paper[0]:g}" + ("" if paper[1] is None else f" ± {paper[1]:g}")
                    words += f" ({beside})"
                cells.append(words)
            lines.append(f"| {' | '.join(map(str, group))} | {' | '.join(cells)} |")
        columns = [*study.group, *(method.label for method in methods)]
        text += (
            f"\n## {metric.title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n" + "\n".join(lines) + "\n"
        )
    return text


def save(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_suffix(path.suffix + ".part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)
