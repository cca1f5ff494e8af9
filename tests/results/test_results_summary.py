"""A result as a few lines of text: what ``print`` shows, with the edges."""

from __future__ import annotations

import re

import numpy as np
import pytest
from result_cases import KINDS, results

import hccd
from hccd.graphs.marks import EdgeType
from hccd.result import HCCDResult
from hccd.result.summary import MOST_EDGES, in_columns

SIGNS = "|".join(sorted((re.escape(kind.sign) for kind in EdgeType), key=len, reverse=True))


def collider():
    rng = np.random.default_rng(4)
    a, b = rng.normal(size=(2, 500))
    return {"a": a, "b": b, "c": a + b + rng.normal(size=500)}


def test_a_small_result():
    result = hccd.discover(collider(), bootstrap=50)
    lines = str(result).splitlines()
    assert lines[0] == "3 variables, 500 rows, 2 edges (2 directed, 0 undirected)"
    assert lines[1] == "edges, each with the probability that the two are adjacent:"
    assert [re.sub(r"0\.[0-9]{2}$", "p", line) for line in lines[2:4]] == ["  a -> c  p", "  b -> c  p"]
    assert lines[4].startswith("sure: 2 of 2 edges and 2 of 2 arrowheads ") and len(lines) == 5
    assert result.summary() == str(result) and repr(result).startswith("HCCDResult(3 variables")


@pytest.mark.parametrize("kind", KINDS)
def test_every_edge_of_every_kind_of_result_is_listed(kind):
    result = results()[kind]
    text = result.summary(most=1000)
    listed = re.findall(rf"(?:^| )(\S.*?) ({SIGNS}) (\S.*?)(?=  |$)", "\n".join(text.splitlines()[1:]), re.MULTILINE)
    expected = {(source, EdgeType(kind).sign, target) for source, target, kind in result.edges()}
    assert {tuple(word.strip() for word in edge) for edge in listed} == expected
    assert max(map(len, text.splitlines()[1:])) <= 100


def test_hundreds_of_edges_are_cut_and_the_surest_stay():
    rng = np.random.default_rng(0)
    names = [f"v{i}" for i in range(60)]
    result = hccd.discover(rng.normal(size=(200, 60)) + rng.normal(size=(200, 1)), names=names, bootstrap=5, alpha=0.2)
    edges = result.edges()
    assert len(edges) > MOST_EDGES + 5
    text = str(result)
    shown = [float(number) for number in re.findall(r"v[0-9]+ +([01]\.[0-9]{2})", text)]
    assert len(shown) == MOST_EDGES
    kept = sorted((edge.confidence for edge in edges), reverse=True)[:MOST_EDGES]
    assert sorted(shown, reverse=True) == pytest.approx([int(100 * p + 1e-9) / 100 for p in kept])
    assert f"\n  and {len(edges) - MOST_EDGES} more: edges() lists all\n" in text
    assert result.summary(3).count("->") + result.summary(3).count("--") == 3


def test_a_probability_is_never_rounded_up_to_certainty():
    assert " 1.00" not in str(hccd.discover(collider(), bootstrap=100))


def test_nothing_and_names_of_any_kind():
    rng = np.random.default_rng(1)
    assert str(hccd.discover(rng.normal(size=(60, 3)))).splitlines()[0] == "3 variables, 60 rows, 0 edges"
    own = collider()
    result = hccd.discover({"line\nbreak": own["a"], "b" * 300: own["b"], "c": own["c"]})
    lines = str(result).splitlines()
    assert len(lines) == 3 and max(map(len, lines)) < 80 and "line\\nbreak -> c" in lines[1]


def test_a_result_from_a_file_says_the_same(tmp_path):
    result = hccd.discover(collider(), bootstrap=20)
    result.save(tmp_path / "graph.json")
    assert str(HCCDResult.load(tmp_path / "graph.json")) == str(result)


@pytest.mark.parametrize("width", [10, 40, 80])
def test_columns_hold_every_item_and_fit(width):
    items = [f"item{i}" + "x" * (i % 5) for i in range(23)]
    lines = in_columns(items, width)
    assert sorted(" ".join(lines).split()) == sorted(items)
    assert max(map(len, lines)) <= max(width, max(map(len, items)))
    # Read downwards: the first column holds the first items.
    assert [line.split()[0] for line in lines] == items[: len(lines)]
    assert in_columns([], width) == [] and in_columns(items[:8], width) == items[:8]


def test_an_edge_has_its_parts_by_name():
    edge = hccd.discover(collider(), bootstrap="none").edges()[0]
    assert edge == ("a", "c", "directed") == (edge.source, edge.target, edge.type)
