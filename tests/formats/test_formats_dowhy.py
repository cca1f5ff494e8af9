"""DoWhy takes what we hand over: objects, texts and files, and finds the effect that is in the data."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from format_cases import DAG, text_of

import hccd
from hccd.graphs import PDAG
from hccd.graphs.formats import NamedGraph

EFFECT = 0.4


@pytest.fixture(scope="module")
def dowhy() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("dowhy", reason="there is no dowhy for this version of Python")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """DoWhy warns of pandas and networkx, and says on its log that it falls back from pygraphviz to pydot."""
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    logging.disable(logging.NOTSET)


def data_for(graph: NamedGraph) -> pd.DataFrame:
    """Rows of a linear model in which every arrow has the same weight."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(2000, graph.graph.n))
    for x in graph.graph.topological_order() or ():
        values[:, x] += EFFECT * values[:, list(graph.graph.parents(x))].sum(axis=1)
    return pd.DataFrame(values, columns=list(graph.names))


def edges_in(model: Any) -> set[tuple[str, str]]:
    return {(tail, head) for tail, head in model._graph._graph.edges if not tail.startswith("U")}


@pytest.mark.parametrize("how", ["object", "gml", "dot", "dagitty"])
def test_a_model_has_our_edges(how: str, dowhy: Any) -> None:
    graph = DAG.to_dowhy() if how == "object" else text_of(DAG, how)
    model = dowhy.CausalModel(data_for(DAG), treatment="rain", outcome="wet grass", graph=graph)
    assert edges_in(model) == {(source, target) for source, target, _ in DAG.edges()}
    assert set(DAG.names) <= set(model._graph._graph.nodes)


@pytest.mark.parametrize("name", ["graph.gml", "graph.dot", "graph.dagitty.txt"])
def test_a_model_reads_our_files(name: str, dowhy: Any, tmp_path: Path) -> None:
    file = DAG.export(tmp_path / name)
    model = dowhy.CausalModel(data_for(DAG), treatment="rain", outcome="wet grass", graph=str(file))
    assert edges_in(model) == {(source, target) for source, target, _ in DAG.edges()}


def test_an_effect_is_found_with_a_learned_graph(dowhy: Any) -> None:
    truth = NamedGraph(("z", "w", "x", "y"), PDAG.from_edges(4, [(0, 2), (1, 2), (2, 3), (0, 3)]))
    data = data_for(truth)
    result = hccd.discover(data)
    assert set(result.edges()) == set(truth.edges())
    model = dowhy.CausalModel(data, treatment="x", outcome="y", graph=result.to_dowhy())
    estimand = model.identify_effect(proceed_when_unidentifiable=True)
    estimate = model.estimate_effect(estimand, method_name="backdoor.linear_regression")
    assert estimate.value == pytest.approx(EFFECT, abs=0.1)


def test_every_member_of_a_class_is_a_graph_for_dowhy(dowhy: Any) -> None:
    graph = NamedGraph(("a", "b", "c"), PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    data = data_for(graph.dag())
    seen = set()
    for dag in graph.dags():
        model = dowhy.CausalModel(data, treatment="a", outcome="c", graph=dag.to_dowhy())
        seen.add(frozenset(edges_in(model)))
    assert len(seen) == graph.class_size() == 3
