"""What may be given as a graph, and that graphs meet by name."""

from __future__ import annotations

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_by_definition import random_dag, random_pdag

import hccd
from hccd.errors import InvalidGraphError
from hccd.graphs import PDAG
from hccd.graphs.formats import NamedGraph, to_networkx
from hccd.metrics import compare, shd, sid
from hccd.metrics.pairing import named, paired

NAMES = ("a", "b", "c")
GRAPH = PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])
FRAME = pd.DataFrame(GRAPH.marks, columns=list(NAMES))


@pytest.mark.parametrize(
    ("given_as", "names"),
    [
        pytest.param(GRAPH, None, id="PDAG"),
        pytest.param(GRAPH.marks, None, id="array"),
        pytest.param(GRAPH.marks.astype(bool), None, id="array of bools"),
        pytest.param(GRAPH.marks.astype(float), None, id="array of floats"),
        pytest.param(GRAPH.marks.tolist(), None, id="lists"),
        pytest.param(NamedGraph(NAMES, GRAPH), NAMES, id="named graph"),
        pytest.param(SimpleNamespace(names=list(NAMES), dag=GRAPH.marks), NAMES, id="network with a matrix"),
        pytest.param(SimpleNamespace(dag=GRAPH), None, id="model without names"),
        pytest.param(FRAME.set_axis(list(NAMES), axis=0), NAMES, id="pandas"),
        pytest.param(FRAME.set_axis(list(NAMES), axis=0).loc[["c", "a", "b"]], NAMES, id="pandas, rows permuted"),
        pytest.param(pl.from_dict({name: GRAPH.marks[:, i] for i, name in enumerate(NAMES)}), NAMES, id="polars"),
        pytest.param(to_networkx(GRAPH, NAMES), NAMES, id="networkx"),
    ],
)
def test_graphs_in_many_forms(given_as: object, names: tuple[str, ...] | None) -> None:
    assert named(given_as) == (GRAPH, names)


def test_results_are_graphs() -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(size=300)
    result = hccd.discover({"a": a, "b": a + rng.normal(size=300), "c": rng.normal(size=300)})
    assert named(result) == (result.graph, ("a", "b", "c"))
    assert shd(nx.DiGraph({"c": [], "b": ["a"], "a": []}), result).total == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_the_order_of_the_names_does_not_matter(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    truth, learned = random_dag(rng, n, 0.4), random_pdag(rng, n, 0.4)
    names = np.array([f"v{i}" for i in range(n)])
    permuted = []
    for graph in (truth, learned):
        order = rng.permutation(n)
        permuted.append(NamedGraph(tuple(names[np.argsort(order)]), graph.relabelled(order)))
    assert compare(*permuted).to_dict() == compare(truth, learned).to_dict()
    pair = paired(*permuted)
    assert pair.names == permuted[0].names
    assert sid(*permuted) == sid(truth, learned)


def test_a_graph_without_names_is_in_the_order_of_the_other() -> None:
    assert paired(NamedGraph(NAMES, GRAPH), GRAPH).names == paired(GRAPH, NamedGraph(NAMES, GRAPH)).names == NAMES


@pytest.mark.parametrize(
    ("truth", "learned", "sentence"),
    [
        (NamedGraph(NAMES, GRAPH), NamedGraph(("a", "x", "y"), GRAPH), "'b' and 'c' only in the true graph; 'x' and"),
        (NamedGraph(NAMES, GRAPH), NamedGraph(("a", "c"), PDAG.empty(2)), r"\('b' only in the true graph\)"),
        (GRAPH, PDAG.empty(4), "has 3 variables and the learned one 4"),
        ([[0, 2], [0, 0]], PDAG.empty(2), "The true graph cannot be used: .*got 2"),
        (PDAG.empty(2), [[0, 1]], "The learned graph cannot be used: .*square"),
        (PDAG.empty(2), "graph.json", "The learned graph cannot be used"),
        (PDAG.empty(3), FRAME, "index of the learned graph's data frame is not its columns"),
        (PDAG.empty(2), nx.Graph([("a", "b")]), "networkx.DiGraph is needed"),
    ],
)
def test_graphs_that_do_not_fit_are_refused(truth: object, learned: object, sentence: str) -> None:
    with pytest.raises(InvalidGraphError, match=sentence):
        compare(truth, learned)


def test_names_must_be_different_and_enough() -> None:
    with pytest.raises(InvalidGraphError, match="'a' occurs more than once"):
        NamedGraph(("a", "a", "b"), GRAPH)
    with pytest.raises(InvalidGraphError, match="2 names for 3 variables"):
        NamedGraph(("a", "b"), GRAPH)
