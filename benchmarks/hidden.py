"""What FCI is worth where common causes are hidden: marks that are right, found and claimed, and CPU seconds.

    python -m benchmarks hidden [--seeds 10] [--share 0.1] [--only Gaussian] [--limit 120]
    python -m benchmarks hidden --large 200 --seeds 3 --limit 600
    python -m benchmarks hidden --variants
    python -m benchmarks hidden --signs --seeds 20

A share of the variables is hidden, all of them with two effects at least where there are as many. Truth is the MAG of
the DAG for what is claimed, its PAG for what can be found: an adjacency is right if the MAG has it, an arrowhead or a
tail if the MAG has it there; recall is the share of those of the PAG. causal-learn's FCI (of the test tools) is ended
after ``--limit`` CPU seconds.

``--signs`` asks whether edges with two arrowheads in the graph of FCI are a sign of hidden causes: how many of the
tables without any, and with a fifth of the variables hidden, have two such edges.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import signal
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hccd
from hccd.ancestral import dag_to_mag, dag_to_pag
from hccd.datasets.synthetic import LinearGaussian, random_dag
from hccd.graphs import PAG, PDAG
from hccd.graphs.pag import ARROW, CIRCLE, NONE, TAIL
from hccd.studies.cells import NetworkCell, truth_of

Marks = NDArray[np.int8]

#: Data, by name: variables, mean number of neighbours (None: a published network) and rows.
DATA = {"Gaussian": (50, 3.0, 1000), "Gaussian, 5,000 rows": (50, 3.0, 5000), "alarm": (37, None, 2000)}
OWN: dict[str, dict[str, Any]] = {
    "FCI in HCCD": {"baseline": "fci"},
    "FCI alone": {"baseline": "fci", "method": "pc"},
    "RFCI in HCCD": {"baseline": "rfci"},
    "RFCI alone": {"baseline": "rfci", "method": "pc"},
    "PC in HCCD": {"scoring": "none"},
    "default": {},
}
PEER = "causal-learn FCI"
#: What else could have been done: which sets vote on colliders, whether second arrowheads need evidence of their own
#: (they do where ``conflicts`` is ``strongest``), and how many possible-d-sep sets are asked about.
VARIANTS: dict[str, dict[str, Any]] = {
    "majority, up to 2 (default)": {},
    "... any second arrowhead": {"conflicts": "first"},
    "majority, up to 5": {"collider_order": 5},
    "separating set": {"colliders": "separating-set"},
    "separating set, any second arrowhead": {"colliders": "separating-set", "conflicts": "first"},
    "no possible-d-sep set": {"dsep_order": 0},
    "possible-d-sep sets of up to 4": {"dsep_order": 4},
}


class OutOfTime(Exception):
    """The limit of CPU seconds is over."""


def drawn(n: int, degree: float | None, rows: int, seed: int) -> tuple[NDArray[Any], PDAG]:
    """Return a table of all variables, and the DAG behind it."""
    if degree is None:
        table, dag = NetworkCell("alarm", n, rows).make(seed)
        return table, truth_of(dag)
    rng = np.random.default_rng([seed, n, rows])
    model = LinearGaussian.random(random_dag(n, degree, rng).dag, rng).shuffled(rng)
    return model.sample(rows, rng), truth_of(model.dag)


def hidden_of(dag: PDAG, share: float, seed: int) -> list[int]:
    """Choose the variables to hide: common causes, as long as there are some."""
    order = np.random.default_rng([seed, 29]).permutation(dag.n).tolist()
    order.sort(key=lambda v: len(dag.children(v)) < 2)
    return sorted(order[: round(share * dag.n)])


def marks_of(graph: PAG | PDAG) -> Marks:
    """Return the marks; an undirected edge of a CPDAG leaves both of its ends open."""
    if isinstance(graph, PAG):
        return graph.marks
    marks = np.zeros((graph.n, graph.n), np.int8)
    for x, y in graph.directed_edges().tolist():
        marks[x, y], marks[y, x] = ARROW, TAIL
    for x, y in graph.undirected_edges().tolist():
        marks[x, y] = marks[y, x] = CIRCLE
    return marks


def causal_learn(table: NDArray[Any], discrete: bool, limit: float) -> Marks:
    """Run causal-learn's FCI with the same test and level."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.FCI import fci

        test, alpha = ("gsq", 0.05) if discrete else ("fisherz", 0.01)
        with _cpu_limit(limit), contextlib.redirect_stdout(io.StringIO()):
            graph = fci(table, test, alpha, show_progress=False)[0].graph
    # Its graph[j, i] is the mark at j.
    return np.vectorize({0: NONE, 1: ARROW, -1: TAIL, 2: CIRCLE}.get)(graph.T.astype(int)).astype(np.int8)


