"""Distances between PAGs: each pair once, arrowheads at ends, and what a PDAG is among PAGs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hccd.errors import InvalidGraphError
from hccd.graphs import PAG, PDAG, dag_to_cpdag
from hccd.graphs.formats import NamedGraph
from hccd.graphs.marks import EdgeType, Mark
from hccd.metrics import (
    adjacency_retrieval,
    arrowhead_retrieval,
    bdeu,
    bic,
    causal_accuracy,
    compare,
    edge_errors,
    shd,
    sid,
)
from method_cases import random_dag, random_pag


def ends(graph, x, y):
    """The marks at x and at y; an undirected edge of a PDAG leaves them open."""
    for source, target, kind in graph.typed_edges():
        if {source, target} == {x, y}:
            if isinstance(graph, PDAG) and kind is EdgeType.UNDIRECTED:
                return Mark.CIRCLE, Mark.CIRCLE
            return kind.marks if source == x else kind.marks[::-1]
    return None


def by_definition(truth, learned):
    counts = dict.fromkeys(("missing", "extra", "reversed", "arrow_missing", "arrow_extra", "tail_or_circle"), 0)
    for x, y in combinations(range(truth.n), 2):
        true, own = ends(truth, x, y), ends(learned, x, y)
        if true == own:
            continue
        if true is None or own is None:
            counts["extra" if true is None else "missing"] += 1
            continue
        heads, found = ({i for i in (0, 1) if marks[i] is Mark.ARROW} for marks in (true, own))
        kind = "tail_or_circle"
        if heads - found:
            kind = "reversed" if found - heads else "arrow_missing"
        elif found - heads:
            kind = "arrow_extra"
        counts[kind] += 1
    return counts


def test_shd_by_definition():
    rng = np.random.default_rng(0)
    for _ in range(60):
        one, other = random_pag(rng, 6, 0.5), random_pag(rng, 6, 0.5)
        found = shd(one, other)
        assert vars(found) == by_definition(one, other)
        assert found.total == sum(by_definition(one, other).values()) == shd(other, one).total
        assert shd(one, one).total == 0
        pdag = dag_to_cpdag(random_dag(rng, 6, 0.4))
        assert vars(shd(pdag, other)) == by_definition(pdag, other)


def test_pdags_are_compared_as_before():
    """The marks of PDAGs give the five numbers of their matrices, and never the sixth."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        one, other = dag_to_cpdag(random_dag(rng, 7, 0.4)), dag_to_cpdag(random_dag(rng, 7, 0.4))
        assert vars(shd(one, other)) == by_definition(one, other)
        assert shd(one, other).tail_or_circle == 0


def test_arrowheads_are_ends():
    rng = np.random.default_rng(2)
    for _ in range(40):
        one, other = random_pag(rng, 6, 0.5), random_pag(rng, 6, 0.5)

        def heads(graph):
            return {
                (x, y) for x in range(6) for y in range(6) if x != y and (e := ends(graph, x, y)) and e[1] is Mark.ARROW
            }

        found = arrowhead_retrieval(one, other)
        true, own = heads(one), heads(other)
        assert (found.right, found.wrong, found.missed) == (len(true & own), len(own - true), len(true - own))
        lines = adjacency_retrieval(one, other)
        true, own = ({tuple(edge) for edge in graph.skeleton().edges.tolist()} for graph in (one, other))
        assert (lines.right, lines.wrong, lines.missed) == (len(true & own), len(own - true), len(true - own))
        assert edge_errors(one, other).missing == len(true - own)


def test_a_bidirected_edge_is_two_arrowheads():
    both = PAG.from_edges(2, [(0, 1, EdgeType.BIDIRECTED)])
    assert arrowhead_retrieval(both, PDAG.from_edges(2, [(0, 1)]), as_cpdag=False).missed == 1
    assert arrowhead_retrieval(PDAG.from_edges(2, [(0, 1)]), both, as_cpdag=False).precision == 0.5


def test_what_needs_dags_refuses_pags():
    pag, dag = PAG.from_edges(2, [(0, 1, EdgeType.NONDIRECTED)]), PDAG.from_edges(2, [(0, 1)])
    for metric in (sid, causal_accuracy):
        for pair in ((pag, dag), (dag, pag)):
            with pytest.raises(InvalidGraphError, match="A PAG represents no DAG of its variables: compare by SHD"):
                metric(*pair)
    for score in (bdeu, bic):
        with pytest.raises(InvalidGraphError, match="A PAG represents no DAG"):
            score(pag, {"a": [0, 1], "b": [0, 1]})


def test_all_at_once_with_names_in_another_order():
    truth = NamedGraph(("a", "b", "c"), PAG.from_edges(3, [(0, 1, EdgeType.PARTIALLY_DIRECTED)]))
    learned = NamedGraph(("c", "b", "a"), PAG.from_edges(3, [(2, 1, EdgeType.DIRECTED), (0, 1, EdgeType.BIDIRECTED)]))
    data = dict(zip("abc", np.random.default_rng(0).integers(0, 2, (3, 30)), strict=True))
    found = compare(truth, learned, data)
    assert (found.shd.extra, found.shd.tail_or_circle, found.shd.total) == (1, 1, 2)
    assert found.arrowheads.right == 1 and found.arrowheads.wrong == 2
    assert found.pags and found.sid is None and found.bdeu is None and not found.causal_accuracy and not found.aid
    words = dict(found.table())
    assert words["compared as"] == "PAGs, by the marks at the ends of edges"
    assert words["SHD"].endswith("1 tail in one and circle in the other")
    for name in ("causal accuracy", "SID", "AID", "BDeu", "BIC"):
        assert words[name].startswith("not available: A PAG represents no DAG")
    assert found.to_dict()["causal_accuracy"] == {}
