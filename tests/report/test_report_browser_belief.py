"""How much the report in a real browser says to believe: probabilities, warnings, fit, what the data chose."""

from __future__ import annotations

import dataclasses
from itertools import combinations, pairwise

import numpy as np
import pytest
from report_browser import eventually
from report_cases import alarm, numbered, quietly, rated_alarm

from hccd.report.figures import fit_line
from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)


def look(line):
    """The width, and the opacities of the line and of the head if there is one."""
    return line.evaluate(
        """edge => { const line = getComputedStyle(edge.querySelector(".line")), own = getComputedStyle(edge);
        return [parseFloat(line.strokeWidth), Number(line.strokeOpacity),
          edge.querySelector(".head") ? Number(own.getPropertyValue("--head")) : null]; }"""
    )


def test_a_line_is_as_wide_and_dark_as_its_edge_is_likely(opened):
    result = rated_alarm()
    seen = opened(result.to_html())
    looks = [look(seen.page.locator(f'#scene .edge[data-edge="{e}"]')) for e in range(len(numbered(result)))]
    shares = [result.confidence.of(*ends) for ends, _ in numbered(result)]
    by_share = sorted((own.adjacent, *seen_look[:2]) for own, seen_look in zip(shares, looks, strict=True))
    for (low, width, line), (high, wider, darker) in pairwise(by_share):
        assert (width < wider) == (line < darker) == (low < high - 1e-9)
    heads = sorted(
        (own.forward, seen_look[2])
        for own, seen_look, (_, directed) in zip(shares, looks, numbered(result), strict=True)
        if directed
    )
    assert [head for _, head in heads] == sorted(head for _, head in heads)
    assert min(line for _, line, _ in looks) > 0.15
    legend = seen.text("#legend")
    assert "direction unsure" in legend and "edge unsure" in legend and "thick: strong" not in legend


def test_unlikely_edges_are_hidden_by_keyboard(opened):
    result = rated_alarm()
    seen = opened(result.to_html())
    page, total = seen.page, result.skeleton.n_edges
    shown = page.locator("#scene .edge:not(.gone)")
    assert seen.text("#least-text") == f"0.00 ({total} of {total})" and shown.count() == total
    page.locator("#least").focus()
    for steps, least in ((10, 0.5), (4, 0.7)):
        for _ in range(steps):
            page.keyboard.press("ArrowRight")
        left = {
            e for e, (ends, _) in enumerate(numbered(result)) if result.confidence.of(*ends).adjacent >= least - 1e-9
        }
        assert 0 < len(left) < total
        assert {int(e) for e in shown.evaluate_all("all => all.map(e => e.dataset.edge)")} == left
        assert seen.text("#least-text") == f"{least:.2f} ({len(left)} of {total})"
        assert page.locator("#least").get_attribute("aria-valuetext") == seen.text("#least-text")
    # The other filter is heeded as well, and a change of the picture keeps both.
    page.locator("#weak").evaluate("slider => { slider.value = 30; slider.dispatchEvent(new Event('input')); }")
    assert shown.count() < len(left) and f"({shown.count()} of {total})" in seen.text("#least-text")
    both = shown.count()
    page.locator('[data-cluster="1"] > .row').click()
    page.locator("#back").click()
    assert shown.count() == both
    page.locator("#least").focus()
    page.keyboard.press("Home")
    page.locator("#weak").focus()
    page.keyboard.press("Home")
    assert shown.count() == total


def test_without_probabilities_nothing_speaks_of_them(opened):
    seen = opened(alarm().to_html())
    assert seen.page.locator("#least-field").is_hidden() and seen.page.locator("#nearly").is_hidden()
    assert seen.page.locator("#believe table, .probabilities").count() == 0
    assert "unsure" not in seen.text("#legend")
    assert "Confidence" not in seen.text("#edge-table thead")
    assert seen.page.locator("#scene .edge.rated").count() == 0


