"""All metrics as one value: the same numbers as one by one, fit for JSON, and told where they cannot be had."""

from __future__ import annotations

import json
import pickle
import sys
import time
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_by_definition import random_dag, random_pdag

import hccd.datasets
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.graphs.formats import NamedGraph
from hccd.metrics import (
    Score,
    adjacency_retrieval,
    aid,
    arrowhead_retrieval,
    bdeu,
    bic,
    causal_accuracy,
    compare,
    edge_errors,
    shd,
    sid,
)

COLLIDER = PDAG.from_edges(3, [(0, 1), (2, 1)])
CYCLE = PDAG([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


@pytest.mark.parametrize("as_cpdag", [True, False])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 8), ess=st.floats(0.5, 5.0))
def test_every_field_is_its_metric(as_cpdag: bool, seed: int, n: int, ess: float) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, 0.4), dag_to_cpdag(random_dag(rng, n, 0.4))
    data, reference = rng.integers(0, 3, (30, n)), {"X1": range(5)}
    found = compare(truth, learned, data, reference=reference, ess=ess, as_cpdag=as_cpdag)
    assert found.shd == shd(truth, learned, as_cpdag=as_cpdag)
    assert found.edges == edge_errors(truth, learned)
    assert found.learned_edges == learned.skeleton().n_edges
    assert found.adjacencies == adjacency_retrieval(truth, learned)
    assert found.arrowheads == arrowhead_retrieval(truth, learned, as_cpdag=as_cpdag)
    assert found.causal_accuracy == {
        variant: causal_accuracy(truth, learned, variant=variant, as_cpdag=as_cpdag)
        for variant in ("edge_marks", "cauacc")
    }
    assert found.sid == sid(truth, learned)
    assert found.aid == {each: aid(truth, learned, each, as_cpdag=as_cpdag) for each in ("ancestor", "oset", "parent")}
    assert found.bdeu == Score(*(bdeu(graph, data, ess=ess, reference=reference) for graph in (learned, truth)))
    assert found.bic == Score(*(bic(graph, data, reference=reference) for graph in (learned, truth)))
    assert found.unavailable == {}
    assert found.as_cpdag == as_cpdag


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 6), st.floats(0.0, 0.8), st.booleans())
def test_any_two_graphs_can_be_compared_and_written(seed: int, n: int, density: float, is_dag: bool) -> None:
    rng = np.random.default_rng(seed)
    truth = random_dag(rng, n, density) if is_dag else random_pdag(rng, n, density)
    found = compare(truth, random_pdag(rng, n, density))
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == found.to_dict()
    absent = {key for key, value in found.to_dict().items() if value is None}
    assert absent == {*found.unavailable, "bdeu", "bic"}
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_plain_data() -> None:
    found = compare(COLLIDER, PDAG.from_edges(3, undirected=[(0, 1), (0, 2)])).to_dict()
    assert found["format"] == "hccd-comparison" and found["version"] == 1
    assert found["shd"] == {
        "total": 3, "missing": 1, "extra": 1, "reversed": 0, "arrow_missing": 1, "arrow_extra": 0, "tail_or_circle": 0,
    }  # fmt: skip
    assert found["edges"] == {"truth": 2, "learned": 2}
    assert found["missing_edges"] == {"count": 1, "ratio": 0.5} == found["extra_edges"]
    assert found["adjacencies"]["f1"] == 0.5
    assert found["arrowheads"] == {"precision": 0, "recall": 0, "f1": 0, "right": 0, "wrong": 0, "missed": 2}
    assert found["causal_accuracy"] == {"edge_marks": 0.25, "cauacc": 0.5}
    assert found["sid"]["mid"] == (found["sid"]["lower"] + found["sid"]["upper"]) / 2
    assert found["sid"]["pairs"] == 6 and found["sid"]["exact"]
    empty = compare(PDAG.empty(3), COLLIDER)
    assert empty.to_dict()["extra_edges"] == {"count": 2, "ratio": None}
    assert "inf" in str(empty)


def test_the_table_names_every_metric() -> None:
    rng = np.random.default_rng(0)
    found = compare(COLLIDER, COLLIDER, rng.integers(0, 2, (40, 3)))
    names = [name for name, _ in found.table()]
    assert names == [
        "variables", "edges", "compared as", "SHD", "missing edges", "extra edges", "adjacencies", "arrowheads",
        "causal accuracy", "SID", "AID, ancestor", "AID, oset", "AID, parent", "BDeu", "BIC",
    ]  # fmt: skip
    words = dict(found.table())
    assert words["SHD"].startswith("0: 0 missing, 0 extra")
    assert words["SID"] == "0 of 6 effects"
    assert words["BDeu"] == f"{found.bdeu.learned:,.2f} learned, {found.bdeu.truth:,.2f} true"
    assert all(len(line.split("  ", 1)) == 2 for line in str(found).splitlines())
    line = compare(COLLIDER, PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]), sid_limit=1)
    assert "local bounds" in dict(line.table())["SID"] and " to " in dict(line.table())["SID"]


def test_what_cannot_be_had_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.random.default_rng(0).integers(0, 2, (40, 3))
    found = compare(CYCLE, COLLIDER, data)
    assert found.sid is None and found.bdeu is None and found.bic is None and not found.aid
    assert set(found.unavailable) == {"sid", "aid", "bdeu", "bic"}
    words = dict(found.table())
    assert words["SID"].startswith("not available: The true graph must be a DAG")
    assert words["AID"].startswith("not available: The true graph is neither")
    assert "no consistent DAG extension" in words["BDeu"] and "no consistent DAG extension" in words["BIC"]
    monkeypatch.setitem(sys.modules, "gadjid", None)
    without = compare(COLLIDER, COLLIDER)
    assert "pip install 'hccd[experiments]'" in dict(without.table())["AID"]
    assert without.sid is not None and without.sid.upper == 0


def test_bad_data_are_an_error_not_an_absence() -> None:
    named = NamedGraph(("a", "b", "c"), COLLIDER)
    with pytest.raises(InvalidDataError, match="no column 'c'"):
        compare(named, named, {"a": [0, 1] * 8, "b": [0, 1] * 8})
    with pytest.raises(InvalidDataError, match="need discrete data"):
        compare(named, COLLIDER, {name: np.linspace(0, 1, 50) for name in "abc"})
    with pytest.raises(InvalidParameterError, match="there are no data"):
        compare(named, named, reference={"a": [1]})
    with pytest.raises(InvalidParameterError, match="equivalent sample size"):
        compare(named, named, {name: [0, 1] * 8 for name in "abc"}, ess=0)


def test_a_comparison_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        compare(COLLIDER, COLLIDER).n_variables = 4


def test_a_thousand_variables_at_once() -> None:
    truth = PDAG(hccd.datasets.random_dag(1000, 3, seed=1).dag)
    learned = dag_to_cpdag(PDAG(hccd.datasets.random_dag(1000, 3, seed=2).dag))
    start = time.process_time()
    found = compare(truth, learned)
    assert time.process_time() - start < 15
    assert found.sid is not None and found.sid.exact and len(found.aid) == 3
