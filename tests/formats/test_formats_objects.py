"""Objects of other libraries: what they hold when we made them, what we hold when they did, and what is refused."""

from __future__ import annotations

import subprocess
import sys
import warnings
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from causallearn.graph.Edge import Edge
from causallearn.graph.Endpoint import Endpoint
from causallearn.graph.GeneralGraph import GeneralGraph
from causallearn.graph.GraphNode import GraphNode
from format_cases import DAG, ODD, PAG_OF_ALL, PLAIN, drawn_in, random_cpdag_like

import hccd
from hccd.errors import DataWarning, InvalidGraphError, InvalidParameterError, NotExtendableError
from hccd.graphs import PAG, PDAG
from hccd.graphs.formats import NamedGraph
from hccd.graphs.marks import EdgeType

GRAPHS = [PLAIN, ODD, DAG, NamedGraph(("one",), PDAG.empty(1))]


@pytest.fixture(scope="module")
def pgmpy() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pgmpy.base
        import pgmpy.models
    return pgmpy


@pytest.mark.parametrize("graph", GRAPHS)
def test_causal_learn(graph: NamedGraph) -> None:
    made = graph.to_causallearn()
    assert isinstance(made, GeneralGraph)
    assert [node.get_name() for node in made.get_nodes()] == list(graph.names)
    nodes = dict(zip(graph.names, made.get_nodes(), strict=True))
    for source, target, kind in graph.edges():
        assert made.is_adjacent_to(nodes[source], nodes[target])
        assert made.is_directed_from_to(nodes[source], nodes[target]) == (kind == "directed")
        assert made.is_undirected_from_to(nodes[source], nodes[target]) == (kind == "undirected")
    assert made.get_num_edges() == len(graph.edges())
    assert hccd.from_causallearn(made) == graph