def test_what_the_data_chose_is_a_curve_and_a_table(opened):
    tried = [[0.001, -2.0], [0.01, -1.0], [0.1, -1.5]]
    made = {"by": "held-out log-likelihood", "chosen": 0.01, "tried": tried}
    result = dataclasses.replace(alarm(), parameters={**alarm().parameters, "alpha_choice": made})
    seen = opened(result.to_html())
    circles = seen.page.locator("#choice circle").evaluate_all(
        "all => all.map(c => [Number(c.getAttribute('cy')), c.classList.contains('chosen')])"
    )
    (low, _), (high, taken), (middle, _) = circles
    # The axis of a screen goes down.
    assert low > middle > high and [each for _, each in circles] == [False, True, False] and taken
    assert middle == pytest.approx((low + high) / 2, abs=0.1)
    assert "0.01\t-1.000\tchosen" in seen.text("#choice table") and "alpha = 0.01" in seen.text("#choice")
    assert opened(alarm().to_html()).page.locator("#choice").is_hidden()


def test_the_first_screen_says_how_much_to_believe(opened):
    """Figures, advice and the first warnings, without scrolling; further warnings are folded, and counted."""
    sentences = [f"column {i} is odd" for i in range(5)]
    check = {"lines": [{"level": "warning", "text": text} for text in sentences]}
    result = rated_alarm()
    seen = opened(result.to_html(data_check=check), viewport={"width": 1280, "height": 800})
    rows = seen.page.locator("#believe tbody tr").evaluate_all(
        "all => all.map(r => [...r.cells].map(c => c.textContent))"
    )
    adjacent = [result.confidence.of(*ends).adjacent for ends, _ in numbered(result)]
    sure, likely = (sum(p >= least - 1e-9 for p in adjacent) for least in (0.9, 0.5))
    assert rows[0] == ["Edges", str(sure), str(likely - sure), str(len(adjacent) - likely)]
    assert rows[1][0] == "Arrowheads" and sum(map(int, rows[1][1:])) == len(result.graph.directed_edges())
    assert "100 resamples" in seen.text("#believe")
    visible = seen.page.locator("#believe li.warning:visible")
    assert [text.split("\n")[-1].lower() for text in visible.all_inner_texts()] == sentences[:2]
    assert seen.text("#believe summary") == "3 more warnings"
    box = seen.page.locator("#believe").bounding_box()
    assert box["y"] + box["height"] < 400
    seen.page.locator("#believe summary").focus()
    seen.page.keyboard.press("Enter")
    assert visible.count() == 5
    assert "No warning" not in seen.text("main")
    seen.page.keyboard.press("Enter")
    seen.page.emulate_media(media="print")
    eventually(lambda: visible.count() == 5)
    seen.page.emulate_media(media="screen")
    assert seen.page.locator("#check").is_hidden()


def test_without_warnings_one_line_says_so(opened):
    seen = opened(alarm().to_html())
    assert seen.text("#believe").split("\n")[-1] == "No warning about the data."


def test_without_resamples_nothing_is_said_to_be_sure(opened):
    unknown = "No resamples were drawn, so the probability of each edge is unknown."
    remedy = "Learn with --bootstrap 100 (bootstrap=100) to estimate it."
    assert f"{unknown} {remedy}" in opened(alarm().to_html()).text("#believe")
    assert unknown not in opened(rated_alarm().to_html()).text("#believe")
    known = opened(dataclasses.replace(alarm(), parameters={}).to_html()).text("#believe")
    assert unknown in known and remedy not in known


