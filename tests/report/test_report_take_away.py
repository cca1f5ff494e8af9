"""What a reader takes away: a link to an edge, the picture as SVG and PNG; and that it looks as other pictures do."""

from __future__ import annotations

import re
from datetime import date
from itertools import combinations
from pathlib import Path
from urllib.parse import quote, unquote
from xml.etree import ElementTree

import numpy as np
import pytest
from report_cases import HOSTILE, alarm, all_types, hostile, large, rated_alarm

import hccd
from hccd.drawing.palette import ON_DARK, cluster_colours
from hccd.drawing.plot import result_scene
from hccd.graphs.marks import EdgeType
from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)

SVG = "{http://www.w3.org/2000/svg}"


def fragment(seen):
    return seen.page.evaluate("window.location.hash")


def test_a_link_opens_the_page_at_an_edge(opened):
    result = alarm()
    seen = opened(result.to_html(), "#edge=HR,CO")
    assert seen.sentence() == result.explain("HR", "CO")
    assert seen.page.locator("#scene .edge.chosen").count() == 1
    canvas = seen.page.locator("#canvas").bounding_box()
    for name in ("HR", "CO"):
        box = seen.page.locator(f'[data-node="{result.names.index(name)}"] rect').bounding_box()
        assert canvas["x"] <= box["x"] and box["x"] + box["width"] <= canvas["x"] + canvas["width"]
        assert canvas["y"] <= box["y"] and box["y"] + box["height"] <= canvas["y"] + canvas["height"]
    # Another address, typed into the same page.
    seen.page.evaluate("window.location.hash = '#variable=TPR'")
    seen.page.wait_for_function("document.querySelector('#answer h3').textContent === 'TPR'", polling=50)
    # A link into a part of the picture that is not seen at first, and to an edge that is not drawn at first.
    weak = large(200)
    i, j = (weak.names[v] for v in weak.skeleton.edges[int(weak.strength.argmin())])
    seen = opened(weak.to_html(), f"#edge={i},{j}")
    assert seen.sentence() in {weak.explain(i, j), weak.explain(j, i)}
    assert seen.page.locator("#scene .edge.chosen:not(.gone)").count() == 1


def test_the_address_follows_what_is_chosen(opened):
    result = alarm()
    seen = opened(result.to_html())
    assert fragment(seen) == ""
    seen.page.locator(f'[data-node="{result.names.index("HR")}"]').click()
    assert fragment(seen) == "#variable=HR"
    edge = next(e for e, (s, t, _) in enumerate(result.edges()) if {s, t} == {"HR", "CO"})
    seen.page.locator(f'.edge[data-edge="{edge}"] .hit').dispatch_event("click")
    assert fragment(seen) == "#edge=HR,CO"
    seen.page.keyboard.press("Escape")
    assert fragment(seen) == ""


def test_a_link_to_nothing_opens_the_page_as_it_is(opened):
    html = alarm().to_html()
    for odd in (
        "#edge=HR,NOBODY",
        "#edge=HR",
        "#edge=HR,HR",
        "#edge=%E0%A4%A,CO",
        "#edge=A,B,C",
        "#edges",
        "#variable=",
    ):
        seen = opened(html, odd)
        assert seen.page.locator("#answer .sentence").count() == 0, odd
    assert opened(html, "#edge=HR").text("#answer h3") == "HR"


def test_links_take_any_name(opened):
    html = hostile().to_html()
    seen = opened(html)
    for a, b in [(0, 1), (6, 7), (8, 15), (14, 11), (4, 10)]:
        seen.page.locator("#graph").dispatch_event("click")
        for v in (a, b):
            seen.page.locator(f'[data-node="{v}"]').dispatch_event("click")
        address = fragment(seen)
        assert [unquote(part) for part in address.removeprefix("#edge=").split(",")] == [
            HOSTILE[v].replace("\ud800", "\ufffd") for v in (a, b)
        ]
        again = opened(html, address)
        assert (
            again.page.locator("#answer h3 bdi").all_text_contents()
            == seen.page.locator("#answer h3 bdi").all_text_contents()
        )
    assert quote("<") in fragment(seen) or "%60" in fragment(seen)


def saved(seen, ending):
    with seen.page.expect_download() as waiting:
        seen.page.click(f"#save-{ending}")
    assert waiting.value.suggested_filename == f"report-0-{date.today().isoformat()}.{ending}"
    return Path(waiting.value.path()).read_bytes()


