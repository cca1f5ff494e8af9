"""``hccd learn``: a graph from a file of data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hccd.cli import reading_options
from hccd.cli.completion import completing
from hccd.cli.console import Console
from hccd.cli.options import (
    EXPORT_FORMATS,
    METHODS,
    PRESETS,
    SCORINGS,
    TESTS,
    AsJson,
    Force,
    Out,
    Quiet,
    Report,
    choice,
    number,
    one_of,
    whole_number,
)
from hccd.cli.tasks.request import Request

EXAMPLES = """\b
Examples:
  hccd learn survey.csv
  hccd learn survey.csv --alpha 0.01 --out results
  hccd learn genes.parquet --test fisher-z --jobs -1 --out results
  hccd learn ward.csv.gz --method pc --index patient --drop date
  hccd learn survey.csv --scoring none
  hccd learn ward.csv.gz --discretize 4 --drop-missing rows
  hccd learn ward.csv.gz --preset paper --test mi --threshold 0.012
  hccd learn survey.csv --export dagitty --export graphml
  hccd learn survey.csv --json | jq .edges

\b
A run that was interrupted goes on where it was: repeat the command.

\b
Options may stand in hccd.toml in this folder (or --config FILE) and in the
environment; the command line wins, then the environment:
  [learn]
  alpha = 0.01
  drop = ["patient", "date"]
is the same as HCCD_LEARN_ALPHA=0.01 HCCD_LEARN_DROP=patient,date.

\b
Exit code: 0 done, 2 something to mend (the last line says what),
130 interrupted, 1 a bug in hccd."""


def learn(
    data: reading_options.Data,
    test: Annotated[
        str,
        typer.Option(
            metavar=one_of(TESTS),
            autocompletion=completing(TESTS),
            help="The independence test: fisher-z for numbers; g, chi2 or mi (mutual information against a "
            "threshold) for discrete data; auto chooses by the columns.",
        ),
    ] = "auto",
    alpha: Annotated[
        str | None,
        typer.Option(
            metavar="A",
            help="Significance level of fisher-z, g and chi2, between 0 and 1; by default 0.01 for fisher-z, 0.05 "
            "for g and chi2.",
        ),
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="For mi: information in nats up to which variables count as independent; by default 0.015, with the "
            "preset paper the best of a list, by the score BDeu on the data.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar=one_of(METHODS),
            autocompletion=completing(METHODS),
            help="hccd: clusters within clusters; pc: no clusters; flat: one level of four clusters; tscb: the same "
            "without the completeness pass; not-c: completeness pass at the root only.",
        ),
    ] = "hccd",
    preset: Annotated[
        str,
        typer.Option(
            metavar=one_of(PRESETS),
            autocompletion=completing(PRESETS),
            help="default: the choices that measure best; paper: those of the authors.",
        ),
    ] = "default",
    scoring: Annotated[
        str | None,
        typer.Option(
            metavar=one_of(SCORINGS),
            autocompletion=completing(SCORINGS),
            help="What searches on from the graph that the tests leave: bic for numbers, bd for discrete data, auto "
            "the one that fits, none for the tests alone. By default auto for the method hccd of the preset default, "
            "and none for all others.",
        ),
    ] = None,
    max_order: Annotated[
        str | None,
        typer.Option(metavar="K", help="The largest conditioning set; by default 3 if a score follows, else no limit."),
    ] = None,
    drop: reading_options.Drop = None,
    index: reading_options.Index = None,
    discrete: reading_options.Discrete = None,
    continuous: reading_options.Continuous = None,
    discretize: reading_options.Discretize = None,
    drop_missing: reading_options.DropMissing = None,
    missing: reading_options.Missing = None,
    delimiter: reading_options.Delimiter = None,
    encoding: reading_options.Encoding = None,
    decimal: reading_options.Decimal = None,
    header: reading_options.Header = None,
    seed: Annotated[str, typer.Option(metavar="N", help="For splits into more than two clusters.")] = "0",
    jobs: Annotated[
        str,
        typer.Option(metavar="N", help="Number of workers; -1 for one on each core. The result is the same."),
    ] = "1",
    out: Out = "hccd-out",
    export: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT",
            help=f"Write the graph in this format too, to DIR/graph.FORMAT; may be given several times: "
            f"{one_of(EXPORT_FORMATS)}.",
            autocompletion=completing(EXPORT_FORMATS),
        ),
    ] = None,
    report: Report = None,
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
        test=choice("--test", test, TESTS),
        alpha=number("--alpha", alpha),
        threshold=number("--threshold", threshold),
        method=choice("--method", method, METHODS),
        preset=choice("--preset", preset, PRESETS),
        scoring=None if scoring is None else choice("--scoring", scoring, SCORINGS),
        max_order=None if max_order is None else whole_number("--max-order", max_order, least=0),
        reading=reading_options.reading(
            drop=drop, index=index, discrete=discrete, continuous=continuous, discretize=discretize,
            drop_missing=drop_missing, missing=missing, delimiter=delimiter, encoding=encoding, decimal=decimal,
            header=header,
        ),
        seed=whole_number("--seed", seed, least=0),
        jobs=whole_number("--jobs", jobs),
        force=force,
        export=tuple(dict.fromkeys(choice("--export", name, EXPORT_FORMATS) for name in export or ())),
        report=report,
    )  # fmt: skip
    request.check()

    from hccd.cli.tasks.learn import run
    from hccd.cli.tasks.summary import say_summary, summary_data

    console = Console(quiet=quiet)
    finished = run(request, console)
    if as_json:
        console.data(summary_data(finished))
    else:
        say_summary(finished, console)
