"""What a finished run has to say: a table of the essentials, the edges, the comparison with a known graph."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from typing import Any

from hccd.cli.console import Console
from hccd.cli.tasks.learn import Finished
from hccd.confidence.cost import RESAMPLES
from hccd.graphs import PAG
from hccd.graphs.typed import edges_told
from hccd.preflight.understood import columns_understood, why_this_test
from hccd.report.choice import choice_rows
from hccd.report.figures import HIDDEN_CAUSES, fit_summary, knowledge_settled
from hccd.result import HCCDResult
from hccd.result.belief import belief
from hccd.result.summary import MOST_EDGES, edge_lines
from hccd.tables import Table
from hccd.wording import STAGES, counted, listed

_LABEL_WIDTH = 11


def say_summary(finished: Finished, console: Console) -> None:
    """Say what was learned from what, at what cost, and where it is."""
    for label, text in summary_rows(finished):
        console.result(text, label=f"{label:<{_LABEL_WIDTH}}")


def summary_rows(finished: Finished) -> list[tuple[str, str]]:
    """Return the summary as (label, text)."""
    result, table, options = finished.result, finished.table, finished.request.options
    by_order = [f"{tests:,} of order {order}" for order, tests in enumerate(result.tests.by_order)]
    phases = [
        f"{STAGES.get(phase, phase)} {seconds:.2f}" for phase, seconds in result.seconds.items() if phase != "total"
    ]
    leaves = len(result.tree.leaves())
    clusters = f"{counted(leaves, 'leaf', 'leaves')}, depth {result.tree.depth}" if leaves > 1 else "none"
    transform = result.parameters.get("transform", "none")
    rows = [
        ("variables", f"{len(result.names):,}: {columns_understood(table)}"),
        ("rows", rows_counted(table)),
        ("test", why_this_test(table, str(options.test), result.parameters["test"], transform=transform)),
        ("method", f"{options.method}, preset {options.preset}{_baseline_told(options.baseline)}"),
        *choice_rows(result),
        ("clusters", clusters),
        *([] if "knowledge" not in result.parameters else [("knowledge", knowledge_settled(result))]),
        *([] if result.score is None else [("score", result.score.told(result.pdag()))]),
        ("edges", edges_told(result.graph)),
        ("confidence", confidence_told(result)),
        ("conflicts", f"{len(result.conflicts):,}"),
        *([] if isinstance(result.graph, PAG) else [("hidden", f"not looked for: {HIDDEN_CAUSES}")]),
        *([] if result.fit is None else [("fit", fit_summary(result))]),
        ("tests", f"{result.tests.total:,}: {listed(by_order, most=20)}"),
        ("seconds", f"{result.seconds['total']:.2f}: {', '.join(phases)}"),
        ("written", str(finished.graph_file)),
        *(("exported", str(file)) for file in finished.exported),
    ]
    return rows if finished.report_file is None else [*rows, ("report", str(finished.report_file))]


def _baseline_told(baseline: Any) -> str:
    """Name a baseline that was asked for by its name."""
    return f", baseline {baseline}" if isinstance(baseline, str) else ""


def confidence_told(result: HCCDResult) -> str:
    """Say how many edges resamples agree on, or how to have that."""
    if isinstance(result.graph, PAG):
        return "none: a PAG is learned without resampling"
    if result.confidence is None:
        return f"none: add --bootstrap {RESAMPLES} to resample the rows, which takes a while"
    found = belief(result)
    drawn = f"{result.confidence.resamples:,} resamples"
    return f"{drawn}: {found.sure}" if found is not None and any(found.edges) else f"{drawn}: no edge"


def rows_counted(table: Table) -> str:
    """Say how many rows there are, and what they count as if they are weighted."""
    if table.weights is None:
        return f"{table.n_rows:,}"
    return f"{table.n_rows:,}, weighted: they count as {float(table.weights.sum()):,.4g}"


def summary_data(finished: Finished) -> dict[str, Any]:
    """Return what was learned as plain data: ``graph.json`` without the evidence, and where it is."""
    result, table = finished.result, finished.table
    whole = result.to_dict()
    kept = (
        "graph_type", "nodes", "edges", "ci_tests", "seconds", "clusters", "parameters", "conflicts", "warnings",
        "score", "fit", "confidence", "software",
    )  # fmt: skip
    return {
        "graph": str(finished.graph_file),
        "exported": list(map(str, finished.exported)),
        "rows": table.n_rows,
        "columns": {name: kind.value for name, kind in zip(table.names, table.kinds, strict=True)},
        **{name: whole[name] for name in kept if name in whole},
        "notes": list(table.notes),
    }


def say_edges(finished: Finished, console: Console, most: int | None = MOST_EDGES) -> None:
    """List the edges, and say where the rest is if there are more."""
    width = shutil.get_terminal_size().columns
    lines = edge_lines(finished.result, f"{finished.graph_file} has all", width=width, most=most)
    for line in [*lines, ""] if lines else []:
        console.result(line)


def say_comparison(finished: Finished, truth: Collection[tuple[str, str]], console: Console) -> None:
    """Say how many of the known edges were found, apart from their direction, and how many are too many."""
    known = {frozenset(edge) for edge in truth}
    learned = {frozenset((source, target)) for source, target, _ in finished.result.edges()}
    console.result(
        f"{len(known & learned):,} of the {len(known):,} true edges were found, "
        f"and {counted(len(learned - known), 'edge')} that {'is' if len(learned - known) == 1 else 'are'} not true",
        label=f"{'truth':<{_LABEL_WIDTH}}",
    )
    console.result(str(finished.request.data), label=f"{'data':<{_LABEL_WIDTH}}")
