"""Pictures of PAGs: every mark at its end, in SVG and matplotlib alike, and a key that counts what is drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from xml.etree import ElementTree

import numpy as np
import pytest
from drawing_cases import along, boxes_hit, overlaps
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from hccd.drawing import NODE_HEIGHT, NODE_WIDTH, lay_out
from hccd.drawing.neighbourhood import restricted
from hccd.drawing.palette import BIDIRECTED, DIRECTED, UNDIRECTED
from hccd.drawing.plot import result_scene
from hccd.drawing.plot_graph import plot_scene
from hccd.drawing.scene import CIRCLE, scene_of
from hccd.drawing.svg import graph_svg
from hccd.graphs import PAG
from hccd.graphs.marks import EdgeType, Mark
from method_cases import ONE_OF_EACH, random_pag

SVG = "{http://www.w3.org/2000/svg}"
ARROWS = sum(kind.marks.count(Mark.ARROW) for kind in EdgeType)
CIRCLES = sum(kind.marks.count(Mark.CIRCLE) for kind in EdgeType)


def at_border(layout, v: int, point: np.ndarray) -> bool:
    """Whether a point is on the upper or the lower side of a variable's box."""
    away = np.abs(np.asarray(point) - layout.positions[v])
    return bool(away[0] <= NODE_WIDTH / 2 and abs(away[1] - NODE_HEIGHT / 2) < 1e-9)


def test_every_mark_is_at_its_end() -> None:
    """Found by place alone: the tip of a head and the rim of a circle touch the variable that the mark belongs to."""
    for seed in range(20):
        graph = random_pag(np.random.default_rng(seed), 8, 0.3)
        scene = scene_of(graph, list("abcdefgh"))
        assert [(*line.ends, line.kind) for line in scene.lines] == graph.typed_edges()
        for line in scene.lines:
            heads = [v for v, mark in zip(line.ends, line.kind.marks, strict=True) if mark is Mark.ARROW]
            circles = [v for v, mark in zip(line.ends, line.kind.marks, strict=True) if mark is Mark.CIRCLE]
            assert len(line.heads) == len(heads) and len(line.circles) == len(circles)
            for v, head in zip(heads, line.heads, strict=True):
                assert at_border(scene.layout, v, head[0])
            for v, middle in zip(circles, line.circles, strict=True):
                outside = np.abs(middle - scene.layout.positions[v])[1] - NODE_HEIGHT / 2
                assert outside == pytest.approx(CIRCLE)
            # Nothing of the line shows inside a circle or at the tip of a head.
            points = along(line.path)
            for middle in line.circles:
                assert np.hypot(*(points - middle).T).min() > CIRCLE - 1e-9
            for head in line.heads:
                assert np.hypot(*(points - head[0]).T).min() > 0.1


def test_a_layout_of_a_pag_keeps_the_promises_of_all() -> None:
    for seed in range(15):
        graph = random_pag(np.random.default_rng(100 + seed), 10, 0.25)
        layout = lay_out(graph)
        assert set(layout.routes) == {edge[:2] for edge in graph.typed_edges()}
        assert overlaps(layout) == []
        for ends, route in layout.routes.items():
            assert at_border(layout, ends[0], route[0]) and at_border(layout, ends[1], route[-1])
            assert boxes_hit(layout, route, ends) == []


def test_arrowheads_lead_down_and_the_picture_follows_from_the_graph() -> None:
    """a o-> b o-> c <-> d: with other numbers for the variables the same picture."""
    edges = [(0, 1, EdgeType.PARTIALLY_DIRECTED), (1, 2, EdgeType.PARTIALLY_DIRECTED), (2, 3, EdgeType.BIDIRECTED)]
    graph = PAG.from_edges(4, edges)
    layout = lay_out(graph)
    assert layout.positions[0, 1] < layout.positions[1, 1] < layout.positions[2, 1]
    for order in permutations(range(4)):
        assert np.allclose(lay_out(graph.relabelled(order)).positions[list(order)], layout.positions)


