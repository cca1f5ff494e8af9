"""The record of removed edges in the file format: columns of numbers, as it is kept in memory.

A run of 5000 variables removes more than a hundred thousand edges by conditioning; as columns they take a third of the
room of a list of objects, and are written and read without an object per edge. Variables are places in ``nodes``,
stages and clusters are places in the two short lists that come along::

    {"stages": ["leaf", ...], "clusters": ["0", "0.0", ...],
     "x": [...], "y": [...], "order": [...], "given": [...], "p_value": [...], "stage": [...], "cluster": [...]}

``given`` holds the separating sets one after the other, ``order`` their sizes. Files that list an object per edge, with
names in place of numbers, were written first and are still read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.graphs.separators import Separations
from hccd.wrapper import ALL_STAGES, Removals


def encoded_removals(removals: Removals, paths: list[str]) -> dict[str, Any]:
    """Return removed edges as plain data; ``paths`` are those of the clusters."""
    separations = removals.separations
    return {
        "stages": list(ALL_STAGES),
        "clusters": paths,
        "x": separations.pairs[:, 0].tolist(),
        "y": separations.pairs[:, 1].tolist(),
        "order": np.diff(separations.start).tolist(),
        "given": separations.given.tolist(),
        "p_value": [p if math.isfinite(p) else None for p in separations.p_value.tolist()],
        "stage": removals.stage.tolist(),
        "cluster": removals.cluster.tolist(),
    }


def decoded_removals(data: Any, names: Sequence[str], paths: list[str]) -> Removals:
    """Read what ``encoded_removals`` wrote, or a list of objects; ValueError and the like if it makes no sense."""
    cluster_of = {path: cluster for cluster, path in enumerate(paths)}
    columns = data if isinstance(data, Mapping) else _as_columns(data, names)
    x, y = (_whole_numbers(columns[end], len(names)) for end in ("x", "y"))
    order = _whole_numbers(columns["order"], len(names))
    given = _whole_numbers(columns["given"], len(names))
    p_value = np.array([math.nan if p is None else p for p in columns["p_value"]], dtype=np.float64)
    stages = np.array([ALL_STAGES.index(name) for name in columns["stages"]], dtype=np.int8)
    clusters = np.array([cluster_of[path] for path in columns["clusters"]], dtype=np.int32)
    stage = stages[_whole_numbers(columns["stage"], len(stages))]
    cluster = clusters[_whole_numbers(columns["cluster"], len(clusters))]
    if len({len(column) for column in (x, y, order, p_value, stage, cluster)}) > 1 or order.sum() != len(given):
        raise ValueError("the columns of the separations differ in length")
    if (x >= y).any() or (np.diff(x * len(names) + y) <= 0).any():
        raise ValueError("the separations are not sorted")
    return Removals(
        Separations(
            np.column_stack([x, y]).astype(np.int32),
            np.concatenate([[0], np.cumsum(order)]).astype(np.int64),
            given.astype(np.int32),
            p_value,
        ),
        stage,
        cluster,
    )


def cluster_paths(tree: ClusterTree) -> list[str]:
    """Return the paths of all clusters, by number, as ``TreeLayout.path`` has them."""
    layout = tree.layout()
    paths: list[str] = []
    # A parent comes before its children.
    for parent, rank in zip(layout.parent.tolist(), layout.rank.tolist(), strict=True):
        paths.append(f"{paths[parent]}.{rank}" if parent >= 0 else str(rank))
    return paths


def _whole_numbers(values: Any, below: int) -> NDArray[np.int64]:
    """Return a list of whole numbers from 0 as an array."""
    if not isinstance(values, list):
        raise TypeError(f"a list of numbers is expected, got {type(values).__name__}")
    numbers = np.array(values if values else np.empty(0, np.int64))
    if numbers.dtype != np.int64 or numbers.ndim != 1:
        raise TypeError("a list of whole numbers holds something else")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < below:
        raise ValueError(f"a number in a list is not from 0 to {below - 1}")
    return numbers


def _as_columns(items: Any, names: Sequence[str]) -> dict[str, Any]:
    """Turn a list of objects into columns."""
    number = {name: i for i, name in enumerate(names)}
    pairs = [[number[name] for name in item["pair"]] for item in items]
    clusters = {item["cluster"]: None for item in items}
    place = {path: i for i, path in enumerate(clusters)}
    return {
        "stages": list(ALL_STAGES),
        "clusters": list(clusters),
        "x": [x for x, _ in pairs],
        "y": [y for _, y in pairs],
        "order": [len(item["given"]) for item in items],
        "given": [number[name] for item in items for name in item["given"]],
        "p_value": [item["p_value"] for item in items],
        "stage": [ALL_STAGES.index(item["stage"]) for item in items],
        "cluster": [place[item["cluster"]] for item in items],
    }
