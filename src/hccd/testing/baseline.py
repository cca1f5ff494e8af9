"""The requirements of a baseline: the protocol, separating sets for removals, exactness with a perfect test."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import PC, Algorithm, Baseline, LocalResult, PassContext
from hccd.discovery import discover
from hccd.graphs import PDAG, DSeparation, Skeleton, dag_to_cpdag
from hccd.result import HCCDResult
from hccd.run.options import Options
from hccd.run.settings import settings_of
from hccd.testing.cases import CountedOracle, OutOfOrderError, random_dag, random_tree, require, sample

#: How many random graphs are learned, and how large the largest is.
_GRAPHS, _LARGEST = 30, 11


def check_baseline(baseline: Baseline | str, *, complete: bool = True) -> None:
    """Check that a baseline meets the requirements of the wrapper.

    Parameters
    ----------
    baseline : Baseline or str
        PC, a baseline of your own, or the name of one.
    complete : bool
        Whether the baseline finds every pair that a set of neighbours separates. A baseline that does not, such as one
        with a limit on the order, may leave extra edges, but must not remove an edge without a separating set.

    Raises
    ------
    AssertionError
        A requirement is not met; the message states which.

    Examples
    --------
    >>> from hccd import PC
    >>> from hccd.testing import check_baseline
    >>> check_baseline(PC())
    >>> check_baseline(PC(max_order=1), complete=False)
    """
    own = settings_of(Options(baseline=baseline)).baseline
    _protocol(own)
    if not isinstance(own, PC):
        _passes(own)
    for seed in range(_GRAPHS):
        _graph(baseline, seed, complete)
    _repeatable(baseline)
    _columns(baseline)
    _failure(baseline)


def _protocol(baseline: Baseline) -> None:
    """Check properties and description."""
    require(isinstance(baseline.exhaustive, bool), f"exhaustive is {baseline.exhaustive!r}: it must be True or False")
    limit = baseline.max_order
    whole = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
    require(limit is None or whole, f"max_order is {limit!r}: it must be None or a whole number from 0")
    orderings = ("strength", "column")
    require(baseline.ordering in orderings, f"ordering is {baseline.ordering!r}: it must be one of {orderings}")
    said = baseline.describe()
    require(
        isinstance(said, dict) and isinstance(said.get("name"), str), "describe() must return a dict that has a 'name'"
    )
    try:
        json.dumps(said)
    except TypeError as error:
        raise AssertionError(f"describe() must hold plain data, for the record of a run: {error}") from None


def _graph(baseline: Baseline | str, seed: int, complete: bool) -> None:
    """Learn one graph with a perfect test, on one cluster and on a random tree."""
    rng = np.random.default_rng([15, seed])
    n = 3 + seed % (_LARGEST - 2)
    dag, tree = random_dag(rng, n, rng.uniform(1.0, 3.0)), random_tree(rng, n)
    for where, options in (("one cluster", {"method": "pc"}), ("a tree", {"tree": tree})):
        case = f"a random graph of {n} variables (seed {seed}) on {where}"
        truth = CountedOracle(dag)
        result = discover(truth, baseline=baseline, **options)
        for (x, y), given in result.separators.items():
            right = DSeparation(dag).separated(x, y, given)
            require(right, f"in {case}, {x} and {y} are separated by {given}, which does not separate them")
        missing = [edge for edge in dag.skeleton().edges.tolist() if not result.skeleton.has_edge(*edge)]
        require(not missing, f"in {case}, edges of the true graph are missing with a perfect test: {missing}")
        counted, asked = result.tests.total, len(truth.asked)
        require(counted == asked, f"in {case}, {counted} tests are counted, but {asked} were made")
        if complete:
            extra = [edge for edge in result.skeleton.edges.tolist() if not dag.skeleton().has_edge(*edge)]
            require(not extra, f"in {case}, edges are left that the true graph does not have: {extra}")
            if isinstance(result.graph, PDAG):
                require(result.graph == dag_to_cpdag(dag), f"in {case}, directions are not those of the true class")


def _passes(baseline: Algorithm) -> None:
    """Call ``learn`` as the wrapper does: with edges that are not to be learned, and with a limit of order."""
    for seed in range(_GRAPHS):
        rng = np.random.default_rng([16, seed])
        dag = random_dag(rng, 9, 2.5)
        truth = CountedOracle(dag)
        marginals = truth.marginals()
        pairs = np.column_stack(marginals.dependent_pairs()).astype(np.int32)
        if not len(pairs):
            continue
        initial = Skeleton(9, pairs)
        edges = rng.random(initial.n_edges) < 0.5
        edges[0] = True
        edges.flags.writeable = False
        for limit in (None, 1):
            truth.asked.clear()
            context = PassContext(marginals, None, limit)
            found = baseline.learn(np.arange(9, dtype=np.int32), initial, edges, truth, context)
            _pass(found, initial, edges, dag, limit, truth.asked)


def _pass(
    found: LocalResult,
    initial: Skeleton,
    edges: NDArray[np.bool_],
    dag: PDAG,
    limit: int | None,
    asked: list[int],
) -> None:
    """Check what one call of ``learn`` returned."""
    removed = np.asarray(found.removed)
    require(
        removed.shape == edges.shape and removed.dtype == np.bool_,
        f"removed must be a mask of {len(edges)} edges, not an array of shape {removed.shape} and type {removed.dtype}",
    )
    others = initial.edges[removed & ~edges].tolist()
    require(not others, f"edges that were not to be learned were removed: {others}")
    gone, told = initial.edges[removed].tolist(), found.separations.pairs.tolist()
    require(gone == told, f"the separations {told} must be those of the removed edges {gone}, in the same order")
    for (x, y), given, _ in found.separations:
        require(not {x, y} & set(given), f"the set {given} that separates {x} and {y} has one of them in it")
        right = DSeparation(dag).separated(x, y, given)
        require(right, f"{x} and {y} were removed for {given}, which does not separate them")
        require(limit is None or len(given) <= limit, f"{given} is larger than the limit of order, {limit}")
    tests = np.asarray(found.tests)
    rows = int(edges.sum())
    require(tests.ndim == 2 and len(tests) == rows, f"tests must have a row for each of the {rows} edges to be learned")
    counted, made = tests.sum(axis=0).tolist(), np.bincount(asked, minlength=1).tolist()
    require(_trimmed(counted) == _trimmed(made), f"tests by order are counted as {counted}, but {made} were made")


def _trimmed(counts: list[int]) -> list[int]:
    """Return counts without the zeros at the end."""
    last = max((i for i, count in enumerate(counts) if count), default=-1)
    return counts[: last + 1]


def _repeatable(baseline: Baseline | str) -> None:
    """Learn the same data twice, and with two workers."""
    rng = np.random.default_rng(17)
    data = sample(rng, random_dag(rng, 16, 2.5), 300, "continuous")
    once = _learned(data, baseline)
    require(_view(once) == _view(_learned(data, baseline)), "two runs on the same data give different results")
    workers = _learned(data, baseline, n_jobs=2)
    require(_view(once) == _view(workers), "two workers give another result than one")


def _columns(baseline: Baseline | str) -> None:
    """Learn data with their columns in another order and under other names."""
    rng = np.random.default_rng(18)
    data = sample(rng, random_dag(rng, 16, 2.5), 300, "continuous")
    order = rng.permutation(16)
    plain, moved = _learned(data, baseline), _learned(data[:, order], baseline)
    require(moved.graph.relabelled(order) == plain.graph, "columns in another order give another graph")
    require(moved.tests.total == plain.tests.total, "columns in another order take another number of tests")


def _failure(baseline: Baseline | str) -> None:
    """Let the test fail in the middle: a baseline that goes on without it would make up its answers."""
    dag = random_dag(np.random.default_rng(19), 9, 3.0)
    counted = CountedOracle(dag)
    discover(counted, baseline=baseline, method="pc")
    # Order 0 is not the baseline's: fail at its first question.
    first = counted.asked.index(1) if 1 in counted.asked else len(counted.asked) - 1
    try:
        discover(CountedOracle(dag, fails_at=first), baseline=baseline, method="pc")
    except OutOfOrderError:
        return
    raise AssertionError("the baseline must raise the error of a test that fails, and does not")


def _learned(data: NDArray[Any], baseline: Baseline | str, **options: Any) -> HCCDResult:
    """Learn rows by the tests alone."""
    result = discover(data, baseline=baseline, scoring="none", bootstrap="none", **options)
    return replace(result, seconds={})


def _view(result: HCCDResult) -> dict[str, Any]:
    """Return all that a result says."""
    said: dict[str, Any] = json.loads(json.dumps(result.to_dict()))
    return said
