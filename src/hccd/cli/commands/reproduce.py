"""``hccd reproduce``: a table or figure of the paper, run again, with the paper's figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hccd.cli.completion import completing
from hccd.cli.console import Console
from hccd.cli.options import Quiet, choice, one_of, whole_number
from hccd.errors import InvalidParameterError

if TYPE_CHECKING:
    from hccd.studies import Outcome

#: Repeats ``hccd.studies``, which is too heavy to import for ``--help``; a test keeps them equal.
STUDIES = (
    "assumption", "bdeu", "break-even", "calibration", "causal-accuracy", "ci-tests", "completeness", "ideas",
    "leaderboard", "nodes", "partitions", "samples", "scatter", "shd", "thresholds", "tree",
)  # fmt: skip
SCALES = ("quick", "paper")

EXAMPLES = f"""\b
Examples:
  hccd reproduce ci-tests
  hccd reproduce shd --scale paper --mmhc archives --jobs 2 --out results

Studies: {", ".join(STUDIES)}. They need pip install 'hccd[experiments]'."""


def reproduce(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The study.", show_default=False, autocompletion=completing(STUDIES))
    ],
    scale: Annotated[
        str,
        typer.Option(
            metavar=one_of(SCALES),
            autocompletion=completing(SCALES),
            help="quick: a few runs of each kind; paper: as many as in the paper.",
        ),
    ] = "quick",
    mmhc: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder with the archives of the MMHC study (NAME.tar.xz).")
    ] = None,
    neuropain: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder with the parameters of NeuroPain.")
    ] = None,
    peers: Annotated[
        str | None,
        typer.Option(
            metavar="PYTHON",
            help="For the leaderboard: a Python interpreter that has causal-learn, pgmpy and pyagrum; by default the "
            "one that runs hccd.",
        ),
    ] = None,
    jobs: Annotated[str, typer.Option(metavar="N", help="Number of processes; -1 for all cores.")] = "1",
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Address of a Dask scheduler whose workers make the runs, such as tcp://host:8786."
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Folder for results; those of a study are in DIR/NAME.")
    ] = "hccd-studies",
    quiet: Quiet = False,
) -> None:
    """Repeat a table or figure of the paper.

    DIR/NAME holds the results, which are the same in every run (runs.csv, table.md, figure.png, figure.svg), and the
    times (times.csv, times.md). To continue an interrupted study, repeat the command.
    """
    choice("--scale", scale, SCALES)
    n_jobs = whole_number("--jobs", jobs, least=-1)
    if n_jobs == 0:
        raise InvalidParameterError("--jobs is '0'; give the number of processes, or -1 for all cores")

    from hccd.cli.interruptible import interruptible
    from hccd.progress.display import display_on
    from hccd.progress.words import duration
    from hccd.studies import Folders
    from hccd.studies import reproduce as carry_out

    console = Console(quiet=quiet)
    with display_on(console.progress) as display:

        def progress(done: int, runs: int, left: float | None) -> None:
            remaining = "" if left is None else f", about {duration(left)} left"
            display.say(f"{name}: {done:,} of {runs:,} runs{remaining}", done / runs)

        def work() -> Outcome:
            return carry_out(
                name, out, scale=scale, folders=Folders(mmhc, neuropain), n_jobs=n_jobs, progress=progress, peers=peers,
                client=dask, note=console.note,
            )  # fmt: skip

        outcome = interruptible(work)
    if outcome.left_out:
        console.note(f"without {', '.join(outcome.left_out)}: give --mmhc or --neuropain")
    if outcome.not_installed:
        console.note(f"without the packages {', '.join(outcome.not_installed)}: give --peers an interpreter with them")
    for line in outcome.table.splitlines():
        console.result(line)
    console.result(str(outcome.folder), label="files in ")
