"""SHD, causal accuracy, precision and recall, missing and extra edges: against gadjid, scikit-learn and plain loops."""

from __future__ import annotations

import math
import time
from itertools import combinations

import gadjid
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_by_definition import random_dag, random_pdag
from sklearn.metrics import precision_recall_fscore_support

import hccd.datasets
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.graphs.formats.gadjid import to_gadjid
from hccd.metrics import (
    SHD,
    EdgeErrors,
    Retrieval,
    adjacency_retrieval,
    arrowhead_retrieval,
    causal_accuracy,
    edge_errors,
    error_ratios,
    shd,
)

SEEDS = st.integers(0, 2**32 - 1)

NONE, FORTH, BACK, LINE = PDAG.empty(2), PDAG([[0, 1], [0, 0]]), PDAG([[0, 0], [1, 0]]), PDAG([[0, 1], [1, 0]])


def marks_at(graph: PDAG, x: int, y: int) -> tuple[str, str] | None:
    """The marks at the ends x and y of the edge between them, as a drawing shows them."""
    if y in graph.children(x):
        return "tail", "head"
    if y in graph.parents(x):
        return "head", "tail"
    return ("tail", "tail") if y in graph.undirected_neighbors(x) else None


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 9), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_every_pair_is_counted_once_for_what_it_is(seed: int, n: int, density: float, other: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_pdag(rng, n, density), random_pdag(rng, n, other)
    counts = dict.fromkeys(("missing", "extra", "reversed", "arrow_missing", "arrow_extra"), 0)
    right_marks = n_marks = right_ones = n_ones = 0
    for x, y in combinations(range(n), 2):
        true, own = marks_at(truth, x, y), marks_at(learned, x, y)
        if true is not None:
            n_marks += 2
            right_marks += sum(a == b for a, b in zip(true, own or (), strict=False))
        if true == own:
            continue
        if own is None:
            counts["missing"] += 1
        elif true is None:
            counts["extra"] += 1
        elif "head" not in own:
            counts["arrow_missing"] += 1
        else:
            counts["reversed" if "head" in true else "arrow_extra"] += 1
    # The program that cauacc is named after, in its own words.
    mask = truth.marks != 0
    n_ones, right_ones = mask.sum(), ((learned.marks == truth.marks) & mask).sum()
    found = shd(truth, learned, as_cpdag=False)
    assert found == SHD(**counts)
    assert found.total == sum(counts.values())
    accuracy = causal_accuracy(truth, learned, as_cpdag=False)
    assert accuracy == (right_marks / n_marks if n_marks else 1.0)
    assert causal_accuracy(truth, learned, variant="cauacc", as_cpdag=False) == (right_ones / n_ones if n_ones else 1.0)


@settings(max_examples=80, deadline=None)
@given(SEEDS, st.integers(2, 15), st.floats(0.0, 0.7))
def test_the_distance_of_classes_is_that_of_gadjid(seed: int, n: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, density), random_dag(rng, n, density)
    classes = dag_to_cpdag(truth), dag_to_cpdag(learned)
    assert shd(truth, learned).total == gadjid.shd(*map(to_gadjid, classes))[1]
    assert shd(truth, learned) == shd(truth, classes[1]) == shd(*classes)
    assert shd(truth, learned, as_cpdag=False).total == gadjid.shd(*map(to_gadjid, (truth, learned)))[1]
    assert shd(truth, classes[0]).total == 0


@pytest.mark.parametrize(
    ("truth", "learned", "edge_marks", "cauacc"),
    [
        (FORTH, FORTH, 1.0, 1.0),
        (FORTH, BACK, 0.0, 0.0),
        (FORTH, LINE, 0.5, 1.0),
        (LINE, FORTH, 0.5, 0.5),
        (LINE, LINE, 1.0, 1.0),
        (FORTH, NONE, 0.0, 0.0),
        (LINE, NONE, 0.0, 0.0),
        (NONE, LINE, 1.0, 1.0),
    ],
)
def test_the_table_of_causal_accuracy(truth: PDAG, learned: PDAG, edge_marks: float, cauacc: float) -> None:
    assert causal_accuracy(truth, learned, as_cpdag=False) == edge_marks
    assert causal_accuracy(truth, learned, variant="cauacc", as_cpdag=False) == cauacc


def test_dags_are_compared_as_classes_unless_told_otherwise() -> None:
    assert shd(FORTH, BACK).total == 0 and shd(FORTH, BACK, as_cpdag=False).reversed == 1
    assert causal_accuracy(FORTH, BACK) == 1.0
    assert arrowhead_retrieval(FORTH, BACK) == Retrieval(0, 0, 0)
    assert arrowhead_retrieval(FORTH, BACK, as_cpdag=False) == Retrieval(0, 1, 1)


def test_unknown_variants_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="'both': choose one of edge_marks, cauacc"):
        causal_accuracy(FORTH, BACK, variant="both")


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(2, 9), st.floats(0.1, 0.9), st.floats(0.1, 0.9))
def test_precision_and_recall_are_those_of_scikit_learn(seed: int, n: int, density: float, other: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_pdag(rng, n, density), random_pdag(rng, n, other)
    pairs = np.triu_indices(n, k=1)
    sides = []
    for graph in (truth, learned):
        lines = np.array([bool(marks_at(graph, x, y)) for x, y in zip(*pairs, strict=True)])
        arrows = np.array([y in graph.children(x) for x in range(n) for y in range(n)])
        sides.append((lines, arrows))
    found = adjacency_retrieval(truth, learned), arrowhead_retrieval(truth, learned, as_cpdag=False)
    for own, true, claimed in zip(found, *sides, strict=True):
        if true.any() and claimed.any():
            expected = precision_recall_fscore_support(true, claimed, average="binary")[:3]
            assert (own.precision, own.recall, own.f1) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("found", "share"), [(Retrieval(0, 0, 0), 1.0), (Retrieval(0, 3, 0), 0.0), (Retrieval(0, 0, 3), 0.0)]
)
def test_shares_of_nothing(found: Retrieval, share: float) -> None:
    assert (found.precision, found.recall, found.f1) == (share, share, share)


