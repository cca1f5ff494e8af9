"""``hccd report``: a finished run as one page to explore in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from hccd.cli.console import Console
from hccd.cli.options import Quiet
from hccd.errors import InvalidParameterError

EXAMPLES = """\b
Examples:
  hccd report hccd-out
  hccd report hccd-out --out page.html
  hccd report old/graph.json --out old.html --force"""


def report(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The folder that hccd learn wrote, or its graph.json.", show_default=False),
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Where to write the page; by default report.html beside the graph."),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The output of hccd check --json, to show in the page."),
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Replace FILE even if hccd did not write it; reports of hccd are always replaced."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Write a run as one page: the graph to explore, with the reason for every edge and for every missing one.

    The page is a single file that needs no network: open it in any browser, or send it to somebody.
    """
    from hccd.cli.interruptible import interruptible

    console = Console(quiet=quiet)
    console.result(str(interruptible(lambda: _written(run, out, check, force))), label="report     ")


def _place(path: str) -> Path:
    """Return a path as the user wrote it, ``~`` for the home folder."""
    with suppress(RuntimeError):
        return Path(path).expanduser()
    return Path(path)


def _written(run: str, out: str | None, check: str | None, force: bool) -> Path:
    """Read the run, write the page, and return where it is."""
    from hccd.cli.tasks.output import GRAPH_FILE, REPORT_FILE, check_report
    from hccd.files.content import named_refusals
    from hccd.files.folders import make_folders, unmake_folders
    from hccd.files.whole import write_whole
    from hccd.report import report_html
    from hccd.report.check_section import CHECK_FORMAT
    from hccd.result import HCCDResult
    from hccd.result.file import read_json
    from hccd.wording import quoted

    if out == "":
        raise InvalidParameterError("--out is empty: give the name of a file")
    graph = _place(run)
    if graph.is_dir():
        graph = graph / GRAPH_FILE
        if not graph.exists():
            raise InvalidParameterError(
                f"the folder {quoted(run, longest=4096)} holds no {GRAPH_FILE}: give a folder that hccd learn wrote"
            )
    target = graph.parent / REPORT_FILE if out is None else _place(out)
    check_report(target, force=force)
    with named_refusals(graph):
        data = read_json(graph)
        result = HCCDResult.from_dict(data)
    with named_refusals(check or ""):
        found = None if check is None else read_json(_place(check))
    if found is not None and found.get("format") != CHECK_FORMAT and "lines" not in found:
        raise InvalidParameterError(
            f"--check is {quoted(check, longest=4096)}, which is not a check of a table: give the output of hccd check "
            "--json"
        )
    software = data.get("software")
    html = report_html(
        result,
        data_check=found,
        software={str(name): str(version) for name, version in software.items()}
        if isinstance(software, Mapping)
        else None,
    )
    made = []
    try:
        made = make_folders(target.parent)
        write_whole(target, [html])
    except OSError as error:
        unmake_folders(made)
        raise InvalidParameterError(
            f"{quoted(target, longest=4096)} cannot be written ({error.strerror or error}): choose another --out"
        ) from None
    return target
