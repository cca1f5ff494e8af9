"""What the paper says about partitions, with an oracle: sections 3 and appendix A.

A run is a true graph and a partition of its variables; the methods learn from d-separation itself, so whatever differs
from the truth is lost by clustering. The paper's small graphs come with partitions of theirs, or with every partition
whose clusters all hold a pair that is not adjacent; random graphs are divided at random into a cluster of a given size
and the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import hccd.discovery as discovery
from hccd.clustering import ClusterTree
from hccd.datasets import random_dag
from hccd.graphs import PDAG
from hccd.independence import Oracle
from hccd.metrics import edge_errors
from hccd.studies.description import Study
from hccd.studies.methods import skeleton_tests, timed
from hccd.studies.run_store import Row

#: The graph of section 3, and that of appendix A: A is the parent of B to E, and F their child.
_GRAPHS = {
    "A > D < C > E < B": ("ABCDE", ("AD", "CD", "CE", "BE")),
    "A > BCDE > F": ("ABCDEF", ("AB", "AC", "AD", "AE", "BF", "CF", "DF", "EF")),
}
_EVERY = "every"


def measure_partitions(study: Study, case: Mapping[str, Any]) -> list[Row]:
    """Learn one graph under one partition, or under all of them, by every method."""
    graph, _, wanted = str(case["division"]).partition(": ")
    if graph in _GRAPHS:
        names, arrows = _GRAPHS[graph]
        truth = PDAG.from_edges(len(names), directed=[(names.index(a), names.index(b)) for a, b in map(tuple, arrows)])
        if wanted == _EVERY:
            partitions = [each for each in _partitions(range(truth.n)) if _all_have_a_gap(truth, each)]
        else:
            partitions = [[[names.index(name) for name in part] for part in wanted.split(" + ")]]
    else:
        n, size = int(graph.split()[1]), int(wanted.split()[0])
        rng = np.random.default_rng(np.random.SeedSequence((2021, n, case["graph"])))
        truth = PDAG(random_dag(n, 3.0, rng).dag.astype(np.int8))
        order = rng.permutation(n).tolist()
        partitions = [[sorted(order[:size]), sorted(order[size:])]]
    rows: list[Row] = []
    for method in study.methods:
        every, seconds = timed(_all_learned, truth, partitions, method.options["refine"])
        values = {name: float(np.mean([one[name] for one in every])) for name in every[0]}
        rows.append({"method": method.label, "values": values | {"partitions": len(partitions)}, "seconds": seconds})
    return rows


def _all_learned(truth: PDAG, partitions: Sequence[Sequence[Sequence[int]]], refine: Any) -> list[dict[str, float]]:
    return [_learned(truth, each, refine) for each in partitions]


def _learned(truth: PDAG, partition: Sequence[Sequence[int]], refine: Any) -> dict[str, float]:
    """Learn from an oracle with these clusters and compare."""
    names = [str(i) for i in range(truth.n)]
    tree = ClusterTree.from_nested([[names[i] for i in part] for part in partition], names)
    result = discovery.discover(Oracle(truth).bind(), tree=tree, refine=refine, preset="paper", names=names)
    errors = edge_errors(truth, result.graph)
    label = {i: number for number, part in enumerate(partition) for i in part}
    true_pairs = {tuple(edge) for edge in truth.skeleton().edges.tolist()}
    inside = [
        edge for edge in map(tuple, result.skeleton.edges.tolist())
        if edge not in true_pairs and label[edge[0]] == label[edge[1]]
    ]  # fmt: skip
    return {
        "extra": errors.extra,
        "missing": errors.missing,
        "inside": len(inside),
        "exact": float(errors.extra == errors.missing == 0),
        "tests": skeleton_tests(result),
        "leaf_tests": sum(result.tests.by_stage["leaf"]),
    }


def _partitions(items: Sequence[int] | range) -> Iterator[list[list[int]]]:
    """Yield every partition of a set into clusters."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in _partitions(rest):
        for i in range(len(smaller)):
            yield [*smaller[:i], [first, *smaller[i]], *smaller[i + 1 :]]
        yield [[first], *smaller]


def _all_have_a_gap(truth: PDAG, partition: Sequence[Sequence[int]]) -> bool:
    """Whether there are two clusters at least, each with something to find: a pair that is not adjacent."""
    adjacent = truth.skeleton().adjacency
    return len(partition) > 1 and all(
        any(not adjacent[a, b] for a in part for b in part if a < b) for part in partition
    )
