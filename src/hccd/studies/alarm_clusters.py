"""Figure 1 of the paper: the tree of clusters, and the clusters of ALARM's variables on its true graph.

The tree is the paper's for this figure: two divisions into two, by mutual information. It is grown from the sample that
comes with the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.datasets import alarm_edges, alarm_path
from hccd.drawing.plot import clusters_on_graph
from hccd.graphs import PDAG
from hccd.studies.description import Study
from hccd.studies.methods import learn, skeleton_tests
from hccd.studies.run_store import Row
from hccd.tables import read_table

Names = tuple[str, ...]


def measure_clusters(study: Study, case: Mapping[str, Any]) -> list[Row]:
    """Grow the trees; for every cluster by its path: its size and the share of true edges that stay inside."""
    rows: list[Row] = []
    for method in study.methods:
        names, tree, tests, seconds = alarm_tree(method.options)
        edges = [(names.index(a), names.index(b)) for a, b in alarm_edges()]
        level = {depth: level_labels(tree, depth) for depth in (1, 2)}
        values: dict[str, float] = {"tests": tests, "clusters": len(tree.leaves())}
        for depth, labels in level.items():
            values[f"edges_inside_{depth}"] = float(np.mean([labels[a] == labels[b] for a, b in edges]))
        values |= {f"leaf {name}": float(label) for name, label in zip(names, tree.labels(), strict=True)}
        rows.append({"method": method.label, "values": values, "seconds": seconds})
    return rows


def alarm_tree(options: Mapping[str, Any]) -> tuple[Names, ClusterTree, int, float]:
    """Learn from the ALARM sample: its names, the tree, the tests and the time."""
    from hccd.independence import GTest

    table = read_table(alarm_path())
    result = learn(GTest().bind(table.codes().codes), options)
    return tuple(table.names), result.tree, skeleton_tests(result), result.seconds["total"]


def level_labels(tree: ClusterTree, depth: int) -> NDArray[np.int64]:
    """Number the clusters that are so many divisions below the root, or leaves above."""
    labels = np.zeros(tree.n_variables, dtype=np.int64)
    found = 0
    waiting = [(tree.root, 0)]
    while waiting:
        cluster, level = waiting.pop()
        if level < depth and cluster.children:
            waiting.extend((child, level + 1) for child in reversed(cluster.children))
        else:
            labels[list(cluster.variables)] = found
            found += 1
    return labels


def listed_clusters(study: Study) -> str:
    """Write the clusters of the first method with their members, in Markdown."""
    names, tree, _, _ = alarm_tree(study.methods[0].options)
    text = f"\n## Clusters of {study.methods[0].label}\n\n| cluster | variables | members |\n|---|---|---|\n"
    for number, cluster in enumerate(tree.clusters()):
        members = ", ".join(names[v] for v in cluster.variables)
        text += f"| {tree.path(number)} | {len(cluster.variables)} | {members} |\n"
    return text


def draw_clusters(figure: Any, study: Study) -> None:
    """Draw the tree beside the true graph, each leaf in its colour."""
    names, tree, _, _ = alarm_tree(study.methods[0].options)
    arcs = [(names.index(a), names.index(b)) for a, b in alarm_edges()]
    clusters_on_graph(figure, tree, PDAG.from_edges(len(names), directed=arcs), names)
