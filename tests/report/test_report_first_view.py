"""What a reader sees first, measured in a real browser: letters, labels, the legend, one line of figures, a phone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from report_cases import alarm, dense, hostile, large, quietly, rated, rated_alarm

from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)

DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
RESULTS = {
    "alarm": rated_alarm,
    "dense": dense,
    "hostile": lambda: rated(hostile(), [0.5] * hostile().skeleton.n_edges),
    "wide letters": lambda: quietly(np.random.default_rng(1).normal(size=(60, 2)), names=["W" * 18, "\u2014" * 17]),
    "200": lambda: large(200),
    "500": lambda: large(500),
}

#: What is on the canvas: for each variable its box, its lines of text with the size of their letters, and the canvas.
SEEN = """() => {
  const of = (e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const canvas = of(document.querySelector("#canvas"));
  const inside = ([l, t, r, b]) => r > canvas[0] && l < canvas[2] && b > canvas[1] && t < canvas[3];
  const nodes = [...document.querySelectorAll("#scene .node:not(.gone)")].map((node) => ({
    v: Number(node.dataset.node),
    box: of(node.querySelector("rect")),
    lines: [...node.querySelectorAll("text")].filter((t) => getComputedStyle(t).display !== "none").map((t) => ({
      box: of(t), letters: parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a, text: t.textContent })),
  })).filter((node) => inside(node.box));
  const [legend, crumbs] = ["#legend", "#crumbs"].map((id) => of(document.querySelector(id)));
  return { canvas, nodes, legend, crumbs };
}"""


def overlap(one, other, slack=0.5):
    return all(one[i] < other[i + 2] - slack and other[i] < one[i + 2] - slack for i in (0, 1))


def within(one, other, slack=0.5):
    return all(one[i] >= other[i] - slack and one[i + 2] <= other[i + 2] + slack for i in (0, 1))


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", RESULTS)
def test_names_can_be_read_and_none_is_over_another(opened, name, device):
    result = RESULTS[name]()
    page = opened(result.to_html(), **device).page
    seen = page.evaluate(SEEN)
    least = 6 if device is PHONE else 15
    assert len(seen["nodes"]) >= min(least, len(result.names))
    for node in seen["nodes"]:
        assert node["lines"], "no name is left out"
        for line in node["lines"]:
            assert line["letters"] >= 11 - 1e-6
            assert within(line["box"], node["box"], 2.0), line
    for one, other in combinations(seen["nodes"], 2):
        assert not overlap(one["box"], other["box"])
        assert not any(overlap(a["box"], b["box"]) for a in one["lines"] for b in other["lines"])
    for beside in ("legend", "crumbs"):
        assert not overlap(seen[beside], seen["canvas"])
    assert page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]


def test_a_deep_graph_of_a_few_variables_is_seen_whole(opened):
    """Eleven variables in nine rows, as Sachs's proteins, with two long warnings: its rows come closer."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(500, 11))
    for i in range(3, 11):
        data[:, i] += data[:, [i - 1, i - 2, (7 * i) % (i - 1)]].sum(axis=1) * 0.6
    check = {"lines": [{"level": "warning", "text": f"{'a long sentence ' * 24}{i}"} for i in (1, 2)]}
    result = rated(chain := quietly(data), [0.95] * chain.skeleton.n_edges)
    seen = opened(result.to_html(data_check=check), **DESK).page.evaluate(SEEN)
    assert len({round(node["box"][1]) for node in seen["nodes"]}) >= 9
    assert len(seen["nodes"]) == 11 and all(within(node["box"], seen["canvas"]) for node in seen["nodes"])


def test_alarm_is_seen_whole_and_fills_the_canvas(opened):
    page = opened(rated_alarm().to_html(), **DESK).page
    seen = page.evaluate(SEEN)
    assert len(seen["nodes"]) == 37 and all(within(node["box"], seen["canvas"]) for node in seen["nodes"])
    left, top, right, bottom = seen["canvas"]
    assert bottom <= 800 and (right - left) * (bottom - top) > 0.45 * 1280 * 800
    used = [min(n["box"][0] for n in seen["nodes"]), min(n["box"][1] for n in seen["nodes"]),
            max(n["box"][2] for n in seen["nodes"]), max(n["box"][3] for n in seen["nodes"])]  # fmt: skip
    assert (used[2] - used[0]) * (used[3] - used[1]) > 0.85 * (right - left) * (bottom - top)
    assert page.locator("#overview").is_hidden()


@pytest.mark.parametrize("width", [1600, 1280, 800, 390])
def test_the_headline_takes_one_line(opened, width):
    page = opened(rated_alarm().to_html(), viewport={"width": width, "height": 800}).page
    tops, cut, title = page.locator("#headline").evaluate(
        """line => [[...line.children].filter(e => e.offsetParent).map(e => e.getBoundingClientRect().bottom),
          line.scrollWidth > line.clientWidth, line.title]"""
    )
    assert len(tops) >= 2 and max(tops) - min(tops) < 1 and not cut
    assert "37 variables" in title and "44 edges (40 directed, 4 undirected)" in title
    page.emulate_media(media="print")
    assert "G test" in page.locator("#headline").inner_text()


@pytest.mark.parametrize("name", ["alarm", "dense"])
def test_on_a_phone_the_answer_comes_into_view(opened, name):
    seen = opened(RESULTS[name]().to_html(), **PHONE)
    page = seen.page
    at = page.evaluate(
        """() => { const canvas = document.querySelector("#canvas").getBoundingClientRect();
        for (const edge of document.querySelectorAll("#scene .edge:not(.gone)")) {
          const line = edge.querySelector(".line");
          const p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
          const hit = document.elementFromPoint(p.x, p.y);
          if (p.x > canvas.left && p.x < canvas.right && hit && hit.closest("[data-edge]") === edge) return [p.x, p.y];
        } }"""
    )
    page.touchscreen.tap(*at)
    page.wait_for_selector("#answer .sentence")
    heading, sentence = (page.locator(f"#answer {part}").bounding_box() for part in ("h3", ".sentence"))
    assert heading["y"] >= 0 and heading["y"] + heading["height"] <= 844
    assert sentence["y"] + min(sentence["height"], 140) <= 844
    found = page.evaluate(SEEN)
    chosen = page.locator("#scene .node.chosen").evaluate_all("all => all.map(n => Number(n.dataset.node))")
    assert len(chosen) == 2
    for node in found["nodes"]:
        if node["v"] in chosen:
            assert within(node["box"], found["canvas"])
    # One column: the answer is below the picture and as wide as the page.
    stage, why = (page.locator(part).bounding_box() for part in ("#stage", "#why"))
    assert why["y"] >= stage["y"] + stage["height"] - 1 and abs(why["width"] - stage["width"]) < 2


def test_from_afar_names_are_written_beside_each_other(opened):
    """Zoomed out, the boxes have no names; those of a chosen variable and its neighbours are whole and apart."""
    result = large(200)
    page = opened(result.to_html(), **PHONE).page
    page.locator("#fit").click()
    hub = max(range(200), key=lambda v: len(result.graph.neighbors(v)))
    page.locator(f'[data-node="{hub}"]').dispatch_event("click")
    page.evaluate("document.querySelector('#fit').click()")
    boxes = page.locator("#far-names text").evaluate_all(
        "all => all.map(t => { const b = t.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"
    )
    canvas = page.evaluate(SEEN)["canvas"]
    assert len(boxes) >= 2
    assert page.locator("#far-names text").first.text_content() == result.names[hub]
    for i, box in enumerate(boxes):
        assert canvas[0] - 1 <= box[0] and box[2] <= canvas[2] + 1
        assert not any(overlap(box, other, 1.5) for other in boxes[i + 1 :])


def test_the_map_shows_where_one_is_and_leads_elsewhere(opened):
    page = opened(large(200).to_html(), **DESK).page
    assert page.locator("#overview").is_visible()
    window = "(r => [r.x.baseVal.value, r.y.baseVal.value])(document.querySelector('.map-window'))"
    box = page.locator("#overview").bounding_box()
    moved = []
    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    for part in (0.2, 0.8):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + part * box["height"])
        moved.append(page.evaluate(window))
    page.mouse.up()
    assert moved[0][0] < moved[1][0] and moved[0][1] < moved[1][1]
    before = page.evaluate(window)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    assert page.evaluate(window) == before
    page.click("#fit")
    assert page.locator("#overview").is_hidden()


