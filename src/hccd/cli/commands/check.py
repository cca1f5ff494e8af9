"""``hccd check``: a look at a table before learning from it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from hccd.cli import reading_options
from hccd.cli.console import Console
from hccd.cli.options import METHODS, PRESETS, TESTS, choice, number, one_of, whole_number

EXAMPLES = """\b
Examples:
  hccd check survey.csv
  hccd check ward.csv --index patient --discretize age=4 --missing NA,-999
  hccd check survey.csv --json > check.json

\b
Exit code: 0 the table can be learned from, perhaps with warnings;
2 learn would refuse it (the last line says why)."""

_LABEL_WIDTH = 11


def check(
    data: reading_options.Data,
    test: Annotated[str, typer.Option(metavar=one_of(TESTS), help="The independence test, as for learn.")] = "auto",
    alpha: Annotated[str | None, typer.Option(metavar="A", help="Significance level, as for learn.")] = None,
    threshold: Annotated[str | None, typer.Option(metavar="T", help="Threshold of mi, as for learn.")] = None,
    method: Annotated[str, typer.Option(metavar=one_of(METHODS), help="The method, for the estimate.")] = "hccd",
    preset: Annotated[str, typer.Option(metavar=one_of(PRESETS), help="The preset, as for learn.")] = "default",
    max_order: Annotated[
        str | None, typer.Option(metavar="K", help="The largest conditioning set, for the estimate.")
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
    as_json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> None:
    """Look at a table before learning: what is wrong with it, how it is understood, how long learning will take.

    Nothing is written but the report, on stdout.
    """
    options: dict[str, Any] = {
        "test": choice("--test", test, TESTS),
        "alpha": number("--alpha", alpha),
        "threshold": number("--threshold", threshold),
        "method": choice("--method", method, METHODS),
        "preset": choice("--preset", preset, PRESETS),
        "max_order": None if max_order is None else whole_number("--max-order", max_order, least=0),
    }
    reading = reading_options.reading(
        drop=drop, index=index, discrete=discrete, continuous=continuous, discretize=discretize,
        drop_missing=drop_missing, missing=missing, delimiter=delimiter, encoding=encoding, decimal=decimal,
        header=header,
    )  # fmt: skip

    from hccd.cli.interruptible import interruptible
    from hccd.preflight import DataCheck, check_data
    from hccd.tables import Reading, named_refusals, read_raw_table

    def looked() -> DataCheck:
        with named_refusals(data):
            return check_data(read_raw_table(data, Reading(**reading)), **options)

    console = Console()
    found = interruptible(looked)
    if as_json:
        for line in json.dumps(found.to_dict(), indent=1, allow_nan=False).splitlines():
            console.result(line)
    else:
        for label, text in found.rows():
            console.result(text, label=f"{label:<{_LABEL_WIDTH}}")
    console.flush()
    with named_refusals(data):
        found.raise_if_refused()
