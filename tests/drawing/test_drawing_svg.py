"""SVG and notebook: well-formed, complete, and names are never markup."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
from drawing_cases import random_graph
from hypothesis import given, settings
from hypothesis import strategies as st

import hccd
from hccd.drawing.labels import box_labels, estimated_width, fitted, printable
from hccd.drawing.notebook import MOST_VARIABLES
from hccd.drawing.plot import result_scene
from hccd.drawing.scene import scene_of
from hccd.drawing.svg import graph_svg

SVG = "{http://www.w3.org/2000/svg}"


class Tags(HTMLParser):
    """Counts tags; what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=8))
def test_any_name_survives_in_well_formed_xml(names: list[str]) -> None:
    svg = ElementTree.fromstring(graph_svg(scene_of(random_graph(len(names), 6, 0), names)))
    titles = [title.text or "" for title in svg.iter(f"{SVG}title")]
    assert titles == [printable(name) for name in names]
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= {
        "svg",
        "g",
        "title",
        "rect",
        "path",
        "polygon",
        "text",
    }


def test_every_edge_is_drawn_once(alarm) -> None:
    scene = result_scene(alarm)
    svg = ElementTree.fromstring(graph_svg(scene, title="ALARM"))
    whole = next(svg.iter(f"{SVG}g"))
    assert len(whole.findall(f"{SVG}path")) == len(alarm.edges())
    assert len(whole.findall(f"{SVG}polygon")) == len(alarm.graph.directed_edges())
    assert len(whole.findall(f"{SVG}g")) == len(alarm.names)
    assert alarm.conflicts
    assert not [path for path in svg.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib]


def test_widths_and_opacities_follow_the_probabilities(rated) -> None:
    scene = result_scene(rated)
    svg = ElementTree.fromstring(graph_svg(scene))
    whole = next(svg.iter(f"{SVG}g"))
    drawn = sorted(
        (rated.confidence.of(*line.ends).adjacent, float(path.get("stroke-width")), float(path.get("stroke-opacity")))
        for line, path in zip(scene.lines, whole.findall(f"{SVG}path"), strict=True)
    )
    assert all(one[0] < two[0] and one[1] <= two[1] and one[2] < two[2] for one, two in pairwise(drawn))
    assert drawn[0][1] < 0.5 * drawn[-1][1] and drawn[0][2] > 0.1
    arrows = [line for line in scene.lines if line.heads]
    heads = sorted(
        (rated.confidence.of(*line.ends).forward, float(head.get("fill-opacity")))
        for line, head in zip(arrows, whole.findall(f"{SVG}polygon"), strict=True)
    )
    assert all(one[1] < two[1] for one, two in pairwise(heads))
    written = "".join(svg.itertext())
    assert "direction unsure" in written and "edge unsure" in written


def test_a_notebook_says_how_much_to_believe(rated, alarm) -> None:
    edges = [rated.confidence.of(*pair).adjacent for pair in rated.skeleton.edges.tolist()]
    sure = sum(p >= 0.9 for p in edges)
    html = rated._repr_html_()
    assert f"{sure} of {len(edges)} edges and 0 of {len(rated.graph.directed_edges())} arrowheads" in html
    assert "arrowhead" not in alarm._repr_html_() and "conflict" not in alarm._repr_html_()


def test_a_notebook_shows_a_summary_and_the_graph(alarm) -> None:
    html = alarm._repr_html_()
    assert html == alarm._repr_html_()
    directed, undirected = len(alarm.graph.directed_edges()), len(alarm.graph.undirected_edges())
    assert f"{directed} directed, {undirected} undirected" in html
    assert "<svg" in html
    assert all(f"<title>{name}</title>" in html for name in alarm.names)


def test_names_in_a_notebook_are_text(nasty) -> None:
    page = Tags(nasty._repr_html_())
    assert "script" not in page.seen
    assert "b" not in page.seen
    assert not {name for name in page.attributes if name.startswith("on")}
    nasty._repr_html_().encode("utf-8")


def test_large_graphs_are_not_drawn_unasked() -> None:
    data = np.random.default_rng(0).normal(size=(200, MOST_VARIABLES + 1))
    html = hccd.discover(data)._repr_html_()
    assert "<svg" not in html
    assert "plot()" in html


@given(st.text(max_size=80), st.floats(2.0, 30.0))
def test_fitted_texts_fit_and_keep_their_ends(text: str, width: float) -> None:
    shown = fitted(text, width, estimated_width)
    if estimated_width(text) <= width:
        assert shown == text
    else:
        front, back = shown.split("…", 1) if "…" not in text else (shown[:1], "")
        assert text.startswith(front)
        assert text.endswith(back)
        assert estimated_width(shown) <= width or len(shown) <= 2


def test_names_that_differ_at_the_end_stay_different() -> None:
    names = [f"expression_of_a_gene_with_a_very_long_name_indeed_{i:04d}" for i in range(30)]
    labels = box_labels(names, estimated_width)
    assert len({label.lines for label in labels}) == 30
    assert all(len(label.lines) == 2 for label in labels)
