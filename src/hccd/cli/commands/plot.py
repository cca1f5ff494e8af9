"""``hccd plot``: a picture of a run, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hccd.cli.completion import complete_variable, completing
from hccd.cli.console import Console
from hccd.cli.options import AsJson, Quiet, choice, one_of, whole_number
from hccd.errors import InvalidParameterError

#: These repeat ``hccd.drawing``, which is too heavy to import for ``--help``; a test keeps them equal.
KINDS = ("graph", "clusters", "tree", "tests")
ENDINGS = (".png", ".svg", ".pdf")

EXAMPLES = """\b
Examples:
  hccd plot hccd-out
  hccd plot hccd-out --kind clusters --out clusters.svg
  hccd plot hccd-out --around income --distance 2 --out income.pdf

It needs matplotlib: pip install 'hccd[plot]'."""


def plot(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The folder that hccd learn wrote, or its graph.json.", show_default=False),
    ],
    kind: Annotated[
        str,
        typer.Option(
            metavar=one_of(KINDS),
            autocompletion=completing(KINDS),
            help="graph: the learned graph, coloured by cluster; clusters: the tree of clusters with their members; "
            "tree: both, side by side; tests: how many tests of each order.",
        ),
    ] = "graph",
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where to write, ending in .png, .svg or .pdf; by default KIND.png in the folder of the run.",
        ),
    ] = None,
    around: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Draw only the neighbourhood of a variable; can be repeated.",
            autocompletion=complete_variable,
        ),
    ] = None,
    distance: Annotated[str, typer.Option(metavar="N", help="The largest distance from --around, in edges.")] = "1",
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists already.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Draw the graph, the clusters or the tests of a run; the same run gives the same file."""
    choice("--kind", kind, KINDS)
    near = whole_number("--distance", distance, least=0)
    if around and kind != "graph":
        raise InvalidParameterError(f"--around cuts out a part of a graph, but --kind is {kind}: leave one of them out")
    source = Path(run)
    beside = source if source.is_dir() else source.parent
    target = beside / f"{kind}.png" if out is None else _target(out)

    from hccd.cli.interruptible import interruptible
    from hccd.cli.tasks.plot import check_target, write_picture

    check_target(target, force=force)
    interruptible(lambda: write_picture(run, target, kind, tuple(around or ()), near))
    console = Console(quiet=quiet)
    if as_json:
        console.data({"file": str(target), "kind": kind})
        return
    console.result(str(target), label="written    ")


def _target(out: str) -> Path:
    """Return the file to write, whose name must tell the format."""
    path = Path(out).expanduser()
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameterError(f"--out is {out!r}; the name must end with a format, one of {', '.join(ENDINGS)}")
    return path