def test_edge_errors_and_their_ratios() -> None:
    truth = PDAG.from_edges(4, [(0, 1), (1, 2)], [(2, 3)])
    learned = PDAG.from_edges(4, [(1, 0), (0, 2), (0, 3)])
    errors = edge_errors(truth, learned)
    assert errors == EdgeErrors(missing=2, extra=2, true_edges=3)
    assert errors.missing_ratio == errors.extra_ratio == 2 / 3
    nothing = edge_errors(PDAG.empty(4), learned)
    assert (nothing.missing_ratio, nothing.extra_ratio) == (0.0, math.inf)
    # Means are divided, not ratios averaged: (2 + 0) / (1 + 3), not 1.
    assert error_ratios([errors, EdgeErrors(0, 0, 3)], [EdgeErrors(1, 0, 3), EdgeErrors(3, 0, 3)]) == (0.5, math.inf)
    assert error_ratios([EdgeErrors(0, 0, 3)], [EdgeErrors(0, 0, 3)]) == (0.0, 0.0)
    with pytest.raises(InvalidParameterError, match="1 runs and 0"):
        error_ratios([errors], [])


def test_a_thousand_variables_take_well_under_a_second() -> None:
    truth = PDAG(hccd.datasets.random_dag(1000, 3, seed=1).dag)
    learned = dag_to_cpdag(PDAG(hccd.datasets.random_dag(1000, 3, seed=2).dag))
    for metric in (shd, causal_accuracy, adjacency_retrieval, arrowhead_retrieval, edge_errors):
        start = time.process_time()
        metric(truth, learned)
        assert time.process_time() - start < 0.8, metric.__name__
