"""The work behind ``convert``: read, take what is wanted of the equivalence class, and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hccd.cli.console import Console
from hccd.cli.interruptible import interruptible
from hccd.cli.tasks.run_folder import load_run
from hccd.files.replaceable import check_free
from hccd.graphs.formats import NamedGraph
from hccd.graphs.formats.files import ending_of, format_for_writing
from hccd.graphs.typed import edge_counts, edges_told
from hccd.result.graph_files import read_graph
from hccd.wording import counted

_LABEL_WIDTH = 11


@dataclass(frozen=True)
class Conversion:
    """What the user asked for.

    ``consensus`` is the least probability of an edge, ``sample`` a number of DAGs, ``limit`` the most that all may be.
    """

    graph: str
    file: str
    source: str | None
    target: str | None
    consensus: float | None
    dag: bool
    sample: int | None
    limit: int | None
    seed: int | None
    force: bool


def run(wanted: Conversion, console: Console, *, as_json: bool = False) -> None:
    """Convert, and say what was written."""
    file = Path(wanted.file)
    known = format_for_writing(file, wanted.target)
    single = wanted.sample is None and wanted.limit is None
    if single:
        check_free(file, force=wanted.force, another="name")
    if wanted.consensus is None:
        graph = read_graph(wanted.graph, wanted.source)
    else:
        # Only the file of a run knows how probable edges are.
        graph = load_run(wanted.graph).consensus(wanted.consensus)
    graphs = interruptible(lambda: _taken(graph, wanted))
    files = [file] if single else numbered(file, len(graphs))
    for path in files:
        check_free(path, force=wanted.force, another="name")
    for one, path in zip(graphs, files, strict=True):
        one.export(path, known.name, force=wanted.force)
    if as_json:
        console.data(_data(graphs, files, known.name))
    else:
        _say(graphs, files, console)


def _taken(graph: NamedGraph, wanted: Conversion) -> Sequence[NamedGraph]:
    """Return the graphs to write."""
    if wanted.sample is not None:
        return graph.sample_dags(wanted.sample, wanted.seed or 0)
    if wanted.limit is not None:
        return list(graph.dags(wanted.limit))
    return [graph.dag(wanted.seed) if wanted.dag else graph]


def numbered(file: Path, count: int) -> list[Path]:
    """Return the names of several files: that of one with numbers from 1 before its ending, all of one width."""
    packed = file.suffix if file.suffix.lower() == ".gz" else ""
    ending = ending_of(file) or file.with_suffix("").suffix * bool(packed) or file.suffix * (not packed)
    name = file.name[: len(file.name) - len(ending) - len(packed)]
    tail = file.name[len(name) :]
    width = len(str(count))
    return [file.with_name(f"{name}-{number:0{width}}{tail}") for number in range(1, count + 1)]


def _data(graphs: Sequence[NamedGraph], files: Sequence[Path], format_name: str) -> dict[str, Any]:
    """Return what was written as plain data."""
    first = graphs[0].graph
    return {
        "format": format_name,
        "variables": first.n,
        **edge_counts(first),
        "files": list(map(str, files)),
    }


def _say(graphs: Sequence[NamedGraph], files: Sequence[Path], console: Console) -> None:
    first = graphs[0].graph
    said = [("variables", f"{first.n:,}"), ("edges", edges_told(first)), ("written", str(files[0]))]
    if len(files) > 1:
        said[-1] = ("written", f"{files[0]} to {files[-1]}: {counted(len(files), 'DAG')}")
    for label, text in said:
        console.result(text, label=f"{label:<{_LABEL_WIDTH}}")