def test_causal_learn_runs_on_data_and_is_read() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 500))
    data = np.column_stack([a, b, a + b + 0.3 * rng.normal(size=500)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.PC import pc

        found = pc(data, node_names=["a", "b", "c"], show_progress=False)
    expected = {("a", "c", "directed"), ("b", "c", "directed")}
    assert drawn_in(hccd.from_causallearn(found)) == drawn_in(hccd.from_causallearn(found.G)) == expected


def test_random_graphs_through_causal_learn_and_pandas() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        graph = random_cpdag_like(rng, int(rng.integers(1, 9)), 0.3)
        named = NamedGraph(tuple(f"v{i}" for i in range(graph.n)), graph)
        assert hccd.from_causallearn(named.to_causallearn()) == named
        assert hccd.from_pandas(named.to_pandas()) == named
        assert hccd.from_pandas(named.to_pandas().loc[list(named.names[::-1])]) == named


def test_a_pag_as_causal_learn_has_it() -> None:
    made = PAG_OF_ALL.to_causallearn()
    a, b, c, d, _ = made.get_nodes()
    ends = {(x, y): made.get_endpoint(x, y) for x, y in permutations(made.get_nodes(), 2)}
    # get_endpoint(x, y) is the mark at y.
    assert (ends[b, a], ends[a, b]) == (Endpoint.ARROW, Endpoint.TAIL)
    assert (ends[a, c], ends[c, a]) == (Endpoint.TAIL, Endpoint.TAIL)
    assert (ends[a, d], ends[d, a]) == (Endpoint.ARROW, Endpoint.ARROW)
    assert (ends[d, b], ends[b, d]) == (Endpoint.ARROW, Endpoint.CIRCLE)
    assert (ends[c, d], ends[d, c]) == (Endpoint.TAIL, Endpoint.CIRCLE)
    assert (ends[b, c], ends[c, b]) == (Endpoint.CIRCLE, Endpoint.CIRCLE)
    assert made.get_num_edges() == 6
    assert hccd.from_causallearn(made) == PAG_OF_ALL
    only_arrows = NamedGraph(("a", "b"), PAG.from_edges(2, [(0, 1, EdgeType.DIRECTED)]))
    assert hccd.from_causallearn(only_arrows.to_causallearn()) == only_arrows


def test_the_fci_of_causal_learn_is_read() -> None:
    """a and b cause c, a hidden variable causes c and d: circles at a and b, a bidirected edge."""
    rng = np.random.default_rng(4)
    a, b, hidden, e = rng.normal(size=(4, 2000))
    data = np.column_stack([a, b, a + b + 2 * hidden, 2 * hidden + e, e]) + 0.5 * rng.normal(size=(2000, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.FCI import fci

        found, _ = fci(data, node_names=list("abcde"), show_progress=False)
    graph = hccd.from_causallearn(found)
    assert drawn_in(graph) == {
        ("a", "c", "partially-directed"),
        ("b", "c", "partially-directed"),
        ("c", "d", "bidirected"),
        ("e", "d", "partially-directed"),
    }
    assert isinstance(graph.graph, PAG)


def test_random_pags_through_every_object() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        n = int(rng.integers(1, 8))
        marks = np.triu(rng.integers(0, 4, (n, n)), 1)
        marks += np.triu(np.where(marks, rng.integers(1, 4, (n, n)), 0), 1).T
        named = NamedGraph(tuple(f"v{i}" for i in range(n)), PAG(marks))
        assert hccd.from_causallearn(named.to_causallearn()) == named
        assert hccd.from_networkx(named.to_networkx()) == named
        assert hccd.from_pandas(named.to_pandas().loc[list(named.names[::-1])], pag=True) == named
        made = named.to_networkx()
        for source, target, kind in named.edges():
            assert made.edges[source, target]["type"] == kind
            assert made.has_edge(target, source) == EdgeType(kind).symmetric


def test_what_needs_a_dag_refuses_a_pag_in_one_sentence() -> None:
    for method, args in [
        ("dag", ()),
        ("dag", (1,)),
        ("dags", ()),
        ("sample_dags", (2,)),
        ("class_size", ()),
        ("to_dowhy", ()),
        ("to_pgmpy", ()),
        ("to_pgmpy", ("network",)),
        ("pdag", ()),
    ]:
        with pytest.raises(InvalidGraphError, match="graph is a PAG, which allows for hidden causes") as caught:
            getattr(PAG_OF_ALL, method)(*args)
        assert "\n" not in str(caught.value)


def test_two_edges_of_causal_learn_are_refused() -> None:
    nodes = [GraphNode("a"), GraphNode("b")]
    graph = GeneralGraph(nodes)
    graph.add_edge(Edge(nodes[0], nodes[1], Endpoint.ARROW, Endpoint.ARROW))
    graph.add_edge(Edge(nodes[0], nodes[1], Endpoint.TAIL, Endpoint.ARROW))
    with pytest.raises(InvalidGraphError, match="two edges between 'a' and 'b'"):
        hccd.from_causallearn(graph)
    with pytest.raises(InvalidGraphError, match="got a list"):
        hccd.from_causallearn([[0, 1], [0, 0]])


@pytest.mark.parametrize("graph", GRAPHS)
def test_pgmpy_pdag(graph: NamedGraph, pgmpy: Any) -> None:
    made = graph.to_pgmpy()
    assert isinstance(made, pgmpy.base.PDAG)
    assert list(made.nodes) == list(graph.names)
    assert {(*edge, "directed") for edge in made.directed_edges} | {
        (*edge, "undirected") for edge in made.undirected_edges
    } == set(graph.edges())
    assert hccd.from_pgmpy(made) == graph
    again = made.copy()
    assert (again.directed_edges, again.undirected_edges) == (made.directed_edges, made.undirected_edges)
    extension = made.to_dag()
    assert set(map(frozenset, extension.edges)) == {frozenset(edge[:2]) for edge in graph.edges()}


@pytest.mark.parametrize("graph", [PLAIN, DAG])
def test_pgmpy_dag_and_network(graph: NamedGraph, pgmpy: Any) -> None:
    # Graphs with undirected edges warn; the DAG that is chosen by hand does not, and is the same.
    dag, network = graph.dag().to_pgmpy("dag"), graph.dag().to_pgmpy("network")
    assert type(dag) is pgmpy.base.DAG and type(network) is pgmpy.models.DiscreteBayesianNetwork
    for made in (dag, network):
        assert list(made.nodes) == list(graph.names)
        assert hccd.from_pgmpy(made) == graph.dag()
    data = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (50, 5)), columns=list(graph.names))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.fit(data)
    assert network.check_model()


def test_pgmpy_refusals(pgmpy: Any) -> None:
    with pytest.raises(InvalidParameterError, match="kind is 'tree'"):
        PLAIN.to_pgmpy("tree")  # type: ignore[arg-type]
    with pytest.raises(NotExtendableError):
        NamedGraph(("a", "b", "c", "d"), PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])).to_pgmpy(
            "dag"
        )
    with pytest.raises(InvalidGraphError, match="got a dict"):
        hccd.from_pgmpy({"a": "b"})


def test_pandas() -> None:
    frame = PLAIN.to_pandas()
    assert list(frame.index) == list(frame.columns) == list(PLAIN.names)
    assert frame.loc["rain", "wet"] == 1 and frame.loc["wet", "rain"] == 0
    assert frame.loc["rain", "sun"] == frame.loc["sun", "rain"] == 1
    frame.loc["sun", "wet"] = 1
    assert PLAIN.graph.marks[2, 1] == 0
    with pytest.raises(InvalidGraphError, match="names of its columns"):
        hccd.from_pandas(frame.reset_index(drop=True))


