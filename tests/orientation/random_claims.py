"""Skeletons of awkward shapes, and verdicts about their triples that no distribution stands behind."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hccd.graphs import Skeleton
from hccd.orientation import Triple

SHAPES = ["sparse", "dense", "star", "path", "cycle", "hubs", "bipartite", "cliques", "empty"]


def skeleton_of(shape, rng, n):
    """A skeleton of one shape, its variables numbered at random."""
    label = rng.permutation(n)

    def some(pairs, share):
        return [pair for pair in pairs if rng.random() < share]

    every = list(combinations(range(n), 2))
    pairs = {
        "sparse": lambda: some(every, 2.5 / n),
        "dense": lambda: some(every, 0.5),
        "star": lambda: [(0, v) for v in range(1, n)],
        "path": lambda: [(v, v + 1) for v in range(n - 1)],
        "cycle": lambda: [(v, (v + 1) % n) for v in range(n)] if n > 2 else [],
        "hubs": lambda: [(h, v) for h in range(min(3, n)) for v in range(3, n) if rng.random() < 0.7],
        "bipartite": lambda: [(a, b) for a in range(n // 2) for b in range(n // 2, n) if rng.random() < 0.6],
        "cliques": lambda: [(a, b) for a, b in every if a // 4 == b // 4 or rng.random() < 1 / n],
        "empty": lambda: [],
    }[shape]()
    return Skeleton.from_edges(n, [(int(label[a]), int(label[b])) for a, b in pairs])


def unshielded(skeleton):
    """All x - z - y with x < y and no edge between them, in the order in which they are judged."""
    return [
        (x, z, y)
        for z in range(skeleton.n)
        for x, y in combinations(skeleton.neighbors(z), 2)
        if not skeleton.has_edge(x, y)
    ]


def verdicts(rng, skeleton, *, colliders=0.5, missing=0.1, shuffled=False):
    """Any verdict, p-values with ties and without any, some triples without a verdict or without dependence."""
    triples = []
    for x, z, y in unshielded(skeleton):
        if rng.random() < missing:
            continue
        collider = True if rng.random() < colliders else (False, None)[int(rng.integers(2))]
        p = float(rng.choice([np.nan, 0.0, 1.0, round(rng.random(), 1), rng.random()]))
        dependence = float(rng.choice([np.nan, 0.0, round(rng.random(), 1), rng.random()]))
        triples.append(Triple(x, z, y, collider, (), p, dependence))
    return [triples[i] for i in rng.permutation(len(triples))] if shuffled else triples
