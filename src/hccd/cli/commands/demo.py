"""``hccd demo``: learn from the sample that comes with the package, and show what came out."""

from __future__ import annotations

from hccd.cli.console import Console
from hccd.cli.options import Force, Out, Quiet, Report
from hccd.cli.tasks.request import Request

EXAMPLES = """\b
Examples:
  hccd demo
  hccd demo --out demo --force"""


def demo(
    out: Out = "hccd-demo",
    report: Report = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Learn the ALARM network from 2000 rows that come with hccd.

    ALARM is the usual first example: 37 discrete variables about patients under anaesthesia, and 46 edges.
    """
    from hccd.cli.tasks.learn import run
    from hccd.cli.tasks.summary import say_comparison, say_edges, say_summary
    from hccd.datasets.alarm import alarm_edges, alarm_path

    console = Console(quiet=quiet)
    finished = run(Request(data=alarm_path(), out=out, force=force, report=report), console)
    say_edges(finished, console, most=None)
    say_summary(finished, console)
    say_comparison(finished, alarm_edges(), console)
