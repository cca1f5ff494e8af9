"""``hccd convert``: a graph from one format into another, or the DAGs that it stands for."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.completion import completing
from hccd.cli.console import Console
from hccd.cli.options import GRAPH_FORMATS, READ_FORMATS, AsJson, Quiet, choice, one_of, probability, whole_number
from hccd.errors import InvalidParameterError

EXAMPLES = """\b
Examples:
  hccd convert hccd-out graph.graphml
  hccd convert hccd-out/graph.json model.txt --to dagitty
  hccd convert pcalg.csv graph.dot --from amat
  hccd convert hccd-out model.gml --dag
  hccd convert hccd-out dag.dot --sample 20 --seed 1
  hccd convert hccd-out dag.edges.csv --all
  hccd convert hccd-out sure.dot --consensus 0.8

\b
Formats, by the end of the name: .json, .graphml, .gml, .dot, .csv (adjacency
matrix, or a list of edges), .edges.csv, .amat.csv and .pag.csv (pcalg),
.dagitty.txt, .tetrad.txt; .bif is read only. docs/FORMATS.md says what each
can hold."""

_LIMIT = "1000"


def convert(
    graph: Annotated[
        str, typer.Argument(metavar="GRAPH", help="The graph: a file, or the folder of a run.", show_default=False)
    ],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    from_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FORMAT",
            help=f"The format of GRAPH: {one_of(READ_FORMATS)}.",
            autocompletion=completing(READ_FORMATS),
        ),
    ] = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"The format of FILE: {one_of(GRAPH_FORMATS)}.",
            autocompletion=completing(GRAPH_FORMATS),
        ),
    ] = None,
    consensus: Annotated[
        str | None,
        typer.Option(
            metavar="P",
            help="Write the graph of the edges whose probability is at least this, from the resamples of a run.",
        ),
    ] = None,
    dag: Annotated[
        bool, typer.Option("--dag", help="Write one DAG of the equivalence class; with --seed a random one.")
    ] = False,
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            metavar="K",
            help="Write K random DAGs of the equivalence class, each member equally likely, to FILE with -1 to -K "
            "before its ending.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Write all DAGs of the equivalence class, numbered in the same way.")
    ] = False,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="For --sample and --dag: the same seed draws the same DAGs.")
    ] = None,
    limit: Annotated[
        str, typer.Option(metavar="N", help="For --all: refuse if there are more members than this.")
    ] = _LIMIT,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there already.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a graph in another format, or the DAGs of its equivalence class."""
    if sum((dag, sample is not None, every)) > 1:
        raise InvalidParameterError("--dag, --sample and --all exclude each other: give one of them")
    if seed is not None and not dag and sample is None:
        raise InvalidParameterError("--seed belongs to --sample and --dag: give one of them, or leave it out")
    wanted = None if sample is None else whole_number("--sample", sample, least=1)
    start = None if seed is None else whole_number("--seed", seed, least=0)
    most = whole_number("--limit", limit, least=1)
    source = None if from_format is None else choice("--from", from_format, READ_FORMATS)
    target = None if to_format is None else choice("--to", to_format, GRAPH_FORMATS)

    from hccd.cli.tasks.convert import Conversion, run

    least = None if consensus is None else probability("--consensus", consensus)
    wish = Conversion(graph, file, source, target, least, dag, wanted, most if every else None, start, force)
    run(wish, Console(quiet=quiet), as_json=as_json)
