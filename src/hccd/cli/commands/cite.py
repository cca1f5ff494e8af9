"""``hccd cite``: what to cite, and a paragraph on a run for the methods section of a paper."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.console import Console

EXAMPLES = """\b
Examples:
  hccd cite                what to cite, as BibTeX
  hccd cite hccd-out       a paragraph on this run first"""


def cite(
    run: Annotated[
        str | None,
        typer.Argument(metavar="RUN", help="The folder that hccd learn wrote, or its graph.json.", show_default=False),
    ] = None,
) -> None:
    """Print what to cite as BibTeX, and a paragraph on a run for a paper."""
    from hccd.result.methods_text import BIBTEX

    console = Console()
    if run is not None:
        from hccd.cli.interruptible import interruptible
        from hccd.cli.tasks.run_folder import load_run

        console.result(interruptible(lambda: load_run(run)).methods_text())
        console.result("")
    for line in BIBTEX.splitlines():
        console.result(line)
