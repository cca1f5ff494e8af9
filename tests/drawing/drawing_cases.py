"""Graphs to draw, and what a drawing must satisfy, said without the code that draws."""

from __future__ import annotations

import numpy as np

from hccd.drawing import NODE_HEIGHT, NODE_WIDTH, Layout
from hccd.graphs import PDAG, dag_to_cpdag


def random_graph(n: int, m: int, seed: int) -> PDAG:
    """Return the CPDAG of a random DAG with m arcs in random places."""
    rng = np.random.default_rng(seed)
    label = rng.permutation(n)
    pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n)], dtype=np.int64).reshape(-1, 2)
    chosen = rng.choice(len(pairs), size=min(m, len(pairs)), replace=False) if len(pairs) else []
    return dag_to_cpdag(PDAG.from_edges(n, directed=label[pairs[chosen]]))


def overlaps(layout: Layout) -> list[tuple[int, int]]:
    """Return the pairs of variables whose boxes overlap."""
    apart = np.abs(layout.positions[:, None] - layout.positions[None])
    close = (apart[..., 0] < NODE_WIDTH) & (apart[..., 1] < NODE_HEIGHT)
    return [(i, j) for i, j in np.argwhere(close).tolist() if i < j]


def boxes_hit(layout: Layout, points: np.ndarray, ends: tuple[int, int]) -> list[int]:
    """Return the variables, other than the ends, with one of the points inside their boxes."""
    apart = np.abs(layout.positions[:, None] - points[None])
    inside = ((apart[..., 0] < NODE_WIDTH / 2 - 1e-9) & (apart[..., 1] < NODE_HEIGHT / 2 - 1e-9)).any(axis=1)
    return [v for v in np.flatnonzero(inside).tolist() if v not in ends]


def along(control: np.ndarray, steps: int = 25) -> np.ndarray:
    """Return points on cubic Bezier pieces."""
    t = np.linspace(0.0, 1.0, steps)[:, None]
    pieces = []
    for i in range(0, len(control) - 1, 3):
        a, b, c, d = control[i : i + 4]
        pieces.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
    return np.concatenate(pieces)