def test_the_picture_is_saved_as_svg(opened):
    result = rated_alarm()
    seen = opened(result.to_html(), color_scheme="dark")
    dark = "getComputedStyle(document.body).backgroundColor"
    before = seen.page.evaluate(dark)
    text = saved(seen, "svg")
    assert seen.page.evaluate(dark) == before
    svg = ElementTree.fromstring(text)
    written = [element.text for element in svg.iter(f"{SVG}text")]
    assert set(result.names) <= set(written)
    caption = next(line for line in written if line and "hccd" in line)
    assert "report-0.html" in caption and date.today().isoformat() in caption and "44 edges" in caption
    curves = [path for path in svg.iter(f"{SVG}path") if "C" in path.get("d") and path.get("fill") == "none"]
    samples = 4
    assert len(curves) == result.skeleton.n_edges + samples
    assert any("cause" in line and ": 40" in line for line in written if line)
    # In light colours, without anything from elsewhere or from a style sheet.
    boxes = list(svg.iter(f"{SVG}rect"))
    assert boxes[0].get("fill") == "white" and len(boxes) == 38
    whole = text.decode("utf-8")
    assert "url(" not in whole and "class=" not in whole and "var(" not in whole and "href" not in whole
    left, top, wide, tall = map(float, svg.get("viewBox").split())
    for rect, group in ((g.find(f"{SVG}rect"), g) for g in svg.iter(f"{SVG}g") if g.find(f"{SVG}rect") is not None):
        x, y = map(float, re.findall(r"-?[\d.]+", group.get("transform"))[:2])
        half = float(rect.get("width")) / 2
        assert left <= x - half and x + half <= left + wide and top <= y <= top + tall


def test_what_is_hidden_is_not_saved_and_names_stay_text(opened):
    seen = opened(large(200).to_html())
    svg = ElementTree.fromstring(saved(seen, "svg"))
    curves = [path for path in svg.iter(f"{SVG}path") if "C" in path.get("d") and path.get("fill") == "none"]
    assert len(curves) == 120 + 2
    assert f", 120 of {large(200).skeleton.n_edges} edges, hccd" in svg.find(f"{SVG}title").text
    odd = opened(hostile().to_html())
    with odd.page.expect_download() as waiting:
        odd.page.click("#save-svg")
    tree = ElementTree.fromstring(Path(waiting.value.path()).read_bytes())
    assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= {
        "svg", "title", "g", "rect", "path", "text", "circle",
    }  # fmt: skip


def test_a_narrow_picture_is_saved_in_the_middle(opened):
    """The page of a chain of four is as wide as its legend, and the chain is not at its side."""
    rng = np.random.default_rng(0)
    chain = np.cumsum(rng.normal(size=(500, 4)), axis=1)
    svg = ElementTree.fromstring(saved(opened(hccd.discover(chain, bootstrap="none").to_html()), "svg"))
    left, _, wide, _ = map(float, svg.get("viewBox").split())
    boxes = [g for g in svg.iter(f"{SVG}g") if g.find(f"{SVG}rect") is not None]
    places = [float(re.findall(r"-?[\d.]+", group.get("transform"))[0]) for group in boxes]
    assert wide == 420 and (min(places) + max(places)) / 2 == pytest.approx(left + wide / 2, abs=12)


def test_the_picture_is_saved_as_png(opened):
    seen = opened(hostile().to_html())
    png = saved(seen, "png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    wide, tall = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert 800 < wide <= 8000 and 400 < tall <= 8000 and len(png) > 10_000


#: The colours of each type of edge and of each variable, as the page paints them.
PAINTED = """() => {
  const part = (c) => Number(c).toString(16).padStart(2, "0");
  const hex = (text) => "#" + text.match(/\\d+/g).slice(0, 3).map(part).join("");
  const of = (edge) => [edge.dataset.edge, hex(getComputedStyle(edge.querySelector(".line")).stroke)];
  const fill = (node) => [node.dataset.node, hex(getComputedStyle(node.querySelector("rect")).fill)];
  const all = (what) => [...document.querySelectorAll(`#scene ${what}`)];
  return [all(".edge").map(of), all(".node").map(fill)];
}"""


@pytest.mark.parametrize("make", [alarm, all_types])
def test_colours_are_those_of_plots_and_notebooks(opened, make):
    result = make()
    scene = result_scene(result)
    plotted = {frozenset(line.ends): line.colour for line in scene.lines}
    fills = cluster_colours(scene.n_clusters)
    lines, nodes = opened(result.to_html(), color_scheme="light").page.evaluate(PAINTED)
    on_dark, _ = opened(result.to_html(), color_scheme="dark").page.evaluate(PAINTED)
    for (e, colour), (_, dark) in zip(lines, on_dark, strict=True):
        source, target, kind = result.edges()[int(e)]
        own = plotted[frozenset((result.index(source), result.index(target)))]
        assert colour == own and dark == ON_DARK[own], EdgeType(kind)
    assert len({colour for _, colour in lines}) >= 2
    assert {int(v): fill for v, fill in nodes} == {v: fills[scene.cluster[v]] for v in range(37)}
    assert all(one != other for one, other in combinations(ON_DARK.values(), 2))
