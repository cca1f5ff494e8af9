"""The report in a real browser: what a reader sees, clicks and types, from a file without a network."""

from __future__ import annotations

import dataclasses
import os
import time
from itertools import combinations

import pytest
from report_browser import ASK_ALL, as_loaded, choose, eventually, number
from report_cases import HOSTILE, alarm, hostile, kinds, large, large_html, rated, rated_alarm

from hccd.result import HCCDResult
from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)


def test_it_opens_complete_and_alone(opened):
    result = alarm()
    seen = opened(result.to_html())
    assert seen.visible("#scene .node") == 37
    assert seen.page.locator("#scene .edge").count() == result.skeleton.n_edges
    assert seen.text("#headline").startswith("variables\n37\n")
    assert seen.page.title() == f"hccd report: 37 variables, {result.skeleton.n_edges} edges"
    assert len(seen.requests) == 1


@pytest.mark.parametrize("kind", ["gaussian", "pc", "constant", "chi2", "mi", "oracle", "two-variables"])
def test_every_pair_is_explained_as_the_library_does(opened, kind):
    result = kinds()[kind]
    said = opened(result.to_html()).page.evaluate(ASK_ALL)
    names, loaded = range(len(result.names)), as_loaded(result)
    assert len(said) == len(names) * (len(names) - 1) // 2
    for a, b in combinations(names, 2):
        explained = {loaded.explain(a, b), loaded.explain(b, a)}
        assert said[f"{a},{b}"] in explained


def test_a_graph_that_was_not_learned(opened):
    """A known graph has no tests: missing edges were never asked about, and the page says so."""
    data = kinds()["gaussian"].to_dict()
    data["ci_tests"] = {
        "total": 0,
        "by_order": [],
        "by_stage": {},
        "by_cluster": dict.fromkeys(data["ci_tests"]["by_cluster"], 0),
    }
    data.update(separations=[], marginal_p_values=None, colliders=[], conflicts=[], parameters={})
    known = HCCDResult.from_dict(data)
    seen = opened(known.to_html())
    a, b = next(pair for pair in combinations(range(known.graph.n), 2) if not known.skeleton.has_edge(*pair))
    choose(seen, a, b)
    assert seen.sentence() == known.explain(a, b)
    assert "No test was made" in seen.text("#tests")


def test_an_edge_is_clicked(opened):
    result = alarm()
    seen = opened(result.to_html())
    a, b = number(result, "HR"), number(result, "CO")
    edge = next(i for i, (s, t, _) in enumerate(result.edges()) if {s, t} == {"HR", "CO"})
    seen.page.locator(f'.edge[data-edge="{edge}"] .hit').dispatch_event("click")
    assert seen.text("#answer h3").split() == ["HR", "→", "CO"]
    assert seen.sentence() == result.explain(a, b)
    assert result.reasons[a, b] == "collider" and "common effect" in seen.text("#answer .facts")
    assert "G test, alpha 0.05" in seen.text("#answer .facts")
    assert seen.page.locator(".edge.chosen").count() == 1


def test_a_point_on_an_edge_can_be_hit(opened):
    """With the mouse, not by a made-up event: the middle of the line between two boxes."""
    result = alarm()
    seen = opened(result.to_html())
    at = seen.page.evaluate(
        """() => { const line = document.querySelector('.edge[data-edge="0"] .line');
        const p = line.getPointAtLength(line.getTotalLength() * 0.5).matrixTransform(line.getScreenCTM());
        return [p.x, p.y]; }"""
    )
    seen.page.mouse.click(*at)
    assert seen.sentence() == result.explain(*result.edges()[0][:2])


def test_a_missing_edge_with_its_separating_set(opened):
    result = alarm()
    seen = opened(result.to_html())
    removal = next(r for x, y in combinations(result.names, 2) if (r := result.removal(x, y)) and len(r.given) == 1)
    seen.page.fill("#first", removal.x)
    seen.page.keyboard.press("Enter")
    seen.page.fill("#second", removal.y)
    seen.page.keyboard.press("Enter")
    assert seen.sentence() == result.explain(removal.x, removal.y)
    facts = seen.text("#answer .facts")
    assert removal.given[0] in facts and f"{removal.p_value:.3g}" in facts and f"{removal.cluster} (" in facts
    ringed = seen.page.locator(".node.given").evaluate_all("nodes => nodes.map(n => n.dataset.node)")
    assert ringed == [str(number(result, removal.given[0]))]


