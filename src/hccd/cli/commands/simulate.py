"""``hccd simulate``: data from a network that is known, and the graphs that a method should find in them."""

from __future__ import annotations

from typing import Annotated

import typer

from hccd.cli.completion import completing
from hccd.cli.console import Console
from hccd.cli.options import AsJson, Quiet, number, whole_number
from hccd.errors import InvalidParameterError

RANDOM = "random"

#: Repeats ``hccd.datasets.network_names``, which is too heavy to import for ``--help``; a test keeps them equal.
NETWORKS = (
    "alarm", "andes", "asia", "barley", "cancer", "child", "diabetes", "earthquake", "hailfinder", "hepar2",
    "insurance", "link", "mildew", "munin", "munin1", "munin2", "munin3", "munin4", "pathfinder", "pigs", "sachs",
    "survey", "water", "win95pts", "arth150", "ecoli70", "magic-irri", "magic-niab",
)  # fmt: skip

EXAMPLES = f"""\b
Examples:
  hccd simulate random --variables 100 --connectivity 3 --rows 1000 --out data
  hccd simulate alarm --rows 5000 --seed 1 --out data
  hccd simulate my-network.bif --rows 500 --out data
  hccd learn data/data.csv

Networks: {", ".join(NETWORKS)}. They come with the package pgmpy: pip install 'hccd[experiments]'."""

_VARIABLES, _CONNECTIVITY = 100, 3.0
_MOST_VARIABLES = 10_000


def simulate(
    network: Annotated[
        str,
        typer.Argument(
            metavar="NETWORK",
            help="'random' for a random linear Gaussian network; the name of a published network, for example alarm; "
            "or a file: BIF, or JSON of a linear Gaussian network, compressed with gzip or not.",
            show_default=False,
            autocompletion=completing((RANDOM, *NETWORKS)),
        ),
    ],
    rows: Annotated[str, typer.Option(metavar="N", help="How many rows to draw.")] = "1000",
    seed: Annotated[
        str, typer.Option(metavar="N", help="The same seed gives the same data, and the same random network.")
    ] = "0",
    variables: Annotated[
        str | None,
        typer.Option(metavar="N", help=f"For random: how many variables; by default {_VARIABLES}."),
    ] = None,
    connectivity: Annotated[
        str | None,
        typer.Option(metavar="C", help=f"For random: the expected number of neighbours; by default {_CONNECTIVITY:g}."),
    ] = None,
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="DIR", help="Folder for data.csv, truth.json and cpdag.json; created if it does not exist."
        ),
    ] = "hccd-data",
    force: Annotated[bool, typer.Option("--force", help="Replace these files if they are in DIR already.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Draw data from a known network.

    DIR/data.csv holds the data, DIR/truth.json the true graph, and DIR/cpdag.json its equivalence class: edges whose
    direction no data can determine are undirected.
    """
    n_rows = whole_number("--rows", rows, least=1)
    row_seed = whole_number("--seed", seed, least=0)
    drawn = {"--variables": variables, "--connectivity": connectivity}
    for option, value in drawn.items():
        if network != RANDOM and value is not None:
            raise InvalidParameterError(f"{option} belongs to the network 'random', not to {network!r}: leave it out")
    n = _VARIABLES if variables is None else whole_number("--variables", variables, least=1)
    if n > _MOST_VARIABLES:
        raise InvalidParameterError(f"--variables is {n}; give at most {_MOST_VARIABLES}")
    # Small networks cannot have so many neighbours, and should work without saying so.
    neighbours = min(_CONNECTIVITY, n - 1) if connectivity is None else number("--connectivity", connectivity)
    assert neighbours is not None
    if not 0 <= neighbours <= n - 1:
        raise InvalidParameterError(f"--connectivity is {neighbours:g}; give 0 to {n - 1}, as there are {n} variables")

    from hccd.cli.tasks.simulate import Simulation, run

    run(Simulation(network, n_rows, row_seed, n, neighbours, out, force), Console(quiet=quiet), as_json=as_json)