#: How many boxes the map clearly covers where it is, and would cover or touch in each corner.
COVERED = """() => {
  const of = (e) => e.getBoundingClientRect();
  const [canvas, map] = [of(document.querySelector("#canvas")), of(document.querySelector("#overview"))];
  const boxes = [...document.querySelectorAll("#scene .node:not(.gone) rect")].map(of);
  const under = (l, t, slack = -1) => boxes.filter((b) => b.right > l + slack && b.left < l + map.width - slack
    && b.bottom > t + slack && b.top < t + map.height - slack).length;
  const [left, right] = [canvas.left + 8, canvas.right - 8 - map.width];
  const [top, bottom] = [canvas.top + 8, canvas.bottom - 8 - map.height];
  const corners = [under(left, top), under(right, top), under(left, bottom), under(right, bottom)];
  return [under(map.left, map.top, 2), corners];
}"""


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["200", "500"])
def test_the_map_covers_as_few_variables_as_it_can(opened, name, device):
    page = opened(RESULTS[name]().to_html(), **device).page
    here, corners = page.evaluate(COVERED)
    assert here <= min(corners)
    # It follows when the picture was moved, and stays while somebody drags in it.
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown"):
        page.locator("#graph").press(key)
        page.wait_for_timeout(300)
        page.wait_for_function(
            f"() => {{ const [here, corners] = ({COVERED})(); return here <= Math.min(...corners); }}", timeout=10_000
        )


