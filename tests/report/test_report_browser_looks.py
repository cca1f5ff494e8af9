"""How the report looks in a real browser: colours, arrowheads, on paper and in narrow windows."""

from __future__ import annotations

import re
from datetime import date

import pytest
from report_browser import choose, eventually, number
from report_cases import HOSTILE, alarm, hostile, large, large_html, numbered, rated, rated_alarm

from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)


def test_the_focus_is_seen(opened):
    page = opened(alarm().to_html()).page
    for selector in ("#search", "#fit", "#theme", "#edge-table button >> nth=0"):
        page.keyboard.press("Tab")
        page.locator(selector).focus()
        style = page.locator(selector).evaluate(
            "e => getComputedStyle(e).outlineStyle + getComputedStyle(e).outlineWidth"
        )
        assert re.match(r"(solid|auto)[2-9]", style), (selector, style)


def luminance(colour):
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


#: Colours as a canvas paints them, so that any way of writing a colour counts.
COLOURS = """(selector) => {
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  const painted = (colour) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data; return [r / 255, g / 255, b / 255, a / 255]; };
  return [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length).map((e) => {
    const own = getComputedStyle(e);
    let under = e;
    const box = e.parentNode.querySelector("rect");
    if (e instanceof SVGElement) return [painted(own.fill), painted(getComputedStyle(box).fill)];
    while (under && painted(getComputedStyle(under).backgroundColor)[3] < 1) under = under.parentElement;
    return [painted(own.color), painted(getComputedStyle(under).backgroundColor)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(opened, scheme):
    """WCAG 2 AA: 4.5 to 1 for all text."""
    lines = [{"level": level, "text": f"{level} {i}"} for level in ("warning", "note") for i in range(4)]
    seen = opened(rated_alarm().to_html(data_check={"title": "Check", "lines": lines}), color_scheme=scheme)
    choose(seen, 0)
    for selector in (
        "p",
        "dt",
        "dd",
        "td",
        "th",
        "h1, h2, h3, h4",
        "button",
        "label",
        ".size",
        ".amount",
        ".mark",
        "#believe li, #believe strong, summary",
        "output",
        ".node text",
        "#legend > span",
        "input",
        ".bar-count",
    ):
        found = seen.page.evaluate(COLOURS, selector)
        assert found, selector
        for text, ground in found:
            low, high = sorted((luminance(text), luminance(ground)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (selector, text, ground)


def test_dark_and_light(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened(alarm().to_html(), color_scheme="light").page
    dark = opened(alarm().to_html(), color_scheme="dark").page
    assert light.evaluate(ground) != dark.evaluate(ground)
    light.click("#theme")
    assert light.evaluate(ground) == dark.evaluate(ground)
    assert light.locator("#theme").get_attribute("aria-label") == "Switch to light colours"
    light.click("#theme")
    assert light.evaluate(ground) != dark.evaluate(ground)


def test_arrows_have_heads_that_end_at_their_boxes(opened):
    """In the pictures that come with the page and in a close-up, whose lines have other forms."""
    result = alarm()
    seen = opened(result.to_html())
    choose(seen, number(result, "INTUBATION"))
    for _ in range(2):
        for e in range(len(numbered(result))):
            edge = seen.page.locator(f'#scene .edge[data-edge="{e}"]')
            if not edge.count():
                continue
            (_, target), directed = numbered(result)[e]
            assert edge.locator(".head").count() == directed
            if directed:
                tip, box = edge.locator(".head").evaluate(
                    """(head, v) => { const at = new DOMPoint(0, 0).matrixTransform(head.getScreenCTM());
                    const back = new DOMPoint(-6, 0).matrixTransform(head.getScreenCTM());
                    const box = document.querySelector(`#scene [data-node="${v}"] rect`).getBoundingClientRect();
                    const outside = (p) => Math.max(box.left - p.x, p.x - box.right, box.top - p.y, p.y - box.bottom);
                    return [outside(at), outside(back)]; }""",
                    target,
                )
                assert abs(tip) < 1.5 < box
        close_up = seen.page.get_by_role("button", name="Show only its neighbours")
        if close_up.count():
            close_up.click()


def test_it_prints(opened):
    result = alarm()
    seen = opened(result.to_html())
    assert seen.page.pdf().startswith(b"%PDF")
    seen.page.emulate_media(media="print")
    text = seen.text("#explanations")
    assert f"report-0.html, {date.today().isoformat()}" in seen.text(".top")
    assert all(result.explain(s, t) in text for s, t, _ in result.edges())
    assert seen.page.locator("#why").is_hidden() and seen.page.locator("#graph").is_visible()
    box, sheet = seen.page.locator("#graph").bounding_box(), seen.page.locator("main").bounding_box()
    nodes = [node.bounding_box() for node in seen.page.locator("#scene .node").all()]
    assert all(box["x"] <= n["x"] and n["x"] + n["width"] <= box["x"] + box["width"] for n in nodes)
    assert box["width"] <= sheet["width"]
    seen.page.emulate_media(media="screen")
    seen.page.wait_for_selector("#graph:not([viewBox])")


def test_a_large_picture_is_printed_on_several_sheets(opened):
    """Every name is whole on one of them, in letters of 6 points, and each has a page."""
    result = large()
    page = opened(result.to_html()).page
    assert page.locator("#sheets svg").count() == 0
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 980})
    sheets = page.locator("#sheets svg")
    eventually(lambda: sheets.count() > 1)
    assert f"on {sheets.count()} sheets" in page.locator("#sheets").inner_text()
    letters = """svg => { const [left, top, wide, tall] = svg.getAttribute("viewBox").split(" ").map(Number);
      const paper = svg.getBoundingClientRect();
      const whole = [...document.querySelectorAll("#scene .node")].filter((node) => {
        const [x, y] = node.getAttribute("transform").match(/-?[0-9.]+/g).map(Number);
        const box = node.querySelector("rect");
        const [half, high] = ["width", "height"].map((side) => Number(box.getAttribute(side)) / 2);
        return x - half >= left && x + half <= left + wide && y - high >= top && y + high <= top + tall;
      }).map((node) => Number(node.dataset.node));
      return [13 * paper.width / wide, paper.height, whole]; }"""
    found = [sheet.evaluate(letters) for sheet in sheets.all()]
    assert all(size >= 8 - 0.02 and high <= 980 for size, high, _ in found)
    assert {v for _, _, whole in found for v in whole} == set(range(len(result.names)))
    # The copies are drawn: a box of the first sheet has its colour.
    assert page.locator("#sheets use").first.evaluate("use => use.getBBox().width") > 500
    page.emulate_media(media="screen")
    eventually(lambda: sheets.count() == 0)
    small = opened(alarm().to_html()).page
    small.emulate_media(media="print")
    eventually(lambda: small.locator("#graph[viewBox]").count() == 1)
    assert small.locator("#sheets svg").count() == 0


def test_narrow_windows_do_not_scroll_sideways(opened):
    for width in (800, 390):
        result = rated(hostile(), [0.5] * hostile().skeleton.n_edges, unjoined=[(0, 1, 0.4)])
        check = {"lines": [{"level": "warning", "text": f"column {'x' * 300} is odd"}] * 5}
        page = opened(result.to_html(data_check=check), viewport={"width": width, "height": 900}).page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#scene .node:visible").count() == len(HOSTILE)


def test_the_page_ends_where_its_content_ends(opened):
    """Rows that are scrolled out of the table, with what only screen readers get, must not make the page longer."""
    page = opened(large_html()).page
    foot = page.locator("main").evaluate("main => main.getBoundingClientRect().bottom + window.scrollY")
    assert page.evaluate("document.documentElement.scrollHeight") <= foot + 2
