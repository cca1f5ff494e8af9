"""``hccd learn``: a graph from a file of data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hccd.cli.completion import completing
from hccd.cli.console import Console
from hccd.cli.groups import grouped
from hccd.cli.options import EXPORT_FORMATS, AsJson, Force, Out, Quiet, Report, choice, one_of
from hccd.cli.reading_options import Data, ReadingOptions, Streaming
from hccd.cli.tasks.request import Request
from hccd.run.options import Options

EXAMPLES = """\b
Examples:
  hccd learn survey.csv
  hccd learn survey.csv --alpha 0.01 --out results
  hccd learn genes.parquet --test fisher-z --jobs -1 --out results
  hccd learn ward.csv.gz --method pc --index patient --drop date
  hccd learn survey.csv --scoring none
  hccd learn survey.csv --tier age,sex --tier bmi,smoking
  hccd learn ward.csv.gz --discretize 4 --missing rows
  hccd learn ward.csv.gz --preset paper --test mi --threshold 0.012
  hccd learn survey.csv --export dagitty --export graphml
  hccd learn survey.csv --json | jq .edges
  hccd learn readings/ --stream

\b
To continue an interrupted run, repeat the command.

\b
Options can also be set in hccd.toml in this folder (or --config FILE) and in
the environment; the command line comes first, then the environment:
  [learn]
  alpha = 0.01
  drop = ["patient", "date"]
is the same as HCCD_LEARN_ALPHA=0.01 HCCD_LEARN_DROP=patient,date.

\b
Exit code: 0 done, 2 a problem to solve (the last line names it),
130 interrupted, 1 a bug in hccd."""


@grouped
def learn(
    data: Data,
    options: Options,
    reading: ReadingOptions,
    out: Out = "hccd-out",
    export: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT",
            help=f"Write the graph in this format too, to DIR/graph.FORMAT; can be repeated: {one_of(EXPORT_FORMATS)}.",
            autocompletion=completing(EXPORT_FORMATS),
        ),
    ] = None,
    report: Report = None,
    stream: Streaming = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Learn a causal graph from a table and write it to DIR/graph.json, with a page to explore it.

    A summary goes to stdout; notes, warnings and errors go to stderr.
    """
    request = Request(
        data=Path(data),
        out=out,
        options=options,
        reading=reading.arguments(),
        force=force,
        export=tuple(dict.fromkeys(choice("--export", name, EXPORT_FORMATS) for name in export or ())),
        report=report,
        stream=stream,
    )

    from hccd.cli.tasks.learn import run
    from hccd.cli.tasks.summary import say_edges, say_summary, summary_data

    console = Console(quiet=quiet)
    finished = run(request, console)
    if as_json:
        console.data(summary_data(finished))
    else:
        say_edges(finished, console)
        say_summary(finished, console)