#: The names on the canvas that the map is over.
UNDER_THE_MAP = """() => {
  const map = document.querySelector("#overview");
  const names = [...document.querySelectorAll("#scene .node:not(.gone) text")];
  return names.filter((text) => {
    const b = text.getBoundingClientRect();
    const places = [b.left + 1, (b.left + b.right) / 2, b.right - 1];
    return places.some((x) => map.contains(document.elementFromPoint(x, (b.top + b.bottom) / 2)));
  }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_map_is_over_no_name(opened, device):
    """Where it has no free corner, as in the block of lonely variables, boxes are cut out of it, and can be clicked."""
    page = opened(large(500).to_html(), **device).page
    map_ = page.locator("#overview")
    assert page.evaluate(UNDER_THE_MAP) == []
    box = map_.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 0.8 * box["height"])
    for _ in range(4):
        page.locator("#graph").press("Shift+ArrowLeft")
        page.wait_for_timeout(300)
        assert page.evaluate(UNDER_THE_MAP) == []
        assert map_.evaluate("map => map.style.clipPath").startswith("path(")


@pytest.mark.parametrize("name", ["dense", "200"])
def test_many_edges_begin_with_the_strongest(opened, name):
    result = RESULTS[name]()
    seen = opened(result.to_html(), **DESK)
    page, total = seen.page, result.skeleton.n_edges
    shown = page.locator("#scene .edge:not(.gone)")
    first = {"dense": 60, "200": 120}[name]
    assert shown.count() == first < total
    assert seen.text("#drawn-text") == f"The {first} strongest of {total} edges are drawn."
    assert f"the {first} strongest" in seen.text("#weak-text")
    counts = [int(text.split(": ")[1]) for text in page.locator("#legend [data-count]").evaluate_all(
        "all => all.filter(e => e.dataset.count).map(e => e.textContent)")]  # fmt: skip
    assert sum(counts) == first
    # What is asked about is drawn though it is weak, with the marks of its type.
    weakest = int(result.strength.argmin())
    i, j = (int(v) for v in result.skeleton.edges[weakest])
    for place, v in (("#first", i), ("#second", j)):
        page.fill(place, result.names[v])
        page.keyboard.press("Enter")
    assert page.locator("#scene .edge.chosen:not(.gone)").count() == 1 and shown.count() == first + 1
    page.keyboard.press("Escape")
    page.locator("#graph").dispatch_event("click")
    assert shown.count() == first
    page.click("#draw-all")
    assert shown.count() == total and page.locator("#drawn-note").is_hidden()
    assert sum(int(t.split(": ")[1]) for t in page.locator("#legend [data-count]").evaluate_all(
        "all => all.filter(e => e.dataset.count).map(e => e.textContent)")) == total  # fmt: skip


def test_under_the_mouse_the_rest_fades(opened):
    result = alarm()
    page = opened(result.to_html(), **DESK).page
    v = result.names.index("INTUBATION")
    page.locator(f'[data-node="{v}"] rect').hover()
    lit = set(page.locator("#scene .node.near").evaluate_all("all => all.map(n => Number(n.dataset.node))"))
    assert lit == {v, *result.graph.neighbors(v)}
    assert page.locator("#scene .edge.near").count() == len(result.graph.neighbors(v))
    faded = page.locator("#scene .edge:not(.near)").first.evaluate("e => Number(getComputedStyle(e).opacity)")
    assert faded < 0.3
    page.mouse.move(5, 5)
    assert page.locator("#scene .near").count() == 0 and page.locator("#graph.asking").count() == 0
