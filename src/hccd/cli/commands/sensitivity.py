"""``hccd sensitivity``: which edges depend on how strict one is."""

from __future__ import annotations

import json
import warnings
from typing import Annotated

import typer

from hccd.cli.console import Console
from hccd.cli.groups import grouped
from hccd.cli.reading_options import Data, ReadingOptions, Streaming
from hccd.run.options import Options

EXAMPLES = """\b
Examples:
  hccd sensitivity survey.csv
  hccd sensitivity survey.csv --scoring none --alpha 0.05
  hccd sensitivity survey.csv --json | jq .edges

\b
Exit code: 0 done, 2 a problem to solve (the last line names it)."""

_LABEL_WIDTH = 11


@grouped
def sensitivity(
    data: Data,
    options: Options,
    reading: ReadingOptions,
    stream: Streaming = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> None:
    """Learn again with alpha a tenth to ten times as large, and say which edges change.

    If a score search follows the tests, the price of an edge changes with alpha, by the logarithm of the factor in
    nats. The result goes to stdout; no file is written.
    """
    arguments = reading.arguments()

    from hccd.cli.interruptible import interruptible
    from hccd.files.content import named_refusals
    from hccd.streams import read_or_stream
    from hccd.varied import Sensitivity, said, sensitivity

    def learned() -> Sensitivity:
        rows = read_or_stream(data, arguments, always=stream)
        with named_refusals(data), warnings.catch_warnings():
            # What is wrong with the data is said by check and learn.
            warnings.simplefilter("ignore")
            return sensitivity(rows, **vars(options))

    console = Console()
    found = interruptible(learned)
    if as_json:
        for line in json.dumps(found.to_dict(), indent=1, allow_nan=False).splitlines():
            console.result(line)
    else:
        for label, text in said(found):
            console.result(text, label=f"{label:<{_LABEL_WIDTH}}")
