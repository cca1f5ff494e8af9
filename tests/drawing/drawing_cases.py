"""Graphs to draw, and what a drawing must satisfy, said without the code that draws."""

from __future__ import annotations

import numpy as np

from hccd.drawing import Layout
from hccd.drawing.sizes import Boxes, equal_boxes
from hccd.graphs import PDAG, dag_to_cpdag


def random_graph(n: int, m: int, seed: int) -> PDAG:
    """Return the CPDAG of a random DAG with m arcs in random places."""
    rng = np.random.default_rng(seed)
    label = rng.permutation(n)
    pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n)], dtype=np.int64).reshape(-1, 2)
    chosen = rng.choice(len(pairs), size=min(m, len(pairs)), replace=False) if len(pairs) else []
    return dag_to_cpdag(PDAG.from_edges(n, directed=label[pairs[chosen]]))


def uneven_boxes(n: int, seed: int) -> Boxes:
    """Return boxes of all widths, some of them narrow, and higher than usual."""
    return Boxes(np.random.default_rng(seed).uniform(0.3, 2.5, n).round(2), 0.5)


def overlaps(layout: Layout, boxes: Boxes | None = None) -> list[tuple[int, int]]:
    """Return the pairs of variables whose boxes overlap."""
    boxes = boxes or equal_boxes(len(layout.positions))
    apart = np.abs(layout.positions[:, None] - layout.positions[None])
    room = (boxes.widths[:, None] + boxes.widths[None]) / 2
    close = (apart[..., 0] < room - 1e-9) & (apart[..., 1] < boxes.height - 1e-9)
    return [(i, j) for i, j in np.argwhere(close).tolist() if i < j]


def boxes_hit(layout: Layout, points: np.ndarray, ends: tuple[int, int], boxes: Boxes | None = None) -> list[int]:
    """Return the variables, other than the ends, with one of the points inside their boxes."""
    apart = np.abs(layout.positions[:, None] - points[None])
    boxes = boxes or equal_boxes(len(layout.positions))
    half = boxes.widths[:, None] / 2
    inside = ((apart[..., 0] < half - 1e-9) & (apart[..., 1] < boxes.height / 2 - 1e-9)).any(axis=1)
    return [v for v in np.flatnonzero(inside).tolist() if v not in ends]


def along(control: np.ndarray, steps: int = 25) -> np.ndarray:
    """Return points on cubic Bezier pieces."""
    t = np.linspace(0.0, 1.0, steps)[:, None]
    pieces = []
    for i in range(0, len(control) - 1, 3):
        a, b, c, d = control[i : i + 4]
        pieces.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
    return np.concatenate(pieces)
