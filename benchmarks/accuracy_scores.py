"""Whose graphs score higher, whatever the truth: where the search of the default got stuck.

Every graph of the ledger is scored by the default's own score with the default's own price, as in
``hccd.scoring``; and by what the peer itself maximised. Where a peer's graph has the higher value of our score, our
search missed it. By the peer's own score ours may well be lower: it was not looked for. The true graph is scored too:
where rows are many it should be the best, so where it is higher the search is to blame for errors, and where it is not
the score is.

Graphs of one class have the same BIC and BDeu, but not the same ``bd``: a graph that is no DAG is scored there by one
of its DAGs, ours by the DAG that was found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import hccd
from benchmarks.accuracy_peers import OBJECTIVES
from benchmarks.accuracy_report import DEFAULT, Known
from benchmarks.store import Record
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd.errors import HCCDError
from hccd.graphs import PDAG, pdag_to_dag
from hccd.independence.fisher_z import SINGULAR
from hccd.metrics import bdeu, bic
from hccd.scoring import most_parents
from hccd.studies.cells import HIDDEN, AnyCell, truth_of
from hccd.studies.peer_script import CONTINUOUS

#: The true graph, as if it were a peer's.
TRUTH = "the truth"
#: Scores that differ by less are equal.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Compared:
    """A peer's graph less ours in two scores: our own, and the peer's (None if it has none)."""

    peer: str
    ours: float
    own: float | None
    errors: tuple[int, int]


def dag_of(n: int, record: Record) -> PDAG | None:
    """Return a DAG of the class of a graph; None if it is of none."""
    try:
        return pdag_to_dag(PDAG.from_edges(n, record["directed"], record["undirected"]))
    except HCCDError:
        return None


def our_score(data: Any, kind: str, dag: PDAG) -> float:
    """Return the default's score of a DAG, without the price of edges."""
    test = hccd.FisherZ() if kind == CONTINUOUS else hccd.GTest()
    return total(test.bind(data).families(most_parents(dag)), dag)


def gaussian_bic(data: Any, dag: PDAG, factor: float) -> float:
    """Return BIC of a DAG with so many times its price, from all rows: ours counts some fewer."""
    families = GaussianFamilies(np.corrcoef(data, rowvar=False), float(len(data)), SINGULAR, most_parents(dag))
    return total(families, dag) - (factor - 1.0) * 0.5 * math.log(len(data)) * len(dag.directed_edges())


def total(families: Families, dag: PDAG) -> float:
    """Return the sum over all families of a DAG."""
    parents = [np.sort(dag.parents(y)).astype(np.int32) for y in range(dag.n)]
    return float(sum(families.score(y, own) for y, own in enumerate(parents)))


def objective_of(peer: str, data: Any, kind: str) -> Callable[[PDAG], float] | None:
    """Return what a peer maximises; None if that is not computed here."""
    objective = OBJECTIVES.get(peer)
    if objective is None:
        return None
    score, setting = objective
    if score == "bdeu":
        return lambda dag: bdeu(dag, data, ess=setting)
    return (lambda dag: gaussian_bic(data, dag, setting)) if kind == CONTINUOUS else (lambda dag: bic(dag, data))


def compare(cell: AnyCell, seed: int, known: Known) -> list[Compared]:
    """Compare all graphs of one table, and the true one, with the default's."""
    ours = known.done(cell, DEFAULT).get(seed)
    own_dag = None if ours is None else dag_of(cell.n, ours)
    if ours is None or own_dag is None or "score" not in ours:
        return []
    data, true_dag = cell.make(seed)
    # Adjacencies among hidden variables are no DAG.
    dags = {} if HIDDEN in cell.name else {TRUTH: (truth_of(true_dag), 0)}
    for peer in OBJECTIVES.keys() & known.versions.keys():
        record = known.done(cell, peer).get(seed)
        dag = None if record is None else dag_of(cell.n, record)
        if record is not None and dag is not None:
            dags[peer] = (dag, record["shd"])
    found = []
    for peer, (dag, errors) in sorted(dags.items()):
        score = our_score(data, cell.kind, dag) - ours["price"] * len(dag.directed_edges())
        objective = objective_of(peer, data, cell.kind)
        own = None if objective is None else objective(dag) - objective(own_dag)
        found.append(Compared(peer, score - ours["score"], own, (ours["shd"], errors)))
    return found


def print_all(cells: Iterable[AnyCell], known: Known) -> None:
    """Print where another graph has the higher value of our score, and how often."""
    by_peer: dict[str, list[Compared]] = {}
    print(
        "| another graph scores higher | seed | peer | our score: theirs less ours | theirs: the same | SHD | theirs |"
    )
    print("|---|---|---|---|---|---|---|")
    for cell in cells:
        for seed in known.done(cell, DEFAULT):
            for each in compare(cell, seed, known):
                by_peer.setdefault(each.peer, []).append(each)
                if each.ours > ROUNDING:
                    own = "" if each.own is None else f"{each.own:+.1f}"
                    print(
                        f"| {cell.name} | {seed} | {each.peer} | {each.ours:+.2f} | {own} "
                        f"| {each.errors[0]} | {each.errors[1]} |",
                        flush=True,
                    )
    print()
    print("| peer | tables | higher value of our score | equal | lower | lower value of its own score than our graph |")
    print("|---|---|---|---|---|---|")
    for peer, compared in by_peer.items():
        gains = np.array([each.ours for each in compared])
        own = sum(each.own is not None and each.own < -ROUNDING for each in compared)
        higher, lower = int((gains > ROUNDING).sum()), int((gains < -ROUNDING).sum())
        print(f"| {peer} | {len(gains)} | {higher} | {len(gains) - higher - lower} | {lower} | {own} |")
    print(flush=True)
