"""Pictures of a result, by kind: its graph, its clusters, both, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hccd.clustering import ClusterTree
from hccd.drawing.canvas import canvas_for, require_matplotlib
from hccd.drawing.certainty import certainty
from hccd.drawing.lettering import lettering_for
from hccd.drawing.neighbourhood import restricted, within
from hccd.drawing.plot_clusters import COMPACT, draw_tree, plot_clusters, tree_size
from hccd.drawing.plot_graph import draw_scene, plot_scene, scene_size
from hccd.drawing.plot_tests import plot_tests
from hccd.drawing.scene import Scene, scene_of
from hccd.errors import InvalidParameterError
from hccd.graphs import AnyGraph

if TYPE_CHECKING:
    from hccd.result import HCCDResult

KINDS = ("graph", "clusters", "tree", "tests")
#: Between a tree of clusters and the graph beside it.
_BESIDE = 0.8


def plot(
    result: HCCDResult,
    kind: str = "graph",
    *,
    ax: Any = None,
    around: str | int | Sequence[str | int] | None = None,
    distance: int = 1,
    ratio: float = 1.6,
) -> Any:
    """Draw a result on matplotlib axes; see ``HCCDResult.plot``."""
    if kind not in KINDS:
        raise InvalidParameterError(f"kind is {kind!r}; choose one of {', '.join(KINDS)}")
    if around is not None and kind != "graph":
        raise InvalidParameterError(f"around cuts out a part of a graph, but kind is {kind!r}; leave one of them out")
    require_matplotlib()
    if kind == "graph":
        return plot_scene(ax, result_scene(result, around=around, distance=distance, ratio=ratio))
    if kind == "clusters":
        return plot_clusters(ax, result.tree, result.names, tests=result.tests.by_cluster)
    if kind == "tests":
        return plot_tests(ax, result.tests.by_stage)
    return plot_tree_beside(ax, result.tree, result_scene(result, ratio=ratio))


def result_scene(
    result: HCCDResult,
    *,
    around: str | int | Sequence[str | int] | None = None,
    distance: int = 1,
    ratio: float = 1.6,
) -> Scene:
    """Return what the picture of a result's graph shows: all of it, or what is near some variables."""
    graph, kept, known = result.graph, np.arange(result.graph.n), result.confidence
    if around is not None:
        chosen = [around] if isinstance(around, str | int) else list(around)
        if not chosen:
            raise InvalidParameterError("around is empty; name at least one variable")
        kept = within(graph, [result.index(name) for name in chosen], distance)
        graph = restricted(graph, kept)
    return scene_of(
        graph,
        [result.names[v] for v in kept],
        cluster=result.tree.labels()[kept],
        n_clusters=len(result.tree.leaves()),
        sure=None if known is None else lambda i, j: certainty(known.of(int(kept[i]), int(kept[j]))),
        ratio=ratio,
    )


def clusters_on_graph(ax: Any, tree: ClusterTree, graph: AnyGraph, names: Sequence[str], *, ratio: float = 1.6) -> Any:
    """Draw any graph beside a tree of its variables, each leaf in its colour: figure 1 of the paper."""
    return plot_tree_beside(
        ax, tree, scene_of(graph, names, cluster=tree.labels(), n_clusters=len(tree.leaves()), ratio=ratio)
    )


def plot_tree_beside(ax: Any, tree: ClusterTree, scene: Scene) -> Any:
    """Draw a tree of clusters to the left of a scene, at the same scale."""
    (across, down), (width, height) = tree_size(tree, COMPACT), scene_size(scene)
    canvas = canvas_for(ax, across + _BESIDE + width, max(down, height))
    draw_tree(canvas, tree, COMPACT, lettering_for(()), top=max(0.0, (scene.layout.height - down) / 2))
    draw_scene(canvas, scene, left=across + _BESIDE)
    return canvas.ax