def test_search_finds_and_centres(opened):
    result = alarm()
    seen = opened(result.to_html())
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("press")
    options = seen.page.locator("#search-list [role=option]").all_inner_texts()
    assert options == [name for name in result.names if "PRESS" in name]
    seen.page.keyboard.press("ArrowDown")
    assert seen.page.locator("#search").get_attribute("aria-activedescendant") == "search-list-0"
    seen.page.keyboard.press("Enter")
    assert seen.text("#answer h3") == "PRESS"
    box = seen.page.locator(f'[data-node="{number(result, "PRESS")}"]').bounding_box()
    canvas = seen.page.locator("#canvas").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - canvas["x"] - canvas["width"] / 2) < 3
    assert abs(box["y"] + box["height"] / 2 - canvas["y"] - canvas["height"] / 2) < 3
    seen.page.fill("#search", "no such thing")
    assert "no variable of this name" in seen.text("#search-list")


def test_a_cluster_and_back(opened):
    result = alarm()
    seen = opened(result.to_html())
    for item in seen.page.locator("#tree [data-cluster]").evaluate_all(
        "items => items.map(i => Number(i.dataset.cluster))"
    ):
        seen.page.locator(f'[data-cluster="{item}"] > .row').click()
        members = set(result.tree.layout().variables(item).tolist())
        shown = seen.page.locator("#scene .node:visible").evaluate_all(
            "nodes => nodes.map(n => Number(n.dataset.node))"
        )
        assert set(shown) == members
        inside = sum({a, b} <= members for a, b in result.skeleton.edges.tolist())
        assert seen.page.locator("#scene .edge:not(.gone)").count() == inside
        if item:
            assert f"Cluster {result.tree.path(item)}: {len(members)} variable" in seen.text("#crumb-text")
    seen.page.locator("#back").click()
    assert seen.visible("#scene .node") == 37


def test_a_close_up_of_one_variable(opened):
    result = alarm()
    seen = opened(result.to_html())
    v = number(result, "INTUBATION")
    choose(seen, v)
    seen.page.get_by_role("button", name="Show only its neighbours").click()
    near = {v, *result.graph.neighbors(v)}
    boxes = {
        int(n.get_attribute("data-node")): n.bounding_box() for n in seen.page.locator("#scene .node:visible").all()
    }
    assert set(boxes) == near
    inside = sum({a, b} <= near for a, b in result.skeleton.edges.tolist())
    assert seen.page.locator("#scene .edge:not(.gone)").count() == inside
    assert all(boxes[w]["y"] > boxes[v]["y"] for w in result.graph.children(v))
    assert all(boxes[w]["y"] < boxes[v]["y"] for w in result.graph.parents(v))
    assert f"'INTUBATION' and its {len(near) - 1} neighbours" in seen.text("#crumb-text")
    choose(seen, result.graph.children(v)[0])
    assert seen.sentence() == result.explain(v, result.graph.children(v)[0])
    seen.page.locator("#back").click()
    assert seen.visible("#scene .node") == 37


