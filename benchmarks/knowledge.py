"""What true tiers are worth: errors without them, with edges turned by them afterwards, and with them from the start.

    python -m benchmarks knowledge [--seeds 10] [--rows 500] [--tiers 4] [--networks DIR]

Tiers are parts of equal size of an order in which causes come before effects. All three graphs are compared with the
same one: the class of the true DAG, as far as the tiers leave it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import hccd
from benchmarks.accuracy_design import NETWORKS
from hccd.datasets.synthetic import LinearGaussian, random_dag
from hccd.graphs import PDAG, dag_to_cpdag, meek_closure
from hccd.metrics import shd
from hccd.studies.cells import NetworkCell, truth_of

#: On the largest the tests alone take minutes.
KNOWN = {name: n for name, n in NETWORKS if n <= 223}
#: Variables and mean number of neighbours of random Gaussian models.
GAUSSIAN = (100, 3.0)


def sampled(name: str, rows: int, seed: int) -> tuple[Any, PDAG]:
    """Return a table and the DAG behind it."""
    if name != "Gaussian":
        table, dag = NetworkCell(name, KNOWN[name], rows).make(seed)
        return table, truth_of(dag)
    rng = np.random.default_rng([seed, 13])
    model = LinearGaussian.random(random_dag(*GAUSSIAN, rng).dag, rng).shuffled(rng)
    return model.sample(rows, rng), truth_of(model.dag)


def true_tiers(dag: PDAG, count: int) -> list[list[int]]:
    """Return parts of an order of the variables."""
    order = dag.topological_order()
    assert order is not None
    return [[int(v) for v in part] for part in np.array_split(np.array(order), count)]


def turned(graph: PDAG, tiers: list[list[int]]) -> PDAG:
    """Return the graph with all edges between tiers directed by them, and what follows."""
    tier = {v: i for i, part in enumerate(tiers) for v in part}
    arrows = [(x, y) if tier[x] <= tier[y] else (y, x) for x, y in graph.directed_edges().tolist()]
    free = graph.undirected_edges().tolist()
    arrows += [(x, y) if tier[x] < tier[y] else (y, x) for x, y in free if tier[x] != tier[y]]
    return meek_closure(PDAG.from_edges(graph.n, arrows, [(x, y) for x, y in free if tier[x] == tier[y]]))


def errors(name: str, rows: int, seed: int, count: int, options: dict[str, Any]) -> list[float]:
    """Return the errors of the three graphs, the edges too many and too few of two, and the ratio of tests."""
    table, dag = sampled(name, rows, seed)
    tiers = true_tiers(dag, count)
    truth = turned(dag_to_cpdag(dag), tiers)
    names = [f"V{i}" for i in range(dag.n)]
    plain = hccd.discover(table, bootstrap="none", names=names, **options)
    known = hccd.discover(
        table, bootstrap="none", names=names, tiers=[[names[v] for v in tier] for tier in tiers], **options
    )
    graphs = (plain.graph, turned(plain.graph, tiers), known.graph)
    distances = [shd(truth, graph, as_cpdag=False) for graph in graphs]
    wrong_pairs = [each.missing + each.extra for each in (distances[0], distances[2])]
    return [*(each.total for each in distances), *wrong_pairs, known.tests.total / plain.tests.total]


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks knowledge", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--tiers", type=int, default=4)
    parser.add_argument("--networks", type=Path, default=None, help="folder of BIF files")
    options = parser.parse_args(arguments)
    NetworkCell.folder = options.networks
    print(f"{options.rows:,} rows, {options.tiers} tiers, {options.seeds} seeds")
    print("| data | SHD without | directed afterwards | with | worse | wrong pairs without | with | tests |")
    print("|---|---|---|---|---|---|---|---|")
    for how, chosen in (("", {}), (", tests alone", {"scoring": "none"})):
        for name in (*KNOWN, "Gaussian"):
            rows = [errors(name, options.rows, seed, options.tiers, chosen) for seed in range(options.seeds)]
            plain, after, known, pairs, known_pairs, tests = np.array(rows).T
            gain = known - plain
            spread = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else float("nan")
            print(
                f"| {name}{how} | {plain.mean():.1f} | {after.mean():.1f} | {known.mean():.1f} "
                f"({gain.mean():+.1f} ± {spread:.1f}) | {int((gain > 0).sum())} of {len(gain)} | {pairs.mean():.1f} "
                f"| {known_pairs.mean():.1f} | {tests.mean():.2f} |",
                flush=True,
            )
