"""``hccd serve``: a page in the browser to learn a graph without a terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.console import Console
from hccd.cli.options import whole_number

EXAMPLES = """\b
Examples:
  hccd serve
  hccd serve --port 8000 --no-open
  hccd serve --max-size 2000

\b
It needs two packages: pip install 'hccd[serve]'.
Ctrl-C stops the server and deletes its tables and results."""


def serve(
    port: Annotated[
        str, typer.Option(metavar="N", help="The port of this computer to listen on; 0 for any free port.")
    ] = "0",
    max_size: Annotated[
        str,
        typer.Option(metavar="MB", help="The largest table that the page accepts, in megabytes, also after unpacking."),
    ] = "200",
    browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the page in a browser; by default if there is a screen."),
    ] = None,
) -> None:
    """Open a page to learn a graph without a terminal: load a table, correct its columns, learn, explore, download.

    The page is reachable from this computer only, at an address with a random token. Nothing leaves the computer.
    """
    listen = whole_number("--port", port, least=0)
    megabytes = whole_number("--max-size", max_size, least=1)

    from hccd.serve.server import serve as run

    console = Console()

    def say(address: str) -> None:
        console.result(address, label="open       ")
        console.result("Ctrl-C", label="stop       ")
        console.flush()

    run(listen, megabytes * 1_000_000, browser=browser, say=say)