def test_names_and_labels_for_screen_readers(opened):
    """Every control has a name, every field a label, no two elements one id."""
    page = opened(rated_alarm().to_html()).page
    choose_first = page.locator('[data-node="0"]')
    choose_first.click()
    nameless = page.locator(
        "button, [role=button], [role=treeitem], [role=region], svg[role], nav, aside, section"
    ).evaluate_all(
        """all => all.filter(e => !(e.getAttribute("aria-label") || e.getAttribute("aria-labelledby")
          || (e.tagName === "BUTTON" && e.textContent.trim()))).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    unlabelled = page.locator("input").evaluate_all("all => all.filter(e => !e.labels.length).map(e => e.id)")
    assert unlabelled == []
    ids = page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    pointed = page.locator("[aria-labelledby], [aria-describedby], [aria-controls]").evaluate_all(
        """all => all.flatMap(e => ["aria-labelledby", "aria-describedby", "aria-controls"].map(a => e.getAttribute(a)))
          .filter(id => id !== null)"""
    )
    assert set(pointed) <= set(ids)


def test_weak_edges_and_lonely_variables_are_hidden(opened):
    result = alarm()
    seen = opened(result.to_html())
    seen.page.locator("#weak").evaluate("slider => { slider.value = 30; slider.dispatchEvent(new Event('input')); }")
    strongest = sorted(result.strength.tolist(), reverse=True)[: result.skeleton.n_edges - 30]
    assert seen.page.locator("#scene .edge:not(.gone)").count() == len(strongest)
    assert f"the {len(strongest)} strongest (from {strongest[-1]:.3g})" in seen.text("#weak-text")
    seen.page.check("#isolated")
    ends = {
        v
        for edge, s in zip(result.skeleton.edges.tolist(), result.strength.tolist(), strict=True)
        if s >= strongest[-1]
        for v in edge
    }
    assert seen.visible("#scene .node") == len(ends) < 37
    seen.page.uncheck("#isolated")
    assert seen.visible("#scene .node") == 37


def test_all_by_keyboard(opened):
    """No mouse: into the graph by Tab, along an edge by arrow keys, ask about two variables, choose a cluster."""
    result = alarm()
    seen = opened(result.to_html())
    page = seen.page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "graph":
            break
    else:
        raise AssertionError("the graph cannot be reached by Tab")
    page.keyboard.press("ArrowDown")
    first = int(page.evaluate("document.activeElement.dataset.node"))
    assert page.locator(f'[data-node="{first}"]').get_attribute("aria-label").startswith(result.names[first])
    page.keyboard.press("Enter")
    assert seen.text("#answer h3") == result.names[first]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    second = int(page.evaluate("document.activeElement.dataset.node"))
    assert second != first
    page.keyboard.press("Enter")
    assert seen.sentence() in {as_loaded(result).explain(first, second), as_loaded(result).explain(second, first)}
    page.keyboard.press("Escape")
    assert page.locator("#answer .sentence").count() == 0

    before = page.locator("#scene").get_attribute("transform")
    page.keyboard.press("+")
    zoomed = page.locator("#scene").get_attribute("transform")
    page.keyboard.press("Shift+ArrowRight")
    moved = page.locator("#scene").get_attribute("transform")
    page.keyboard.press("0")
    assert before != zoomed != moved != page.locator("#scene").get_attribute("transform")

    page.locator("#tree [data-cluster='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert "Cluster 0.0" in seen.text("#crumb-text")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#tree [data-cluster='1']").get_attribute("aria-expanded") == "false"


def test_zoom_by_wheel_buttons_and_fingers(opened):
    page = opened(alarm().to_html(), has_touch=True).page
    scale = "Number(document.querySelector('#scene').getAttribute('transform').match(/scale\\(([^)]+)/)[1])"
    fitted = page.evaluate(scale)
    box = page.locator("#canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    eventually(lambda: page.evaluate(scale) > fitted * 1.2)
    page.click("#fit")
    assert page.evaluate(scale) == pytest.approx(fitted)
    page.click("#zoom-out")
    assert page.evaluate(scale) < fitted
    page.click("#fit")
    page.evaluate(
        """([x, y]) => { const svg = document.querySelector("#graph");
        const send = (type, id, px) => svg.dispatchEvent(new PointerEvent(type,
          {pointerId: id, clientX: px, clientY: y, button: 0, bubbles: true, pointerType: "touch"}));
        svg.setPointerCapture = () => {};
        send("pointerdown", 1, x - 40); send("pointerdown", 2, x + 40);
        for (let d = 45; d <= 120; d += 5) { send("pointermove", 1, x - d); send("pointermove", 2, x + d); }
        send("pointerup", 1, x - 120); send("pointerup", 2, x + 120); }""",
        [x, y],
    )
    assert page.evaluate(scale) == pytest.approx(3 * fitted, rel=0.05)
    page.click("#fit")
    page.mouse.move(box["x"] + 10, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 110, box["y"] + 90, steps=5)
    page.mouse.up()
    assert page.locator("#answer .sentence").count() == 0


def test_hostile_names_are_shown_and_never_run(opened):
    result = rated(hostile(), [0.5] * hostile().skeleton.n_edges, unjoined=[(0, 1, 0.4)])
    assert not result.skeleton.has_edge(0, 1)
    check = {"title": "<b>title</b>", "lines": ["<script>alert(5)</script>"]}
    seen = opened(result.to_html(data_check=check))
    assert seen.page.locator("#scene .node title").all_text_contents() == list(HOSTILE)
    for v, name in enumerate(HOSTILE):
        seen.page.locator("#graph").dispatch_event("click")
        seen.page.locator(f'[data-node="{v}"]').dispatch_event("click")
        assert seen.page.locator("#answer h3").text_content() == name
    seen.page.fill("#search", "<img")
    seen.page.keyboard.press("Enter")
    assert seen.page.locator("#answer h3").text_content() == HOSTILE[0]
    assert seen.page.locator("#check h3").text_content() == "<b>title</b>"
    assert "<script>alert(5)</script>" in seen.text("#check")
    assert seen.page.locator("#nearly li button bdi").all_text_contents() == list(HOSTILE[:2])
    assert seen.page.locator("img, main script, b, iframe").count() == 0
    said = seen.page.evaluate(ASK_ALL)
    loaded = dataclasses.replace(as_loaded(result), confidence=result.confidence)
    assert all(said[f"{a},{b}"] in {loaded.explain(a, b), loaded.explain(b, a)} for a, b in combinations(range(16), 2))
    # Whoever does inject a script is stopped by the policy of the page.
    seen.page.evaluate(
        "() => { const script = document.createElement('script'); script.textContent = 'window.ran = 1';"
        " document.body.append(script); }"
    )
    assert seen.page.evaluate("window.ran") is None
    assert len(seen.troubles) == 1 and "Content Security Policy" in seen.troubles.pop()


@pytest.mark.parametrize(("n", "size", "limit"), [(300, 1_500_000, 2.0), (500, 3_500_000, 3.0)])
def test_large_graphs_are_usable_within_seconds(opened, n, size, limit):
    """From asking for the file to an answered question.

    Machines are shared: the best of a few counts, and on one with far more work than cores the time that the page
    itself computes.
    """
    html = large_html(n)
    assert len(html) < size
    taken, computed = [], []
    while not taken or (min(taken) >= limit and len(taken) < 6):
        seen = opened(html)
        seen.page.locator("#search").fill(large(n).names[7])
        seen.page.keyboard.press("Enter")
        assert seen.text("#answer h3") == large(n).names[7]
        taken.append(time.perf_counter() - seen.asked_for)
        computed.append(seen.cpu_seconds())
    assert seen.page.locator("#scene .node").count() == n
    assert min(computed) < limit, computed
    assert min(taken) < limit or os.getloadavg()[0] > 2 * os.cpu_count(), taken


def test_a_result_too_large_for_one_picture(opened, monkeypatch):
    for module, name, value in (
        ("pictures", "DRAWN", 40), ("pictures", "CLUSTER_DRAWN", 40), ("content", "DRAWN", 40),
        ("evidence", "P_VALUES", 40), ("evidence", "SEPARATIONS", 10), ("edges", "EXPLAINED", 5),
    ):  # fmt: skip
        monkeypatch.setattr(f"hccd.report.{module}.{name}", value)
    result = large(120)
    seen = opened(result.to_html())
    assert seen.text("#left-out").count("leaves out") >= 2
    assert 0 < seen.visible("#scene .node") <= 40
    target = result.names[result.skeleton.edges[0][0]]
    seen.page.locator("#search").fill(target)
    seen.page.keyboard.press("Enter")
    assert seen.text("#answer h3") == target
    assert seen.page.locator(".node.chosen").count() == 1
    weakest = int(result.strength.argmin())
    x, y = (result.names[v] for v in result.skeleton.edges[weakest])
    for place, name in (("#first", x), ("#second", y)):
        seen.page.fill(place, name)
        seen.page.keyboard.press("Enter")
    assert "are adjacent." in seen.sentence() and "not in this page" in seen.sentence()
    apart = next(b for b in range(1, 120) if not result.skeleton.has_edge(0, b))
    for place, v in (("#first", 0), ("#second", apart)):
        seen.page.fill(place, result.names[v])
        seen.page.keyboard.press("Enter")
    assert "not adjacent" in seen.sentence() and "not in this page" in seen.sentence()


def test_the_table_is_sorted_and_filtered(opened):
    result = alarm()
    seen = opened(result.to_html())
    cells = "#edge-table tbody tr td:nth-child({})"
    strengths = [float(t) for t in seen.page.locator(cells.format(4)).all_inner_texts()]
    assert strengths == sorted(strengths, reverse=True) and len(strengths) == result.skeleton.n_edges
    assert seen.page.locator("#edge-table th").nth(3).get_attribute("aria-sort") == "descending"
    seen.page.get_by_role("button", name="From").click()
    names = seen.page.locator(cells.format(1)).all_inner_texts()
    assert names == sorted(names)
    assert seen.page.locator("#edge-table th").first.get_attribute("aria-sort") == "ascending"
    seen.page.fill("#filter", "hr")
    rows = seen.page.locator("#edge-table tbody tr").all_inner_texts()
    assert len(rows) == sum("HR" in s or "HR" in t for s, t, _ in result.edges()) > 0
    seen.page.locator("#edge-table tbody button").first.click()
    edge = int(seen.page.locator("#edge-table tbody tr").first.get_attribute("data-edge"))
    assert seen.sentence() == result.explain(*result.edges()[edge][:2])


def test_tests_and_conflicts_are_listed(opened):
    result = alarm()
    seen = opened(result.to_html())
    table = [
        [cell.replace(",", "") for cell in row.split("\t")]
        for row in seen.page.locator("#tests tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent).join('\\t'))"
        )
    ]
    assert [int(row[-1]) for row in table] == list(result.tests.by_order)
    for stage, counts in enumerate(result.tests.by_stage.values()):
        assert [int(row[1 + stage] or 0) for row in table][: len(counts)] == list(counts)
    assert seen.page.locator("#conflicts li").count() == len(result.conflicts) > 0
    assert "conflict" not in seen.text("#headline") + seen.text("#legend") + seen.text("#edge-table")
    for row, conflict in enumerate(result.conflicts):
        text = seen.page.locator("#conflicts li").nth(row).inner_text()
        assert conflict.reason in text and result.names[conflict.z] in text
    assert f"{result.seconds['total']:.2f}"[:3] in seen.text("#story table")
