"""Plots of the tables, each as PNG and SVG: CPU seconds by workload, growth curves, break-even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.summary import COMPARED
from benchmarks.tables import Row

#: Ours in blues and greens, peers in warm colours and greys; told apart without colour by their marks.
STYLES = {
    "hccd PC skeleton": ("#9ecae1", "v"),
    "hccd PC": ("#3182bd", "o"),
    "hccd PC max-p": ("#08306b", "s"),
    "hccd HCCD skeleton": ("#a1d99b", "v"),
    "hccd HCCD": ("#31a354", "o"),
    "hccd HCCD max-p": ("#00441b", "s"),
    "pybnesian PC": ("#e6550d", "D"),
    "pybnesian PC majority": ("#fdae6b", "d"),
    "pyagrum PC": ("#cc79a7", "P"),
    "causal-learn PC": ("#7f7f7f", "X"),
    "pgmpy PC": ("#b8860b", "^"),
}


def write(tables: Mapping[str, Sequence[Row]], results: Path) -> list[Path]:
    """Draw what there are rows for; returns the files."""
    import matplotlib

    matplotlib.use("Agg")
    # The same input gives the same file.
    matplotlib.rcParams["svg.hashsalt"] = "hccd"
    drawn = {"comparison": comparison, "growth": growth, "break-even": break_even}
    files = []
    for name, draw in drawn.items():
        if tables.get(name):
            figure = draw(tables[name])
            for suffix, metadata in ((".png", {}), (".svg", {"Date": None})):
                files.append(results / f"{name}{suffix}")
                figure.savefig(files[-1], dpi=150, bbox_inches="tight", metadata=metadata)
    return files


def _figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def comparison(rows: Sequence[Row]) -> Any:
    """CPU seconds by workload, one mark for each implementation; hollow where it was stopped."""
    workloads = list(dict.fromkeys(row["workload"] for row in rows))
    figure, ((axes,),) = _figure(1, 1, (9, 1.6 + 0.4 * len(workloads)))
    for place, implementation in enumerate(COMPARED):
        color, mark = STYLES[implementation]
        label = implementation
        for column, fill in (("CPU s", "full"), ("stopped after s", "none")):
            points = [row for row in rows if row["implementation"] == implementation and row.get(column) is not None]
            # A little apart from each other, so that equal times do not hide one another.
            heights = [workloads.index(row["workload"]) + 0.05 * (place - len(COMPARED) / 2) for row in points]
            if points:
                axes.plot(
                    [row[column] for row in points],
                    heights,
                    linestyle="none",
                    marker=mark,
                    fillstyle=fill,
                    color=color,
                    markersize=6,
                    label=label,
                )
                label = "_nolegend_"
    axes.set_xscale("log")
    axes.set_xlabel("CPU seconds, one thread (hollow: stopped there)")
    axes.set_yticks(range(len(workloads)), workloads)
    axes.invert_yaxis()
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


def growth(rows: Sequence[Row]) -> Any:
    """Time, tests and time per test against the number of variables and of rows."""
    families = list(dict.fromkeys(row["family"] for row in rows))
    measures = ("CPU s", "CI tests", "ns per test")
    figure, grid = _figure(len(families), len(measures), (12, 3.4 * len(families)))
    for axes_of_family, family in zip(grid, families, strict=True):
        for axes, measure in zip(axes_of_family, measures, strict=True):
            for implementation in dict.fromkeys(row["implementation"] for row in rows):
                points = sorted(
                    (row["size"], row[measure])
                    for row in rows
                    if (row["family"], row["implementation"]) == (family, implementation) and row.get(measure)
                )
                if points:
                    color, mark = STYLES[implementation]
                    axes.plot(*zip(*points, strict=True), color=color, marker=mark, label=implementation)
            axes.set_xscale("log")
            axes.set_yscale("log")
            sizes = sorted({row["size"] for row in rows if row["family"] == family})
            axes.set_xticks(sizes, [str(size) for size in sizes], rotation=45)
            axes.set_xticks([], minor=True)
            axes.set_xlabel("variables" if family.startswith("gauss") else f"rows of {family}")
            axes.set_ylabel(measure)
            axes.grid(color="#dddddd", linewidth=0.6)
        axes_of_family[0].legend(frameon=False, fontsize="small")
    return figure


def break_even(rows: Sequence[Row]) -> Any:
    """The cost of a test, above our own, from which HCCD takes less time than PC."""
    figure, ((axes,),) = _figure(1, 1, (6, 4))
    column = "break-even, us per test"
    for connectivity, color in ((3, "#3182bd"), (5, "#e6550d")):
        points = [(row["variables"], row[column]) for row in rows if row["connectivity"] == connectivity]
        points = [point for point in points if point[1]]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", color=color, label=f"connectivity {connectivity}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("variables")
    axes.set_ylabel("microseconds per test")
    axes.set_title("HCCD pays for tests that cost more than this", fontsize="medium")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.legend(frameon=False)
    return figure
