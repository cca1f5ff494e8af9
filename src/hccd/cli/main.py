"""The entry point: which commands there are, and that every failure ends as one line and an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_command

from hccd.cli.commands import (
    check,
    cite,
    compare,
    convert,
    demo,
    effect,
    explain,
    learn,
    plot,
    report,
    reproduce,
    sensitivity,
    serve,
    simulate,
    version,
)
from hccd.cli.configurable import configurable
from hccd.cli.console import Console
from hccd.cli.failure import exit_code_of, interrupted
from hccd.cli.interruptible import INTERRUPTED, hearing_interrupts

_EXAMPLES = """\b
Examples:
  hccd demo                      learn from the sample data of hccd
  hccd check survey.csv          check your own data first
  hccd learn survey.csv          learn from them
  hccd learn --help              all options
  hccd explain hccd-out A B      why there is an edge between A and B, or none
  hccd effect hccd-out A B --data survey.csv   the effect of A on B
  hccd plot hccd-out             the graph as a picture
  hccd serve                     all of this in a browser
  hccd simulate random           data from a known graph

\b
Exit code: 0 done, 2 a problem to solve (the last line names it),
130 interrupted, 1 a bug in hccd.

Options can also be set in hccd.toml or the environment: see hccd learn --help."""

# Plain help without rich's panels: it is the same on a terminal, in a pipe and in ASCII, and rich need not be imported.
app = typer.Typer(
    name="hccd",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_EXAMPLES,
)
_COMMANDS = (
    (learn, "Learn a causal graph from a table."),
    (check, "Check a table before learning from it."),
    (explain, "Explain why two variables are adjacent or not."),
    (effect, "Estimate the total effect of one variable on another."),
    (plot, "Draw the graph of a run."),
    (report, "Write a run as one page to explore in a browser."),
    (sensitivity, "Show which edges change with alpha."),
    (compare, "Compare a learned graph with the true one."),
    (convert, "Write a graph in another format."),
    (serve, "Open a page to learn a graph without a terminal."),
    (cite, "Print what to cite, and a methods paragraph of a run."),
    (demo, "Learn from the sample data of hccd."),
    (simulate, "Simulate data from a known network."),
    (reproduce, "Repeat a table or figure of the paper."),
    (version, "Print the version."),
)
for _module, _short in _COMMANDS:
    _name = _module.__name__.rpartition(".")[2]
    app.command(_name, short_help=_short, epilog=_module.EXAMPLES)(getattr(_module, _name))
# After the last command: all of them take options from the config file and the environment.
for _registered in app.registered_commands:
    assert _registered.callback is not None
    _registered.callback = configurable(_registered.callback)


def _say_version(wanted: bool) -> None:
    if wanted:
        version.version()
        raise typer.Exit


@app.callback()
def _whole(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Learn a causal graph from a table: PC in hierarchical clusters (HCCD), then a score search."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; by default those of the process.
    """
    console = Console()
    try:
        arguments = None if argv is None else list(argv)
        with hearing_interrupts():
            status = get_command(app).main(args=arguments, prog_name="hccd", standalone_mode=False)
            console.flush()
    except typer.Abort:
        return interrupted(console)
    except BaseException as error:
        return exit_code_of(error, console)
    # Newer versions of typer turn an interrupt into this status, older ones into Abort.
    return interrupted(console) if status == INTERRUPTED else int(status or 0)
