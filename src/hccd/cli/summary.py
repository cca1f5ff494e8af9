"""What a finished run has to say: a table of the essentials, the edges, the comparison with a known graph."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from hccd.cli.console import Console
from hccd.cli.run import Finished
from hccd.tables import Kind, Table
from hccd.tables.wording import counted, listed

_LABEL_WIDTH = 11
_TEST_NAMES = {"fisher-z": "Fisher z test", "g": "G test", "chi2": "chi-square test", "mi": "mutual information"}


def say_summary(finished: Finished, console: Console) -> None:
    """Say what was learned from what, at what cost, and where it is."""
    for label, text in summary_rows(finished):
        console.result(text, label=f"{label:<{_LABEL_WIDTH}}")


def summary_rows(finished: Finished) -> list[tuple[str, str]]:
    """Return the summary as (label, text)."""
    result, table, request = finished.result, finished.table, finished.request
    directed, undirected = len(result.graph.directed_edges()), len(result.graph.undirected_edges())
    by_order = [f"{tests:,} of order {order}" for order, tests in enumerate(result.tests.by_order)]
    phases = [f"{phase} {seconds:.2f}" for phase, seconds in result.seconds.items() if phase != "total"]
    leaves = len(result.tree.leaves())
    clusters = f"{counted(leaves, 'leaf', 'leaves')}, depth {result.tree.depth}" if leaves > 1 else "none"
    return [
        ("variables", f"{len(result.names):,}: {columns_understood(table)}"),
        ("rows", f"{table.n_rows:,}"),
        ("test", why_this_test(table, request.test, result.parameters["test"])),
        ("method", f"{request.method}, preset {request.preset}"),
        ("clusters", clusters),
        ("edges", f"{directed + undirected:,}: {directed:,} directed, {undirected:,} undirected"),
        ("conflicts", f"{len(result.conflicts):,}"),
        ("tests", f"{result.tests.total:,}: {listed(by_order, most=20)}"),
        ("seconds", f"{result.seconds['total']:.2f}: {', '.join(phases)}"),
        ("written", str(finished.graph_file)),
        *(("exported", str(file)) for file in finished.exported),
    ]


def summary_data(finished: Finished) -> dict[str, Any]:
    """Return what was learned as plain data: ``graph.json`` without the evidence, and where it is."""
    result, table = finished.result, finished.table
    whole = result.to_dict()
    kept = ("nodes", "edges", "ci_tests", "seconds", "clusters", "parameters", "conflicts", "warnings", "software")
    return {
        "graph": str(finished.graph_file),
        "exported": list(map(str, finished.exported)),
        "rows": table.n_rows,
        "columns": {name: kind.value for name, kind in zip(table.names, table.kinds, strict=True)},
        **{name: whole[name] for name in kept},
        "notes": list(table.notes),
    }


def columns_understood(table: Table) -> str:
    """Say how many columns are taken as discrete and continuous, and by what they were told."""
    parts = []
    for kind in Kind:
        reasons = Counter(_told_by(table, i) for i, own in enumerate(table.kinds) if own is kind)
        if reasons:
            shown = [reason if len(reasons) == 1 else f"{n:,} {reason}" for reason, n in sorted(reasons.items())]
            parts.append(f"{reasons.total():,} {kind.value} ({', '.join(shown)})")
    return " and ".join(parts)


def _told_by(table: Table, i: int) -> str:
    """Say by what a column was taken for what it is."""
    if table.kinds[i] is Kind.CONTINUOUS:
        return "whole numbers of many values" if table.whole[i] else "numbers with fractions"
    if i in table.texts:
        return "text"
    return "truth values" if table.columns[i].dtype.kind == "b" else "whole numbers of few values"


def why_this_test(table: Table, asked: str, described: dict[str, object]) -> str:
    """Say which test was used, with what limit, and why."""
    discrete = sum(kind is Kind.DISCRETE for kind in table.kinds)
    n = table.n_columns
    if discrete in (0, n):
        looks = f"all {n:,} columns are {'discrete' if discrete else 'continuous'}"
    else:
        looks = f"{counted(n - discrete, 'column is', 'columns are')} continuous and the rest hold numbers too"
    name = str(described["name"])
    limit = f"alpha {described['alpha']}" if "alpha" in described else f"threshold {described['threshold']} nats"
    why = looks if asked == "auto" else "as asked"
    return f"{why}: {_TEST_NAMES.get(name, name)}, {limit}"


def say_edges(finished: Finished, console: Console) -> None:
    """List the edges in columns, as many as fit."""
    arrows = {"directed": "->", "undirected": "--"}
    edges = [f"{source} {arrows[kind]} {target}" for source, target, kind in finished.result.edges()]
    for line in in_columns(edges, shutil.get_terminal_size().columns):
        console.result(line)
    console.result()


def in_columns(items: Sequence[str], width: int) -> list[str]:
    """Lay out items in columns that are read downwards, in lines no longer than ``width`` where that can be."""
    if not items:
        return []
    cell = max(map(len, items)) + 3
    n_columns = max(1, (width + 3) // cell)
    n_lines = -(-len(items) // n_columns)
    lines = (items[i::n_lines] for i in range(n_lines))
    return ["".join(f"{item:<{cell}}" for item in line).rstrip() for line in lines]


def say_comparison(finished: Finished, truth: Collection[tuple[str, str]], console: Console) -> None:
    """Say how many of the known edges were found, apart from their direction, and how many are too many."""
    known = {frozenset(edge) for edge in truth}
    learned = {frozenset((source, target)) for source, target, _ in finished.result.edges()}
    console.result(
        f"{len(known & learned):,} of the {len(known):,} edges of the network that made the data were found, "
        f"and {len(learned - known):,} that it does not have",
        label=f"{'truth':<{_LABEL_WIDTH}}",
    )
    console.result(str(finished.request.data), label=f"{'data':<{_LABEL_WIDTH}}")