def test_results_are_handed_over_like_graphs() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 400))
    result = hccd.discover({"a": a, "b": b, "c": a + b + 0.5 * rng.normal(size=400), "d": b + rng.normal(size=400)})
    graph = NamedGraph(result.names, result.graph)
    assert len(result.graph.directed_edges()) and len(result.graph.undirected_edges())
    assert hccd.from_networkx(result.to_networkx()) == hccd.from_causallearn(result.to_causallearn()) == graph
    assert hccd.from_pandas(result.to_pandas()) == graph
    with pytest.warns(DataWarning, match="^1 edge is undirected, but DoWhy needs a DAG: this is one of several DAGs"):
        made = result.to_dowhy()
    assert hccd.from_networkx(made) == result.dag() == graph.dag()
    assert result.class_size() == len(list(result.dags())) == 2
    assert result.sample_dags(3, seed=1) == graph.sample_dags(3, seed=1)


def learned(data: Any, **options: Any) -> hccd.HCCDResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hccd.discover(data, **options)


def test_pgmpy_gets_the_network_that_fits_the_data(pgmpy: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 500))
    frame = pd.DataFrame({"a": a, "b": b, "c": 2 * a - b + 0.5 * rng.normal(size=500)})
    result = learned(frame)
    network = result.to_pgmpy()
    assert type(network) is pgmpy.models.LinearGaussianBayesianNetwork
    assert hccd.from_pgmpy(network) == result.dag()
    network.fit(frame)
    slopes = np.linalg.lstsq(np.column_stack([np.ones(500), a, b]), frame["c"], rcond=None)[0]
    fitted = network.get_cpds("c")
    assert dict(zip(["1", *fitted.evidence], fitted.beta, strict=True)) == pytest.approx(
        dict(zip(["1", "a", "b"], slopes, strict=True)), abs=1e-6
    )
    # The kind is known from the test where there are no data any more, and from the columns where the test takes both.
    result.save(tmp_path / "graph.json")
    loaded = hccd.HCCDResult.load(tmp_path / "graph.json")
    curves = learned(frame, test="dg")
    for made in (loaded.to_pgmpy(), loaded.to_pgmpy("network"), curves.to_pgmpy()):
        assert type(made) is pgmpy.models.LinearGaussianBayesianNetwork
    coded = learned(frame, discretize=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert type(coded.to_pgmpy()) is type(learned(frame > 0).to_pgmpy()) is pgmpy.models.DiscreteBayesianNetwork
    assert type(result.to_pgmpy("pdag")) is pgmpy.base.PDAG and type(result.to_pgmpy("dag")) is pgmpy.base.DAG
    mixed = learned(frame.assign(b=frame["b"] > 0))
    with pytest.raises(
        InvalidParameterError, match="but this table has columns of both kinds: choose kind 'dag' or 'pdag'"
    ):
        mixed.to_pgmpy()
    mixed.save(tmp_path / "mixed.json")
    with pytest.raises(
        InvalidParameterError, match="but the test 'dg' does not show which kind these data are: choose kind"
    ):
        hccd.HCCDResult.load(tmp_path / "mixed.json").to_pgmpy()
    assert mixed.to_pgmpy("pdag") is not None and mixed.dag().to_dowhy().number_of_nodes() == 3


@pytest.mark.parametrize("kind", ["dag", "network", "linear-gaussian"])
def test_a_dag_that_is_one_of_several_is_told(kind: Any, pgmpy: Any) -> None:
    with pytest.warns(DataWarning, match="^[0-9]+ edges? (is|are) undirected, but pgmpy's .* needs a DAG") as caught:
        made = PLAIN.to_pgmpy(kind)
    assert caught[0].filename == __file__
    assert hccd.from_pgmpy(made) == PLAIN.dag() == hccd.from_pgmpy(PLAIN.dag().to_pgmpy(kind))


@pytest.mark.parametrize(
    ("method", "package"),
    [
        ("to_causallearn", "causallearn"),
        ("to_pgmpy", "pgmpy"),
        ("to_pandas", "pandas"),
        ("to_networkx", "networkx"),
        ("to_dowhy", "networkx"),
    ],
)
def test_a_package_that_is_missing_is_named(method: str, package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
import hccd, hccd.errors
try:
    hccd.NamedGraph(("a",), hccd.PDAG.empty(1)).{method}()
except hccd.errors.NotInstalledError as error:
    sys.exit(str(error))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install" in ran.stderr and ran.stderr.count("\n") == 1


def test_a_run_that_exports_nothing_imports_no_format() -> None:
    code = "import sys, hccd.cli.tasks.learn; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "hccd.result" in ran.stdout.split() and "hccd.graphs.formats.files" not in ran.stdout.split()


def test_foreign_libraries_are_imported_only_when_used() -> None:
    code = "import sys, hccd; hccd.NamedGraph, hccd.read_graph; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "hccd.graphs.formats.dot" in ran.stdout.split()
    assert not {"networkx", "pandas", "pgmpy", "causallearn", "dowhy", "xml.etree"} & set(ran.stdout.split())