@contextlib.contextmanager
def _cpu_limit(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise OutOfTime

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def figures(marks: Marks, mag: Marks, pag: Marks) -> list[float]:
    """Return precision and recall of adjacencies and arrowheads, precision of tails, and the arrowheads claimed."""

    def share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
        return float(part.sum() / whole.sum()) if whole.any() else float("nan")

    joined, heads, tails = marks != NONE, marks == ARROW, marks == TAIL
    return [
        share(joined & (mag != NONE), joined),
        share(joined & (mag != NONE), mag != NONE),
        share(heads & (mag == ARROW), heads),
        share(heads & (pag == ARROW), pag == ARROW),
        share(tails & (mag == TAIL), tails),
        share(heads & heads.T, joined),
    ]


def measured(name: str, share: float, seed: int, limit: float, only: list[str]) -> dict[str, list[float]]:
    """Return the figures of each method on a data set, and its CPU seconds."""
    n, degree, rows = DATA[name]
    table, dag = drawn(n, degree, rows, seed)
    latent = hidden_of(dag, share, seed)
    table = np.delete(table, latent, axis=1)
    mag, pag = dag_to_mag(dag, latent).marks, dag_to_pag(dag, latent).marks
    found = {}
    for method in only:
        begin = time.process_time()
        try:
            if method == PEER:
                marks = causal_learn(table, degree is None, limit)
            else:
                options = OWN[method]
                discrete = list(range(table.shape[1])) if degree is None else []
                marks = marks_of(hccd.discover(table, bootstrap="none", discrete=discrete, **options).graph)
        except OutOfTime:
            found[method] = [float("nan")] * 6 + [limit]
            continue
        seconds = time.process_time() - begin
        found[method] = [*figures(marks, mag, pag), seconds]
    return found


#: How strictly FCI is asked for signs.
SIGNS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "conservative, alpha .001": {"colliders": "conservative", "collider_order": "none", "alpha": 0.001},
    "conservative, alpha .0001": {"colliders": "conservative", "collider_order": "none", "alpha": 0.0001},
}


def signs(seeds: int) -> None:
    """Print how many tables have two edges with two arrowheads, with and without hidden variables."""
    print(f"two edges <-> in FCI's graph, share of {seeds} tables")
    print("| columns | rows | " + " | ".join(f"{how}: nothing hidden | a fifth hidden" for how in SIGNS) + " |")
    print("|" + "---|" * (2 + 2 * len(SIGNS)))
    for n, rows in ((n, rows) for n in (10, 50) for rows in (200, 1000, 5000)):
        cells = []
        for options in SIGNS.values():
            for share in (0.0, 0.2):
                spoke = 0
                for seed in range(seeds):
                    table, dag = drawn(round(n / (1 - share)), 3.0, rows, seed)
                    table = np.delete(table, hidden_of(dag, share, seed), axis=1)
                    heads = hccd.discover(table, baseline="fci", dsep_order=2, **options).graph.marks == ARROW
                    spoke += int((heads & heads.T).sum() // 2 > 1)
                cells.append(f"{spoke / seeds:.2f}")
        print(f"| {n} | {rows} | {' | '.join(cells)} |", flush=True)


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hidden", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--share", type=float, default=0.1, help="how much of the variables is hidden")
    parser.add_argument("--only", nargs="*", help="data sets")
    parser.add_argument("--methods", nargs="*", default=[*OWN, PEER])
    parser.add_argument("--variants", action="store_true", help="compare variants of FCI")
    parser.add_argument("--large", type=int, help="variables of a Gaussian model with 3.5 neighbours, 1,000 rows")
    parser.add_argument("--limit", type=float, default=120.0, help="CPU seconds for causal-learn")
    parser.add_argument("--signs", action="store_true", help="whether the graph of FCI tells of hidden causes")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if options.signs:
        signs(options.seeds)
        return
    if options.variants:
        OWN.update({name: {"baseline": "fci", **changes} for name, changes in VARIANTS.items()})
        options.methods = list(VARIANTS)
    if options.large:
        DATA[f"Gaussian, n {options.large}"] = (options.large, 3.5, 1000)
        options.only = [f"Gaussian, n {options.large}"]
    print(f"{options.share:.0%} of the variables hidden, {options.seeds} seeds, ± standard error")
    columns = ("adjacency precision", "recall", "arrowhead precision", "recall", "tail precision", "share of <->")
    print(f"| data | method | {' | '.join(columns)} | CPU seconds |")
    print("|" + "---|" * (len(columns) + 3))
    for name in options.only or DATA:
        runs = [measured(name, options.share, seed, options.limit, options.methods) for seed in range(options.seeds)]
        for method in options.methods:
            values = np.array([run[method] for run in runs])
            ended = ~np.isnan(values[:, 0])
            cells = [_cell(values[ended, column], column == 2) for column in range(len(columns))]
            seconds = f"{values[:, -1].mean():.2f}"
            if not ended.all():
                seconds = f"{ended.sum()} of {len(ended)} ended within {options.limit:g}"
            print(f"| {name} | {method} | {' | '.join(cells)} | {seconds} |", flush=True)


def _cell(values: NDArray[np.float64], with_spread: bool) -> str:
    """Return a mean, and its standard error if asked for."""
    values = values[~np.isnan(values)]
    if not len(values):
        return ""
    spread = f" ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}" if with_spread and len(values) > 1 else ""
    return f"{values.mean():.2f}{spread}"
