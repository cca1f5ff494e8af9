"""Layouts: boxes apart, arrows down, edges clear of boxes, the same picture for every order of the columns."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from drawing_cases import along, boxes_hit, overlaps, random_graph, uneven_boxes
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.drawing import NODE_HEIGHT, curve, lay_out, layered_layout
from hccd.drawing.sizes import equal_boxes
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG

graphs = st.builds(random_graph, st.integers(0, 24), st.integers(0, 50), st.integers(0, 10**6))
some = settings(max_examples=35, deadline=None)


@some
@given(graphs, st.sampled_from([0.3, 1.6, 5.0]), st.booleans())
def test_boxes_are_apart_and_inside_the_picture(graph: PDAG, ratio: float, even: bool) -> None:
    boxes = equal_boxes(graph.n) if even else uneven_boxes(graph.n, graph.n)
    layout = lay_out(graph, ratio=ratio, boxes=None if even else boxes)
    assert layout.positions.shape == (graph.n, 2)
    assert not even or np.array_equal(layered_layout(graph, ratio=ratio), layout.positions)
    assert overlaps(layout, boxes) == []
    half = np.column_stack([boxes.widths, np.full(graph.n, boxes.height)]) / 2
    assert (layout.positions >= half - 1e-9).all()
    assert (layout.positions <= np.array([layout.width, layout.height]) - half + 1e-9).all()
    for route in layout.routes.values():
        assert (route >= -1e-9).all()
        assert (route <= np.array([layout.width, layout.height]) + 1e-9).all()


@some
@given(graphs)
def test_arrows_lead_down(graph: PDAG) -> None:
    # A picture that may be high is not folded.
    layout = lay_out(graph, ratio=0.1)
    for i, j in graph.directed_edges().tolist():
        assert layout.positions[i, 1] + NODE_HEIGHT < layout.positions[j, 1]
        assert (np.diff(layout.routes[i, j][:, 1]) > 0).all()


@some
@given(graphs, st.booleans())
def test_routes_join_their_boxes_and_pass_no_other(graph: PDAG, even: bool) -> None:
    boxes = equal_boxes(graph.n) if even else uneven_boxes(graph.n, graph.n)
    layout = lay_out(graph, boxes=boxes)
    edges = {*map(tuple, graph.directed_edges().tolist()), *map(tuple, graph.undirected_edges().tolist())}
    assert set(layout.routes) == edges
    for ends, route in layout.routes.items():
        for end, point in zip(ends, (route[0], route[-1]), strict=True):
            apart = np.abs(point - layout.positions[end])
            assert apart[0] < boxes.widths[end] / 2
            assert apart[1] == pytest.approx(boxes.height / 2)
        straight = np.concatenate([np.linspace(a, b, 25) for a, b in pairwise(route)])
        assert boxes_hit(layout, straight, ends, boxes) == []
        assert boxes_hit(layout, along(curve(route)), ends, boxes) == []


@some
@given(graphs, st.randoms(use_true_random=False))
def test_the_picture_does_not_depend_on_the_order_of_the_columns(graph: PDAG, random) -> None:
    label = list(range(graph.n))
    random.shuffle(label)
    boxes = uneven_boxes(graph.n, graph.n)
    moved = boxes.of(np.argsort(label))
    one, other = lay_out(graph, boxes=boxes), lay_out(graph.relabelled(label), boxes=moved)

    def shape(layout, graph):
        edges = [
            (*sorted([tuple(route[0].round(6)), tuple(route[-1].round(6))]), key in directed)
            for directed in [set(map(tuple, graph.directed_edges().tolist()))]
            for key, route in layout.routes.items()
        ]
        return sorted(map(tuple, layout.positions.round(6).tolist())), sorted(edges)

    assert shape(one, graph) == shape(other, graph.relabelled(label))
    assert (one.width, one.height) == (other.width, other.height)


def test_a_cyclic_graph_is_drawn_with_one_arrow_up() -> None:
    graph = PDAG.from_edges(5, directed=[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    layout = lay_out(graph)
    assert overlaps(layout) == []
    upwards = [ends for ends, route in layout.routes.items() if route[0, 1] > route[-1, 1]]
    assert len(upwards) == 1


@pytest.mark.parametrize("steps", [(1,), (1, 2), (1, 3)])
def test_a_chain_is_folded_into_columns(steps: tuple[int, ...]) -> None:
    n = 90
    edges = [(i, i + step) for i in range(n) for step in steps if i + step < n]
    layout = lay_out(PDAG.from_edges(n, directed=edges))
    assert overlaps(layout) == []
    assert 0.8 < layout.width / layout.height < 3.2
    upwards = 0
    for ends, route in layout.routes.items():
        assert boxes_hit(layout, along(curve(route)), ends) == []
        above, below = layout.positions[list(ends)]
        if below[1] < above[1]:
            upwards += 1
            assert below[0] > above[0]
        else:
            assert (np.diff(route[:, 1]) > 0).all()
        assert route[-2, 1] < route[-1, 1]
    assert 0 < upwards <= 6 * len(edges) / 30


def test_a_star_is_broken_into_rows() -> None:
    layout = lay_out(PDAG.from_edges(101, directed=[(0, i) for i in range(1, 101)]))
    assert overlaps(layout) == []
    assert 0.8 < layout.width / layout.height < 3.2


def test_variables_without_edges_stand_in_a_block_below() -> None:
    layout = lay_out(PDAG.from_edges(40, directed=[(3, 7)]))
    alone = [v for v in range(40) if v not in (3, 7)]
    assert layout.positions[alone, 1].min() > layout.positions[7, 1]
    assert overlaps(layout) == []
    assert 0.8 < layout.width / layout.height < 3.2


def test_arrays_are_read_only() -> None:
    layout = lay_out(PDAG.from_edges(2, directed=[(0, 1)]))
    with pytest.raises(ValueError, match="read-only"):
        layout.positions[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        layout.routes[0, 1][0] = 1.0


@pytest.mark.parametrize("ratio", [0.0, -1.0, float("nan"), float("inf")])
def test_a_senseless_ratio_is_refused(ratio: float) -> None:
    with pytest.raises(InvalidParameterError, match="ratio"):
        lay_out(PDAG.empty(2), ratio=ratio)


def test_large_graphs_take_no_time_to_speak_of() -> None:
    graph = random_graph(300, 600, 0)
    before = time.process_time()
    layout = lay_out(graph)
    # Measured at 0.3 s; the bound leaves room for a busy machine and catches what grows too fast.
    assert time.process_time() - before < 2.0
    assert overlaps(layout) == []


def test_rows_of_a_high_picture_are_closer() -> None:
    """Up to the height of a screen rows have their usual distance; above it they come closer, but never touch."""
    gaps = {}
    for n in (6, 11):
        edges = [(i, j) for i in range(n) for j in range(i + 1, min(n, i + 4))]
        layout = lay_out(PDAG.from_edges(n, directed=edges))
        rows = np.unique(layout.positions[:, 1].round(6))
        gaps[n] = float(np.diff(rows).min()) - NODE_HEIGHT
    assert gaps[6] >= 0.56 - 1e-6
    assert 0.4 - 1e-6 <= gaps[11] < 0.47
