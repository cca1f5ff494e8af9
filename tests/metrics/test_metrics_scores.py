"""BDeu and BIC: against pgmpy's answers (reference/), the formulas written out, and each other."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_by_definition import members, random_dag

from hccd.errors import InvalidDataError, InvalidParameterError, NotExtendableError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.graphs.formats import NamedGraph
from hccd.metrics import bdeu, bic
from hccd.metrics.bdeu import BDeu
from hccd.metrics.bic import local_bic
from hccd.metrics.sample import Sample, family_counts
from hccd.tables import as_table

REFERENCE = json.loads((Path(__file__).parent / "reference" / "pgmpy_scores.json").read_text(encoding="utf-8"))
SEEDS = st.integers(0, 2**32 - 1)


def slow_scores(dag: PDAG, rows: list[tuple[int, ...]], states: list[int], ess: float) -> tuple[float, float]:
    """The formulas as they stand, over every state of every family, with the gamma function of the standard library."""
    total_bdeu = total_bic = 0.0
    for child in range(dag.n):
        parents = dag.parents(child)
        seen = Counter((tuple(row[p] for p in parents), row[child]) for row in rows)
        q, r = math.prod(states[p] for p in parents), states[child]
        for j in product(*(range(states[p]) for p in parents)):
            counts = [seen[j, k] for k in range(r)]
            total_bdeu += math.lgamma(ess / q) - math.lgamma(ess / q + sum(counts))
            total_bdeu += sum(math.lgamma(ess / (q * r) + n) - math.lgamma(ess / (q * r)) for n in counts)
            total_bic += sum(n * math.log(n / sum(counts)) for n in counts if n)
        total_bic -= 0.5 * math.log(len(rows)) * q * (r - 1)
    return total_bdeu, total_bic


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: f"{case['graph']}-{len(case['states']['z'])}")
def test_scores_are_those_of_pgmpy(case: dict) -> None:
    columns = REFERENCE["columns"]
    names = tuple(columns)
    edges = [(names.index(a), names.index(b)) for a, b in REFERENCE["graphs"][case["graph"]]]
    graph = NamedGraph(names, PDAG.from_edges(len(names), edges))
    shuffled = dict(reversed(columns.items()))
    for key, expected in case["scores"].items():
        kind, _, ess = key.partition("_")
        found = (
            bdeu(graph, shuffled, ess=float(ess), reference=case["states"])
            if kind == "bdeu"
            else bic(graph, shuffled, reference=case["states"])
        )
        assert found == pytest.approx(expected, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(2, 6), st.floats(0.0, 0.9), st.floats(0.1, 20.0))
def test_scores_are_those_of_the_formulas(seed: int, n: int, density: float, ess: float) -> None:
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    states = rng.integers(1, 5, n)
    data = (rng.random((int(rng.integers(10, 80)), n)) * states).astype(int)
    # States that do not occur are known from elsewhere.
    reference = {f"X{i + 1}": range(k) for i, k in enumerate(states)}
    expected = slow_scores(dag, [tuple(row) for row in data.tolist()], states.tolist(), ess)
    found = bdeu(dag, data, ess=ess, reference=reference), bic(dag, data, reference=reference)
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(2, 5))
def test_all_members_of_a_class_score_the_same(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    cpdag = dag_to_cpdag(random_dag(rng, n, 0.5))
    data = rng.integers(0, 3, (50, n))
    for score in (bdeu, bic):
        of_class = score(cpdag, data)
        assert all(score(dag, data) == pytest.approx(of_class, rel=1e-10) for dag in members(cpdag))


def test_states_never_seen_count_where_a_reference_has_them() -> None:
    graph = NamedGraph(("a", "b"), PDAG.from_edges(2, [(0, 1)]))
    test = {"b": ["x", "y"] * 10, "a": [0, 0, 1, 1] * 5}
    train = {"a": [0, 1, 2, 3] * 5, "b": ["x", "y", "z", "x"] * 5}
    rows = list(zip(test["a"], [0, 1] * 10, strict=True))
    for reference in (train, as_table(train), pd.DataFrame(train), {"b": {"z"}, "a": range(4)}):
        found = bdeu(graph, test, reference=reference), bic(graph, test, reference=reference)
        assert found == pytest.approx(slow_scores(graph.graph, rows, [4, 3], 1.0))
    assert bdeu(graph, test) == pytest.approx(slow_scores(graph.graph, rows, [2, 2], 1.0)[0])
    # A state that only the test data have counts too, and a variable that the reference lacks keeps its own.
    assert bic(graph, test, reference={"a": [7]}) == pytest.approx(slow_scores(graph.graph, rows, [3, 2], 1.0)[1])


def test_states_of_different_types_meet_by_their_text() -> None:
    """A column of digits is read as numbers, and as text where another table has a word in it."""
    digits, words = as_table({"a": [1, 2] * 6, "b": [0, 1] * 6}), as_table({"a": ["1", "2", "none"] * 4, "b": [0] * 12})
    sample = Sample.of(digits, ("a", "b"), 2, words)
    assert sample.cardinalities == (3, 2)


def test_columns_that_are_no_variables_are_ignored() -> None:
    graph = NamedGraph(("a", "b"), PDAG.from_edges(2, [(0, 1)]))
    data = {"a": [0, 1] * 6, "b": [0, 0, 1, 1] * 3}
    assert bdeu(graph, {"weight": [i / 7 for i in range(12)], **data}) == bdeu(graph, data)


def test_many_parents_of_many_states_do_not_overflow() -> None:
    n = 330
    data = np.random.default_rng(4).integers(0, 10, (40, n))
    sample = Sample.of(data, None, n, {f"X{i + 1}": range(10) for i in range(n)})
    parents = range(1, n)
    # No two rows have the same parents, so these tell nothing: the child is as good as uniform.
    assert BDeu(sample, ess=1.0).family(0, parents) == pytest.approx(-40 * math.log(10), rel=1e-6)
    assert local_bic(sample, 0, parents) == -math.inf
    assert math.isfinite(local_bic(sample, 0, range(1, 100)))


def test_wide_families_are_counted_by_the_states_that_occur() -> None:
    """Their states together have no number of 64 bits: rows that differ in one parent, whichever, stay apart."""
    n = 81
    data = np.zeros((n + 1, n), dtype=int)
    data[np.arange(n), np.arange(n)] = 1
    sample = Sample.of(data, None, n)
    joint, marginal, configurations = family_counts(sample, 0, range(1, n))
    # Rows 1 .. 80 differ in a parent; rows 0 and 81 have the same parents and differ in the child.
    assert sorted(marginal) == [1] * 80 + [2] and sorted(joint) == [1] * 82
    assert configurations == 2**80


@pytest.mark.parametrize(
    ("graph", "data", "error", "sentence"),
    [
        (NamedGraph(("a", "b"), PDAG.empty(2)), {"a": [0, 1] * 6, "c": [0, 1] * 6}, InvalidDataError, "no column 'b'"),
        (PDAG.empty(3), {"a": [0, 1] * 6, "c": [0, 1] * 6}, InvalidDataError, "2 columns and the graph 3 variables"),
        (PDAG.empty(2), np.random.default_rng(0).normal(size=(50, 2)), InvalidDataError, "need discrete data, but"),
        (
            PDAG([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
            np.zeros((20, 3), dtype=int),
            NotExtendableError,
            "no consistent DAG extension",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused(graph: object, data: object, error: type, sentence: str) -> None:
    for score in (bdeu, bic):
        with pytest.raises(error, match=sentence):
            score(graph, data)


@pytest.mark.parametrize("ess", [0.0, -1.0, math.nan, math.inf])
def test_the_prior_needs_a_weight(ess: float) -> None:
    with pytest.raises(InvalidParameterError, match="equivalent sample size is"):
        bdeu(PDAG.empty(2), np.zeros((20, 2), dtype=int), ess=ess)


def test_a_reference_of_other_columns_is_refused() -> None:
    data = {"a": [0, 1] * 6, "b": [0, 1] * 6}
    other = {"x": [0, 1] * 6, "y": [0, 1] * 6}
    for reference in (other, as_table(other)):
        with pytest.raises(InvalidDataError, match="none of the columns 'a' and 'b'"):
            bdeu(NamedGraph(("a", "b"), PDAG.empty(2)), data, reference=reference)
