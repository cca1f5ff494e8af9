"""``hccd explain``: why there is an edge or none, and why it points where it points."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.completion import complete_variable
from hccd.cli.console import Console
from hccd.cli.options import AsJson, Quiet, typed_name

EXAMPLES = """\b
Examples:
  hccd explain hccd-out                 the graph as a whole
  hccd explain hccd-out smoking         every edge of a variable
  hccd explain hccd-out smoking cancer  one pair, adjacent or not
  hccd explain run/graph.json A B --json"""


def explain(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The folder that hccd learn wrote, or its graph.json.", show_default=False),
    ],
    x: Annotated[
        str | None,
        typer.Argument(metavar="X", help="A variable.", show_default=False, autocompletion=complete_variable),
    ] = None,
    y: Annotated[
        str | None,
        typer.Argument(metavar="Y", help="Another variable.", show_default=False, autocompletion=complete_variable),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Explain why two variables are adjacent or not, and why their edge has its direction.

    Without Y, explain all edges of X; without X, describe the whole graph.
    """
    from hccd.cli.interruptible import interruptible
    from hccd.cli.tasks.explain import of_graph, of_pair, of_variable
    from hccd.cli.tasks.run_folder import load_run

    console = Console(quiet=quiet)
    result = interruptible(lambda: load_run(run))
    names = [typed_name(name) for name in (x, y) if name is not None]
    explain_these = (of_graph, of_variable, of_pair)[len(names)]
    explained = explain_these(result, run, *names)
    if as_json:
        console.data(explained.data)
        return
    for label, text in explained.lines:
        console.result(text, label=label)
