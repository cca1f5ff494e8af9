"""The networkx format: what the graph looks like there, the way back, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.graphs.formats.networkx import from_networkx, graph_from_networkx, to_networkx


@given(
    st.integers(0, 7).flatmap(lambda n: npst.arrays(np.int8, (n, n), elements=st.integers(0, 1))),
    st.booleans(),
)
def test_round_trip(marks: np.ndarray, named: bool) -> None:
    np.fill_diagonal(marks, 0)
    pdag = PDAG(marks)
    names = tuple(f"v{i}" for i in range(pdag.n)) if named else None
    graph = to_networkx(pdag, names)
    assert graph_from_networkx(graph) == (pdag, names if named else tuple(range(pdag.n)))
    for _, _, data in graph.edges(data=True):
        data.clear()
    assert graph_from_networkx(graph)[0] == pdag


def test_what_the_graph_looks_like() -> None:
    graph = to_networkx(PDAG.from_edges(4, [(2, 0)], [(1, 2)]), ("a", "b", "c", "d"))
    assert type(graph) is nx.DiGraph
    assert list(graph.nodes) == ["a", "b", "c", "d"]
    assert dict(graph.edges) == {
        ("c", "a"): {"type": "directed"},
        ("b", "c"): {"type": "undirected"},
        ("c", "b"): {"type": "undirected"},
    }


def test_names_of_a_named_graph_are_the_nodes_as_text() -> None:
    graph = from_networkx(nx.DiGraph([(3, "x")]))
    assert (graph.names, graph.graph) == (("3", "x"), PDAG.from_edges(2, [(0, 1)]))


def test_a_plain_digraph_is_read_in_its_own_order_of_nodes() -> None:
    pdag, names = graph_from_networkx(nx.DiGraph([("y", "x"), ("x", "z"), ("z", "x")]))
    assert names == ("y", "x", "z")
    assert pdag == PDAG.from_edges(3, [(0, 1)], [(1, 2)])


@pytest.mark.parametrize("names", [("a",), ("a", "b", "a"), ("a", "b", "c", "d")])
def test_names_must_be_one_per_variable_and_different(names: tuple[str, ...]) -> None:
    with pytest.raises(InvalidParameterError, match="3 different"):
        to_networkx(PDAG.empty(3), names)


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph, nx.MultiGraph])
def test_other_classes_are_refused(kind: type) -> None:
    with pytest.raises(InvalidGraphError, match=kind.__name__):
        graph_from_networkx(kind([(0, 1)]))


def test_a_loop_is_refused() -> None:
    with pytest.raises(InvalidGraphError, match="to itself"):
        graph_from_networkx(nx.DiGraph([("a", "a")]))


@pytest.mark.parametrize(
    "arcs",
    [
        [("a", "b", {"type": "undirected"})],
        [("a", "b", {"type": "directed"}), ("b", "a", {})],
        [("a", "b", {"type": "bidirected"})],
        [("a", "b", {"type": "bidirected"}), ("b", "a", {"type": "nondirected"})],
        [("a", "b", {"type": "partially-directed"}), ("b", "a", {"type": "partially-directed"})],
        [("a", "b", {"type": "doubtful"})],
    ],
)
def test_a_type_that_contradicts_the_arcs_is_refused(arcs: list) -> None:
    with pytest.raises(InvalidGraphError, match="type"):
        graph_from_networkx(nx.DiGraph(arcs))


def test_networkx_is_imported_only_when_used() -> None:
    code = "import sys, hccd.graphs.formats; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