def test_the_types_alone_tell_variables_apart() -> None:
    """A star whose rays differ by a mark at one end only looks the same for every order of the columns."""
    kinds = [EdgeType.NONDIRECTED, EdgeType.BIDIRECTED, EdgeType.UNDIRECTED, EdgeType.PARTIALLY_UNDIRECTED]
    graph = PAG.from_edges(5, [(0, i + 1, kind) for i, kind in enumerate(kinds)])
    first = lay_out(graph).positions
    for order in permutations(range(5)):
        assert np.allclose(lay_out(graph.relabelled(order)).positions[list(order)], first)


def test_svg_draws_and_counts_all_types() -> None:
    scene = scene_of(PAG.from_edges(4, ONE_OF_EACH), ["<a>", "b", "c", "d"])
    text = graph_svg(scene)
    svg = ElementTree.fromstring(text)
    whole = next(svg.iter(f"{SVG}g"))
    assert len(whole.findall(f"{SVG}path")) == len(ONE_OF_EACH)
    assert len(whole.findall(f"{SVG}polygon")) == ARROWS and len(whole.findall(f"{SVG}circle")) == CIRCLES
    # The key has a sample of each type, with the same marks.
    assert len(svg.findall(f"{SVG}polygon")) == ARROWS and len(svg.findall(f"{SVG}circle")) == CIRCLES
    written = [element.text for element in svg.findall(f"{SVG}text")]
    assert written == [f"{kind.value}: 1" for kind in EdgeType]
    assert {colour for colour in (BIDIRECTED, DIRECTED, UNDIRECTED) if colour in text} == {
        BIDIRECTED, DIRECTED, UNDIRECTED
    }  # fmt: skip
    assert [entry.text for entry in scene_of(PAG.from_edges(2, ONE_OF_EACH[:1]), "ab").key()] == []
    only = scene_of(PAG.from_edges(3, [(0, 1, EdgeType.NONDIRECTED), (1, 2, EdgeType.NONDIRECTED)]), "abc")
    assert [entry.text for entry in only.key()] == ["nondirected: 2"]


def test_matplotlib_draws_what_svg_does() -> None:
    scene = scene_of(PAG.from_edges(4, ONE_OF_EACH), list("abcd"))
    shapes = plot_scene(Figure(), scene).collections
    heads = [shape for shape in shapes if isinstance(shape, PolyCollection)]
    circles = [c for c in shapes if isinstance(c, PathCollection) and c.get_zorder() == 2]
    # Once in the picture, and once in the samples of the key.
    assert sum(len(c.get_paths()) for c in heads) == 2 * ARROWS
    assert sum(len(c.get_paths()) for c in circles) == 2 * CIRCLES
    lines = next(c for c in shapes if len(c.get_facecolor()) == 0)
    assert [to_hex(colour) for colour in lines.get_edgecolor()] == [line.colour for line in scene.lines]
    assert [line.colour for line in scene.lines if line.kind is EdgeType.BIDIRECTED] == [BIDIRECTED]
    filled = circles[0].get_facecolor()
    assert (filled == 1.0).all()


def test_a_part_of_a_pag_keeps_its_marks() -> None:
    graph = PAG.from_edges(4, ONE_OF_EACH)
    part = restricted(graph, np.array([3, 0, 1]))
    assert set(part.typed_edges()) == {
        (0, 2, EdgeType.PARTIALLY_DIRECTED),
        (0, 1, EdgeType.BIDIRECTED),
        (2, 1, EdgeType.DIRECTED),
    }


def test_a_result_with_a_pag_is_drawn_everywhere(alarm) -> None:
    """ALARM's edges with all types: the plot, a neighbourhood, the notebook."""
    rng = np.random.default_rng(7)
    kinds = list(EdgeType)
    edges = [(i, j, kinds[int(rng.integers(6))]) for i, j in alarm.skeleton.edges.tolist()]
    result = replace(alarm, graph=PAG.from_edges(37, edges), score=None, confidence=None, fit=None)
    scene = result_scene(result)
    assert len(scene.lines) == len(edges) and scene.n_clusters == len(alarm.tree.leaves())
    assert set(result_scene(result, around="HR").names) == {"HR", *(
        alarm.names[v] for v in alarm.graph.neighbors(alarm.index("HR"))
    )}  # fmt: skip
    html = result._repr_html_()
    for kind in EdgeType:
        count = sum(own is kind for *_, own in edges)
        assert f"{count} {kind.value}" in html and f"{kind.value}: {count}" in html
    assert result.plot(ax=Figure()).collections
