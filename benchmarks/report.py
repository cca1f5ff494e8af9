"""Tables and plots from the stored measurements: Markdown for reading, CSV for computing, PNG and SVG for showing.

    python -m benchmarks report [--out benchmarks/results]

Nothing is measured here; the report can be written again at any time.
"""

from __future__ import annotations

import argparse
import csv
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import break_even, plots, threads
from benchmarks.implementations import IMPLEMENTATIONS
from benchmarks.profiles import COMPARISON, GROWTH, LIMIT, Case, full, quick
from benchmarks.store import Record, measurements
from benchmarks.summary import comparison, current
from benchmarks.tables import Row, comparison_rows, growth_rows, limit_rows, wrapper_rows

MEASUREMENTS = "measurements.jsonl"
CSV_ONLY = ("version", "stopped after s")
RESULTS = Path("benchmarks/results")


def tables(records: Sequence[Record]) -> list[tuple[str, str, list[Row]]]:
    """Return every table as (file name, title, rows); one without a measurement is empty."""
    # Of a workload that both profiles have, the full one names more implementations, and comes last here.
    cases = (*quick().cases, *full().cases)

    def of(study: str) -> list[Case]:
        return sorted({case.workload.name: case for case in cases if case.study == study}.values(), key=_place)

    return [
        ("comparison", "Ours and other packages", comparison_rows(comparison(records, of(COMPARISON)))),
        ("wrapper", "HCCD over PC", wrapper_rows(records, of(COMPARISON))),
        ("growth", "Growth", growth_rows(records, of(GROWTH))),
        ("limit", "Ours over plain C, the skeleton alone", limit_rows(records, of(LIMIT))),
        ("break-even", "From which cost of a test on HCCD pays", break_even.rows(records)),
        ("slow-test", "A test that costs 1 ms", break_even.direct_rows(records)),
        ("threads", "One worker and two", threads.rows(records)),
    ]


def _place(case: Case) -> tuple[str, str, int]:
    """Order workloads by kind, family and size."""
    return case.workload.kind, case.workload.family, case.workload.size


def shown(value: Any) -> str:
    """Return a value as a cell of a Markdown table."""
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "/")


def markdown(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table; the columns are those of all rows together, but for those of the CSV alone."""
    columns = list(dict.fromkeys(column for row in rows for column in row if column not in CSV_ONLY))
    body = ["| " + " | ".join(shown(row.get(column)) for column in columns) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *body])


def write_csv(rows: Sequence[Row], path: Path) -> None:
    """Write rows with full precision."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def machine(records: Sequence[Record]) -> str:
    """Return what the figures belong to: processor, Python, time, and versions."""
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    model = models[0].split(":", 1)[1].strip() if models else platform.processor()
    versions = {_package(record["implementation"]): record["version"] for record in records}
    times = sorted(record["time"] for record in records)
    return (
        f"{model}, {len(models) or 'unknown'} cores, {platform.system()}, Python {platform.python_version()}; measured "
        f"{times[0]} to {times[-1]}; " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".\n\n"
        "CPU seconds of one thread, best of the repeats. Timed is the learning call; imports and reading are not."
    )


def _package(implementation: str) -> str:
    """Return whose version an implementation has."""
    return IMPLEMENTATIONS[implementation].package if implementation in IMPLEMENTATIONS else implementation


def write(results: Path) -> None:
    """Write all tables and plots of a results directory, and say where they are."""
    everything = list(measurements(results / MEASUREMENTS).runs.values())
    records = current(everything)
    if not records:
        print(f"there are no measurements in {results}: run the benchmark first")
        return
    parts = ["# Benchmark", machine(records)]
    if len(records) < len(everything):
        parts.append(f"{len(everything) - len(records)} measurements of earlier versions are left out.")
    found = {}
    for name, title, rows in tables(records):
        if rows:
            found[name] = rows
            write_csv(rows, results / f"{name}.csv")
            parts += [f"## {title}", markdown(rows)]
    path = results / "report.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print("\n\n".join(["", *parts[1:]]))
    print("\nwritten:", ", ".join(str(file) for file in [path, *plots.write(found, results)]))


def main(arguments: list[str]) -> int:
    """Write the report again."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks report", description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    write(parser.parse_args(arguments).out)
    return 0
