"""Whether the search by a score reaches what searches of other packages reach, by the same score on the same rows.

    python -m benchmarks score-reached [--seeds 3] [--only TEXT] [--peer TEXT] [--cap 60]

Our search maximises what the peer does: BIC of all rows (with twice its price for ``x 2``), or BDeu with the peer's
equivalent sample size, and no price on top. *Alone* it starts from no edges, as ``method="score"``; *default* starts
from the graph of the tests. A table lists by how much our score is above the peer's, in percent: the least and the mean
over all tables, and the tables where it is more than 0.01 % below. BIC is counted from that of no edges, which makes
percents larger than they would be otherwise. A peer that takes more than ``--cap`` CPU seconds has no score.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import hccd
from benchmarks.accuracy import asking
from benchmarks.accuracy_scores import dag_of
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd._kernels.scores.table_families import TableFamilies
from hccd._kernels.search.coded_columns import CodedColumns
from hccd.graphs import PDAG, pdag_to_dag
from hccd.independence.fisher_z import SINGULAR
from hccd.scoring import MAX_PARENTS, MOST_CANDIDATES, CandidateParents, score_of, search_dag
from hccd.studies.cells import AnyCell, Cell, NetworkCell
from hccd.studies.peer_script import CONTINUOUS, DISCRETE

#: Peer, and what it maximises: the factor of BIC's price, or the equivalent sample size of BDeu.
OBJECTIVES = {
    CONTINUOUS: {
        "XGES, BIC": 1.0,
        "XGES, BIC x 2": 2.0,
        "causal-learn GES": 1.0,
        "ges, BIC": 1.0,
        "pgmpy hill climbing": 1.0,
        "BOSS, BIC": 1.0,
    },
    # causal-learn's BDeu has a prior over graphs as well.
    DISCRETE: {"causal-learn GES": 1.0, "pyagrum hill climbing": 1.0, "pyagrum tabu": 1.0, "pgmpy hill climbing": 10.0},
}
CELLS: tuple[AnyCell, ...] = (
    *(Cell(n, degree, 1000) for n, degree in ((20, 3), (50, 3), (50, 6), (100, 4))),
    *(NetworkCell(name, n, 1000) for name, n in (("asia", 8), ("child", 20), ("insurance", 27), ("alarm", 37))),
    NetworkCell("hailfinder", 56, 1000),
    NetworkCell("win95pts", 76, 1000),
)
BELOW = 0.01


class Objective(NamedTuple):
    """A score, and the parents that a search by it looks at."""

    families: Families
    candidates: CandidateParents

    def of(self, dag: PDAG) -> float:
        """Score a DAG."""
        return score_of(self.families, self.candidates.price, dag)

    def reached(self, start: PDAG) -> float:
        """Search from a DAG, and return the score of the end."""
        edges = self.candidates.beside(start)
        return search_dag(self.families, edges, start, bare=start.directed_edges().size > 0).after


def objective(data: Any, kind: str, setting: float) -> Objective:
    """Return the score of a peer."""
    n = data.shape[1]
    if kind == CONTINUOUS:
        own = 0.5 * math.log(len(data))
        families: Families = GaussianFamilies(np.corrcoef(data, rowvar=False), float(len(data)), SINGULAR, MAX_PARENTS)
        return Objective(families, CandidateParents(n, None, (setting - 1.0) * own))
    bound = hccd.GTest().bind(data)
    families = TableFamilies(CodedColumns(*bound.data.for_kernels()), setting, MAX_PARENTS, uniform=True)
    lists = CandidateParents.of(families, bound.marginals().uncorrected, PDAG.from_edges(n), MOST_CANDIDATES)
    return Objective(families, replace(lists, price=0.0))


def compared(
    cell: AnyCell, seed: int, ask: Callable[..., Any], text: str, cap: float
) -> Iterator[tuple[str, float, float]]:
    """Yield peers, and by how many percent our search is above them, alone and by default."""
    data, _ = cell.make(seed)
    test = "fisher-z" if cell.kind == CONTINUOUS else "g"
    tested = pdag_to_dag(hccd.discover(data, test=test, scoring="none", max_order=3, bootstrap="none").graph)
    ours: dict[float, tuple[float, float]] = {}
    for peer, setting in OBJECTIVES[cell.kind].items():
        if text not in peer:
            continue
        answer = ask(peer, data, cell.kind, cap)
        dag = None if "error" in answer or "late" in answer else dag_of(cell.n, {"undirected": [], **answer})
        if dag is None:
            continue
        score = objective(data, cell.kind, setting)
        if setting not in ours:
            ours[setting] = score.reached(PDAG.from_edges(cell.n)), score.reached(tested)
        theirs = score.of(dag)
        alone, default = (100.0 * (own - theirs) / abs(theirs) for own in ours[setting])
        yield peer, alone, default


def main(arguments: list[str]) -> None:
    """Print a line for each table, then the summary by peer."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks score-reached", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="cells with this text in their name")
    parser.add_argument("--peer", default="", help="peers with this text in their name")
    parser.add_argument("--cap", type=float, default=60.0, help="CPU seconds for a peer")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with asking() as ask:
        for cell in CELLS:
            if chosen.only not in cell.name:
                continue
            for seed in range(chosen.seeds):
                for peer, alone, default in compared(cell, seed, ask, chosen.peer, chosen.cap):
                    found[cell.kind, peer].append((alone, default))
                    print(f"{cell.name}, table {seed}: {peer}: {alone:+.4f} % alone, {default:+.4f} %", flush=True)
    print("\n| data | peer | tables | alone: least | mean | below | default: least | mean | below |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for (kind, peer), above in found.items():
        cells = [f"{part.min():+.4f} % | {part.mean():+.3f} % | {(part < -BELOW).sum()}" for part in np.array(above).T]
        print(f"| {kind} | {peer} | {len(above)} | {' | '.join(cells)} |")