def test_rows_that_depend_on_each_other_do_not_say_that_the_graph_fits():
    walks = quietly(np.cumsum(np.random.default_rng(0).normal(size=(300, 4)), axis=0))
    assert fit_line(walks) == "" != fit_line(dataclasses.replace(walks, findings=()))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_screen_says_whether_the_graph_fits(opened, width):
    result = rated_alarm()
    check = {
        "lines": [{"level": "warning", "text": "column 'x' is odd " * 20}] * 1 + [{"level": "warning", "text": "b"}]
    }
    fit = dataclasses.replace(result.fit, remaining=((0, 5, 4.0, 0.001, 0.01),))
    page = opened(
        dataclasses.replace(result, fit=fit).to_html(data_check=check), viewport={"width": width, "height": 800}
    ).page
    said = page.locator("#believe .said > p")
    better = "The graph predicts new rows better than one without edges and one with all edges."
    assert said.inner_text().endswith(f"{better} 1 pair without an edge is still dependent.")
    box, stage = said.bounding_box(), page.locator("#stage").bounding_box()
    assert box["y"] > 0 and box["y"] + box["height"] < 400
    # Warnings are counted at least, and the picture begins on the same screen.
    assert page.locator("#believe .warnings").is_visible() and stage["y"] + 300 < 800


def test_the_probabilities_of_a_pair(opened):
    """Of an edge in both orders of asking, of a pair that nearly is one, and none where nothing is known."""
    result = rated_alarm()
    seen = opened(result.to_html())
    ((i, j), _) = next(edge for edge in numbered(result) if edge[1])
    near = seen.page.locator("#nearly li button")
    assert near.count() == 2
    for a, b in ((i, j), (j, i)):
        seen.page.locator("#graph").dispatch_event("click")
        seen.page.locator(f'[data-node="{a}"]').dispatch_event("click")
        seen.page.locator(f'[data-node="{b}"]').dispatch_event("click")
        own = result.confidence.of(i, j)
        listed = seen.page.locator(".shares li").all_inner_texts()
        source, target = result.names[i], result.names[j]
        assert listed == [
            f"'{source}' → '{target}' {own.forward:.2f}",
            f"'{source}' ← '{target}' {own.backward:.2f}",
            f"undirected {own.undirected:.2f}",
            f"no edge {own.none:.2f}",
        ]
        assert f"probability of an edge is {100 * own.adjacent:.3g} %" in seen.sentence()
        parts = seen.page.locator(".probabilities .bar span").evaluate_all(
            "all => all.map(e => e.getBoundingClientRect().width / e.parentNode.getBoundingClientRect().width)"
        )
        assert parts == pytest.approx(own, abs=0.01)
    near.first.click()
    assert "0.62" in seen.text(".probabilities") and seen.text("#answer .kind") == "no edge"
    known = {tuple(pair) for pair in result.confidence.pairs.tolist()}
    a, b = next(pair for pair in combinations(range(37), 2) if pair not in known)
    seen.page.locator("#graph").dispatch_event("click")
    for v in (a, b):
        seen.page.locator(f'[data-node="{v}"]').dispatch_event("click")
    assert seen.page.locator(".probabilities").count() == 0
    assert seen.sentence().endswith("They are adjacent in none of 100 resamples of the rows.")


def test_the_table_is_sorted_by_confidence_and_direction(opened):
    result = rated_alarm()
    seen = opened(result.to_html())
    cells = "#edge-table tbody tr td:nth-child({})"
    column = {"Confidence": 5, "Direction": 6}
    for title, first in (("Confidence", "descending"), ("Direction", "descending")):
        header = seen.page.locator("#edge-table th").nth(column[title] - 1)
        if header.get_attribute("aria-sort") is None:
            header.locator("button").click()
        for order in (first, "ascending"):
            assert header.get_attribute("aria-sort") == order
            values = [float(text) for text in seen.page.locator(cells.format(column[title])).all_inner_texts()]
            assert values == sorted(values, reverse=order == "descending") and len(set(values)) > 5
            header.locator("button").click()
    row = seen.page.locator("#edge-table tbody tr").first
    (i, j), directed = numbered(result)[int(row.get_attribute("data-edge"))]
    own = result.confidence.of(i, j)
    shown = row.locator("td.number").all_inner_texts()
    assert shown[1:] == [f"{own.adjacent:.2f}", f"{own.forward if directed else own.undirected:.2f}"]
