"""Results of FCI: files, lists of edges, and explanations whose claims are looked up in the graph."""

from __future__ import annotations

import pickle
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import hccd
from hccd.errors import FileFormatError, InvalidGraphError, InvalidParameterError
from hccd.graphs import PAG, PDAG
from hccd.graphs.marks import EdgeType, Mark
from hccd.graphs.meaning import neighbour_lists
from hccd.graphs.pag import ARROW, CIRCLE, TAIL
from hccd.result import HCCDResult
from method_cases import ONE_OF_EACH

sys.path.append(str(Path(__file__).parents[1] / "ancestral"))
from mags_by_definition import random_case


def with_graph(n: int, edges, reasons) -> HCCDResult:
    """A result with a PAG made by hand, over a, b, c, ..."""
    arcs = [(min(i, j), max(i, j)) for i, j, _ in edges]
    learned = hccd.discover(hccd.Oracle(PDAG.from_edges(n, directed=arcs)).bind(), names=list("abcdefgh")[:n])
    graph = PAG.from_edges(n, edges)
    assert learned.skeleton == graph.skeleton()
    return replace(learned, graph=graph, reasons=reasons, colliders=(), conflicts=())


@cache
def all_types() -> HCCDResult:
    reasons = {(1, 0): "R2", (0, 1): "R8", (0, 2): "R5", (2, 0): "R5", (0, 3): "R4", (3, 0): "forced", (3, 1): "R3",
               (2, 3): "knowledge"}  # fmt: skip
    return with_graph(4, ONE_OF_EACH, reasons)


@cache
def learned() -> tuple[HCCDResult, ...]:
    """Results of FCI with a perfect test, with hidden variables and selected rows."""
    found = []
    for seed in range(260):
        rng = np.random.default_rng(seed)
        sizes = int(rng.integers(5, 8)), int(rng.integers(0, 4)), int(rng.integers(0, 3))
        oracle = hccd.Oracle(*random_case(rng, *sizes, 2.0))
        found.append(hccd.discover(oracle.bind(), baseline="fci", method="pc"))
    return tuple(found)


def marks_with(reason: str) -> list[tuple[HCCDResult, int, int]]:
    return [(result, i, j) for result in learned() for (i, j), why in result.reasons.items() if why == reason]


def test_edges_counts_and_neighbours():
    result = all_types()
    assert result.edges() == [
        ("a", "c", "undirected"),
        ("a", "d", "bidirected"),
        ("b", "a", "directed"),
        ("b", "c", "nondirected"),
        ("c", "d", "partially-undirected"),
        ("d", "b", "partially-directed"),
    ]
    assert "1 partially-undirected and 1 nondirected edges" in repr(result)
    lists = neighbour_lists(result.graph, 0)
    assert {name: found for name, found in lists.items() if found} == {
        "causes": [1],
        "hidden common cause": [3],
        "selection": [2],
    }
    assert neighbour_lists(result.graph, 1)["possible causes"] == [3]
    assert neighbour_lists(result.graph, 3)["possible effects"] == [1]


def test_a_file_keeps_a_pag_and_the_reason_of_every_mark(tmp_path):
    for result in (all_types(), *learned()[:40]):
        result.save(tmp_path / "graph.json")
        back = HCCDResult.load(tmp_path / "graph.json")
        assert back.graph == result.graph and isinstance(back.graph, PAG)
        assert back.reasons == result.reasons and back.to_dict() == result.to_dict()
        for i, j in result.skeleton.edges.tolist():
            assert back.explain(i, j) == result.explain(i, j)
        assert hccd.read_graph(tmp_path / "graph.json").graph == result.graph
    edge = next(edge for edge in all_types().to_dict()["edges"] if edge["type"] == "bidirected")
    assert (edge["source"], edge["reason"], edge["source_reason"]) == ("a", "R4", "forced")
    circles = next(edge for edge in all_types().to_dict()["edges"] if edge["type"] == "nondirected")
    assert "reason" not in circles and "source_reason" not in circles
    assert pickle.loads(pickle.dumps(all_types())).graph == all_types().graph


def test_a_pag_without_circles_is_one_in_its_file(tmp_path):
    result = with_graph(2, [(0, 1, EdgeType.DIRECTED)], {(0, 1): "R1", (1, 0): "R1"})
    result.save(tmp_path / "graph.json")
    assert HCCDResult.load(tmp_path / "graph.json").graph == result.graph != PDAG.from_edges(2, [(0, 1)])


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"graph_type": "PDAG"}, "a result that is no PAG has directed and undirected edges only"),
        ({"graph_type": "forest"}, "graph_type of this hccd-graph file is 'forest'"),
    ],
)
def test_files_that_contradict_themselves(change, phrase):
    with pytest.raises(FileFormatError, match=phrase):
        HCCDResult.from_dict({**all_types().to_dict(), **change})


