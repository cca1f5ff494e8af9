"""``hccd compare``: a learned graph against the true one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hccd.cli.console import Console
from hccd.cli.options import AsJson, Quiet, number
from hccd.errors import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from hccd.metrics import Comparison

EXAMPLES = """\b
Examples:
  hccd compare truth.csv hccd-out
  hccd compare alarm.bif hccd-out/graph.json --data test.csv
  hccd compare truth.csv pc/graph.json --json > pc.json

\b
Graphs: graph.json or the folder it is in; .graphml, .gml, .dot; .csv, an
adjacency matrix with names on both sides, where 1 in row a and column b is
a -> b, and 1 in both cells a - b, or a list of edges; .amat.csv and .pag.csv
of pcalg; .txt of DAGitty or Tetrad; .bif, a Bayesian network."""

_GAP = 2


def compare(
    truth: Annotated[str, typer.Argument(metavar="TRUTH", help="The true graph.", show_default=False)],
    learned: Annotated[
        str,
        typer.Argument(
            metavar="LEARNED", help="The learned graph, over variables of the same names.", show_default=False
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(
            metavar="TEST", help="A table of discrete data, for BDeu and BIC; preferably not the training data."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="A table with further states of the variables, such as the training data."),
    ] = None,
    ess: Annotated[
        str, typer.Option(metavar="A", help="Equivalent sample size of BDeu: the weight of its prior, in rows.")
    ] = "1",
    as_given: Annotated[
        bool,
        typer.Option("--as-given", help="Compare DAGs themselves, not the CPDAGs of their equivalence classes."),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare a learned graph with the true one, by all metrics.

    SHD, missing and extra edges, precision, recall and F1, causal accuracy, SID, AID; BDeu and BIC with --data.
    """
    weight = number("--ess", ess)
    assert weight is not None
    if not 0.0 < weight < float("inf"):
        raise InvalidParameterError(f"--ess is {weight}; it must lie above 0, for example 1")
    if reference is not None and data is None:
        raise InvalidParameterError("--reference adds to the states of --data: give --data as well")

    from hccd.cli.interruptible import interruptible

    console = Console(quiet=quiet)
    found = interruptible(lambda: _compared(truth, learned, data, reference, weight, not as_given, console))
    if as_json:
        console.data(found.to_dict())
        return
    rows = found.table()
    width = max(len(name) for name, _ in rows) + _GAP
    for name, value in rows:
        console.result(value, label=f"{name:<{width}}")


def _compared(
    truth: str, learned: str, data: str | None, reference: str | None, ess: float, as_cpdag: bool, console: Console
) -> Comparison:
    """Read the files and compare."""
    from hccd.metrics import compare as compare_graphs
    from hccd.result.graph_files import read_graph
    from hccd.tables import read_table
    from hccd.wording import quoted

    true_graph, learned_graph = read_graph(truth), read_graph(learned)
    table = None if data is None else read_table(data)
    more = None if reference is None else read_table(reference)
    try:
        found = compare_graphs(true_graph, learned_graph, table, reference=more, ess=ess, as_cpdag=as_cpdag)
    except InvalidDataError as error:
        raise error.reworded(f"{quoted(data, longest=4096)}: {error.sentence}") from error
    for read in (table, more):
        for sentence in read.notes if read is not None else ():
            console.note(sentence)
    return found
