"""A report of a graph of a score search: every sentence as the library's, every p-value in its place."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from report_browser import ASK_ALL
from report_cases import quietly

import hccd
from hccd.report.evidence import missing_edges
from hccd.result import HCCDResult
from method_cases import discrete_net, linear_gaussian
from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)


@cache
def results():
    """The score parts pairs after careless tests, and joins pairs found independent after timid ones."""
    rng = np.random.default_rng(91)
    numbers, states = linear_gaussian(rng, 16, 3, 120, 0.2), discrete_net(rng, 14, 3, 250, (2, 4))
    x = np.random.default_rng(2).normal(size=(100, 2))
    x[:, 1] += 0.15 * x[:, 0]
    return {
        "numbers, careless": quietly(numbers, alpha=0.3),
        "numbers, timid": quietly(numbers, alpha=1e-7),
        "states, careless": quietly(states, test="g", alpha=0.3),
        "states, timid": quietly(states, test="g", alpha=1e-7),
        "information": quietly(states, test="mi", threshold=0.03, method="hccd"),
        "one pair": quietly(x, alpha=0.9),
    }


NAMES = ["numbers, careless", "numbers, timid", "states, careless", "states, timid", "information", "one pair"]


def pairs(result):
    return combinations(range(len(result.names)), 2)


def kind_of(result, a, b):
    joined, tested = result.skeleton.has_edge(a, b), result.tested.skeleton().has_edge(a, b)
    if joined:
        return "kept" if tested else "joined, independent" if result.marginal.independent[a, b] else "joined, separated"
    if tested:
        return "parted"
    return "independent" if result.marginal.independent[a, b] else "separated"


def test_the_cases_have_every_kind_of_pair():
    kinds = [kind_of(result, a, b) for result in results().values() for a, b in pairs(result)]
    for kind in ("kept", "joined, independent", "joined, separated", "parted", "independent", "separated"):
        assert kinds.count(kind) >= 3, kind
    assert kind_of(results()["one pair"], 0, 1) == "parted"


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_is_the_librarys(opened, name):
    result = results()[name]
    said = opened(result.to_html()).page.evaluate(ASK_ALL)
    loaded = HCCDResult.from_dict(result.to_dict())
    assert len(said) == sum(1 for _ in pairs(result))
    for a, b in pairs(result):
        shown = said[f"{a},{b}"]
        # Sentences about edges are embedded; those about missing edges are made from what the file has, too.
        source = result if result.skeleton.has_edge(a, b) else loaded
        assert shown in {source.explain(a, b), source.explain(b, a)}, kind_of(result, a, b)
        if kind_of(result, a, b) == "independent" and result.marginal.p_values is not None:
            # Not only the file's: the test's own p-value, up to the three digits that the page has of it.
            p = result.marginal.p_value(a, b)
            assert float(re.search(r"p = ([\d.e-]+)", shown)[1]) == pytest.approx(p, rel=0.0101)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_page_is_given(name):
    result = results()[name]
    missing = missing_edges(result)

    def listed(flat):
        return set(zip(flat[::2], flat[1::2], strict=True))

    kinds = {pair: kind_of(result, *pair) for pair in pairs(result)}
    assert listed(missing["scored_out"]) == {pair for pair, kind in kinds.items() if kind == "parted"}
    assert listed(missing["scored_in"]) == {pair for pair, kind in kinds.items() if kind.startswith("joined")}
    assert missing["never"] == []


def test_the_figures_and_the_story(opened):
    result = results()["numbers, careless"]
    seen = opened(result.to_html())
    changes = result.score.changes(result.graph)
    story = " ".join(seen.page.locator("#story").text_content().split())
    assert f"A score search (BIC) started from the graph of the tests: {changes}" in story
    assert f"{sum(changes)} changes by the score ({changes})" in seen.page.locator("#headline").get_attribute("title")
    plain = opened(hccd.discover(linear_gaussian(np.random.default_rng(91), 16, 3, 120, 0.2), scoring="none").to_html())
    assert "by the score" not in plain.page.locator("body").inner_text()