def test_what_makes_no_sense_for_a_pag_is_refused():
    with pytest.raises(InvalidParameterError, match="a consensus is a CPDAG, and this graph is a PAG"):
        all_types().consensus()
    with pytest.raises(InvalidParameterError, match="effects are estimated from DAGs and CPDAGs"):
        all_types().effect("a", "b")
    with pytest.raises(InvalidGraphError, match="this graph is a PAG"):
        all_types().dag()
    assert "partial ancestral graph" in all_types().methods_text()
    assert "no hidden common causes" not in all_types().methods_text()


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (
            "ab",
            "The edge is 'b' -> 'a': 'b' is a cause of 'a', directly or through others (unless it decides which rows",
        ),
        ("ca", "The edge is 'a' -- 'c': each of the two is a cause of the other, or of what decides which rows are in"),
        ("da", "The edge is 'a' <-> 'd': neither is a cause of the other, and both have a hidden common cause."),
        (
            "bd",
            "The edge is 'd' o-> 'b': 'b' is not a cause of 'd', but the data leave open whether 'd' is a cause of 'b'",
        ),
        (
            "cd",
            "The edge is 'c' o-- 'd': 'd' is a cause of 'c', or of what decides which rows are in the data, but the",
        ),
        (
            "cb",
            "The edge is 'b' o-o 'c': the data leave open whether 'b' is a cause of 'c', 'c' is a cause of 'b'",
        ),
    ],
)
def test_what_each_type_of_edge_says(pair, said):
    assert said in all_types().explain(*pair) and said in all_types().explain(*reversed(pair))


def test_marks_that_have_reasons_are_explained_and_circles_are_not():
    for result in (all_types(), *learned()):
        for source, target, kind in result.graph.typed_edges():
            text = result.explain(source, target)
            told = [result.names[target] if at else result.names[source] for at in (1, 0)]
            for end, mark in zip(told, kind.marks[::-1], strict=True):
                alone = f"The {mark.value} at '{end}' is there because" in text
                assert mark is Mark.CIRCLE or alone or "Both of its marks are there because" in text
                assert not (mark is Mark.CIRCLE and (alone or "Both" in text))
            assert "it was given" not in text and "\n" not in text
    text = all_types().explain("a", "d")
    assert "The arrowhead at 'a' is there because no graph without it fits the other marks" in text
    assert "The tail at 'd' is there because your knowledge leaves no other" in all_types().explain("c", "d")


def test_the_collider_that_is_named_is_one():
    marks = marks_with("collider")
    assert len(marks) > 100
    for result, i, j in marks:
        text = result.explain(i, j)
        at_j = text.split(f"The arrowhead at '{result.names[j]}' is there because ")[-1]
        one, other, *given = re.findall(r"'([^']+)'", at_j.split(", which is adjacent")[0])
        x, y = result.index(one), result.index(other)
        assert x == i and given.pop() == result.names[j]
        assert not result.skeleton.has_edge(x, y)
        assert result.graph.marks[x, j] == result.graph.marks[y, j] == ARROW
        assert result.names[j] not in given
        removal = result.removal(x, y)
        assert removal is not None


def test_the_first_rule_names_a_true_witness():
    for result, i, j in marks_with("R1"):
        b, c = (i, j) if result.graph.marks[i, j] == ARROW else (j, i)
        found = re.search(r"'(\w+)' lies between '(\w+)' and '(\w+)' without being a collider", result.explain(i, j))
        assert found and found[1] == result.names[b] and found[3] == result.names[c]
        a = result.index(found[2])
        assert result.graph.marks[a, b] == ARROW and not result.skeleton.has_edge(a, c)
        assert result.graph.marks[c, b] == TAIL


def test_the_second_rule_names_a_true_witness():
    for result, i, j in marks_with("R2"):
        found = re.search(r"arrowheads lead from '(\w+)' to '(\w+)' through '(\w+)' already", result.explain(i, j))
        assert found and (found[1], found[2]) == (result.names[i], result.names[j])
        b = result.index(found[3])
        marks = result.graph.marks
        assert marks[i, b] == ARROW == marks[b, j] and TAIL in (marks[b, i], marks[j, b])


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7, 9, 10])
def test_each_rule_is_named(number):
    marks = marks_with(f"R{number}")
    assert marks
    for result, i, j in marks:
        assert f"(rule {number} of FCI)" in result.explain(i, j)
        mark = result.graph.marks[i, j]
        assert mark != CIRCLE and (number < 5 or mark == TAIL)


def test_the_eighth_rule_names_a_true_witness():
    """c -> b -> a and c -> a: the tail at c."""
    edges = [(2, 1, EdgeType.DIRECTED), (1, 0, EdgeType.DIRECTED), (2, 0, EdgeType.DIRECTED)]
    text = with_graph(3, edges, {(0, 2): "R8", (2, 0): "R2"}).explain("a", "c")
    assert "The tail at 'c' is there because 'c' is a cause of 'a' through 'b' already (rule 8 of FCI)." in text


def test_a_pair_that_possible_d_sep_sets_separate_says_so():
    """3 and 4 of this graph stay adjacent until possible-d-sep sets are asked about."""
    arcs, hidden = [(0, 1), (1, 4), (2, 3)], [(0, 2), (2, 4), (1, 3)]
    arcs += [(5 + v, x) for v, pair in enumerate(hidden) for x in pair]
    oracle = hccd.Oracle(PDAG.from_edges(8, directed=arcs), latent=(5, 6, 7))
    result = hccd.discover(oracle.bind(), baseline="fci", method="pc", names=list("abcde"))
    text = result.explain("d", "e")
    assert "independent given 'a', 'b', 'c'. This was found in the possible-d-sep search" in text
    assert HCCDResult.from_dict(result.to_dict()).explain("d", "e") == text
