"""``hccd effect``: what setting one variable does to another, according to a learned graph."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.completion import complete_variable
from hccd.cli.console import Console
from hccd.cli.groups import grouped
from hccd.cli.options import AsJson, typed_name
from hccd.cli.reading_options import DATA_HELP, ReadingOptions
from hccd.errors import InvalidParameterError

EXAMPLES = """\b
Examples:
  hccd effect hccd-out bmi target --data survey.csv
  hccd effect hccd-out bmi target --data survey.csv --level 0.9 --json"""


@grouped
def effect(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The folder that hccd learn wrote, or its graph.json.", show_default=False),
    ],
    cause: Annotated[
        str,
        typer.Argument(metavar="CAUSE", help="A variable.", show_default=False, autocompletion=complete_variable),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="EFFECT", help="Another variable.", show_default=False, autocompletion=complete_variable
        ),
    ],
    reading: ReadingOptions,
    data: Annotated[
        str | None, typer.Option(metavar="DATA", help=f"{DATA_HELP}  [required]", show_default=False)
    ] = None,
    level: Annotated[float, typer.Option(metavar="L", help="Confidence level of the intervals.")] = 0.95,
    as_json: AsJson = False,
) -> None:
    """Estimate the total effect of one variable on another, for every graph of the equivalence class.

    The effect is adjusted for the causes of CAUSE. Where undirected edges leave open which these are, all possible
    effects are listed.
    """
    if data is None:
        raise InvalidParameterError(
            "a run does not contain its table: name the file that it was learned from, such as --data survey.csv"
        )

    from hccd.cli.interruptible import interruptible
    from hccd.cli.tasks.run_folder import load_run
    from hccd.effects import Effect
    from hccd.files.content import named_refusals
    from hccd.tables import read_table

    def estimated() -> Effect:
        result = load_run(run)
        x, y = (result.index(typed_name(name)) for name in (cause, target))
        with named_refusals(data):
            table = read_table(data, **reading.arguments())
        return result.effect(x, y, table, level=level)

    console, found = Console(), interruptible(estimated)
    if as_json:
        console.data(found.to_dict())
        return
    for line in str(found).splitlines():
        console.result(line)
