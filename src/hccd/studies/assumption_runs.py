"""A run of the study of Assumption 1: how well it holds on a network, and what the wrapper gains there.

For each pair that is neither adjacent nor independent, a minimal separating set Z is taken from the true DAG: the
ancestors of the pair, variables dropped one after the other, the weakest first, as long as the rest separates. The
first relation of the assumption says that no member of Z is weaker than the pair, max(I(X, Z), I(Y, Z)) >= I(X, Y); the
second that some other variable is, so that there is something to divide. The paper has one Z of several in mind without
saying which; the strong are kept here, which favours the assumption.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.datasets import DiscreteNetwork, load_network
from hccd.graphs import PDAG
from hccd.graphs.dseparation import DSeparation
from hccd.independence import GTest
from hccd.studies.description import Study
from hccd.studies.methods import learn, skeleton_tests, timed
from hccd.studies.run_store import Row


class Separated(NamedTuple):
    """A pair with a minimal separating set."""

    x: int
    y: int
    given: tuple[int, ...]


def measure_assumption(study: Study, case: Mapping[str, Any]) -> list[Row]:
    """Test the assumption on a sample of a network, and each method's clusters against it."""
    network = load_network(case["network"])
    assert isinstance(network, DiscreteNetwork)
    truth = PDAG(network.dag.astype(np.int8))
    test = GTest().bind(network.sample(case["rows"], np.random.SeedSequence((2021, case["set"]))))
    strength = test.marginals().strength
    pairs = list(separated_pairs(truth, strength, _looked_at(truth.n, case["pairs"], case["set"])))
    first = np.array([_separator_is_strong(pair, strength) for pair in pairs])
    second = np.array([_something_is_weaker(pair, strength) for pair in pairs])
    shares = {"pairs": len(pairs), "first": _share(first), "second": _share(second), "both": _share(first & second)}
    rows: list[Row] = []
    for method in study.methods:
        result, seconds = timed(learn, test, method.options)
        values = {**shares, **_clusters(result.tree, pairs), "tests": skeleton_tests(result)}
        rows.append({"method": method.label, "values": values, "seconds": seconds})
    return rows


def _looked_at(n: int, most: int, seed: int) -> list[tuple[int, int]]:
    """Return all pairs of variables, or as many as wanted at random: a share needs no more."""
    every = list(combinations(range(n), 2))
    if len(every) <= most:
        return every
    drawn = np.random.default_rng(np.random.SeedSequence((2021, n, seed))).choice(len(every), most, replace=False)
    return [every[i] for i in np.sort(drawn)]


def separated_pairs(
    truth: PDAG, strength: NDArray[np.float64], pairs: Iterable[tuple[int, int]]
) -> Iterator[Separated]:
    """Yield those of the pairs that only a set of at least one variable separates, each with a minimal one."""
    question = DSeparation(truth)
    ancestors = _ancestors(truth)
    adjacent = truth.marks | truth.marks.T
    for x, y in pairs:
        if adjacent[x, y] or question.separated(x, y):
            continue
        stronger = np.maximum(strength[x], strength[y]).tolist()
        above = [z for _, z in sorted((stronger[z], z) for z in (ancestors[x] | ancestors[y]) - {x, y})]
        kept = list(above)
        for z in above:
            rest = [other for other in kept if other != z]
            if question.separated(x, y, rest):
                kept = rest
        yield Separated(x, y, tuple(sorted(kept)))


def _ancestors(truth: PDAG) -> list[set[int]]:
    order = truth.topological_order()
    assert order is not None
    found: list[set[int]] = [set() for _ in range(truth.n)]
    for x in order:
        for parent in truth.parents(x):
            found[x] |= {parent} | found[parent]
    return found


def _separator_is_strong(pair: Separated, strength: NDArray[np.float64]) -> bool:
    given = list(pair.given)
    return bool((np.maximum(strength[pair.x, given], strength[pair.y, given]) >= strength[pair.x, pair.y]).all())


def _something_is_weaker(pair: Separated, strength: NDArray[np.float64]) -> bool:
    others = np.setdiff1d(np.arange(len(strength)), [pair.x, pair.y, *pair.given])
    return bool((np.maximum(strength[pair.x, others], strength[pair.y, others]) < strength[pair.x, pair.y]).any())


def _clusters(tree: ClusterTree, pairs: list[Separated]) -> dict[str, float]:
    """Describe a tree: the leaves, how equal they are (1 for equal sizes), and separators inside the pair's leaf."""
    labels = tree.labels()
    sizes = np.bincount(labels) / len(labels)
    together = [pair for pair in pairs if labels[pair.x] == labels[pair.y]]
    inside = [all(labels[z] == labels[pair.x] for z in pair.given) for pair in together]
    balance = float(-(sizes * np.log(sizes)).sum() / math.log(len(sizes))) if len(sizes) > 1 else 1.0
    return {"clusters": len(sizes), "balance": balance, "together": len(together), "inside": _share(np.array(inside))}


def _share(holds: NDArray[np.bool_]) -> float:
    """Return the share of what holds; of nothing, all."""
    return float(np.mean(holds)) if len(holds) else 1.0
