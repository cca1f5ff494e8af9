"""``hccd check``: a look at a table before learning from it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from hccd.cli.console import Console
from hccd.cli.groups import grouped
from hccd.cli.reading_options import Data, ReadingOptions, Streaming
from hccd.run.options import CheckOptions

EXAMPLES = """\b
Examples:
  hccd check survey.csv
  hccd check ward.csv --index patient --discretize age=4 --na NA,-999
  hccd check survey.csv --json > check.json

\b
Exit code: 0 the table can be learned from, perhaps with warnings;
2 learn would refuse it (the last line says why)."""

_LABEL_WIDTH = 11


@grouped
def check(
    data: Data,
    options: CheckOptions,
    reading: ReadingOptions,
    stream: Streaming = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> None:
    """Check a table before learning: how its columns are interpreted, what is wrong, how long learning will take.

    The result goes to stdout; no file is written.
    """
    arguments = reading.arguments()

    from hccd.cli.interruptible import interruptible
    from hccd.files.content import named_refusals
    from hccd.preflight import DataCheck, check_data
    from hccd.streams import raw_or_stream

    def looked() -> DataCheck:
        rows = raw_or_stream(data, arguments, always=stream)
        with named_refusals(data):
            return check_data(rows, **vars(options))

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
