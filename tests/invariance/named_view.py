"""A result with every number replaced by the column's name: what must not change when columns move."""

from __future__ import annotations


def named_view(result, rename=lambda name: name):
    """Everything that a result says, by names; ``rename`` translates them first."""
    names = [rename(name) for name in result.names]

    def pair(x, y):
        return tuple(sorted((names[x], names[y])))

    def cluster(node):
        return (frozenset(names[v] for v in node.variables), tuple(cluster(child) for child in node.children))

    removals = result.removals
    return {
        "directed": {(names[i], names[j]) for i, j in result.graph.directed_edges().tolist()},
        "undirected": {pair(i, j) for i, j in result.graph.undirected_edges().tolist()},
        "separators": {pair(*edge): tuple(names[z] for z in given) for edge, given in result.separators.items()},
        "removals": {
            pair(*s.edge): (repr(s.p_value), int(removals.stage[i]), int(removals.cluster[i]))
            for i, s in enumerate(removals.separations)
        },
        "tree": cluster(result.tree.root),
        "tests": (result.tests.by_stage, result.tests.by_cluster),
        "colliders": [
            (pair(t.x, t.y), names[t.z], tuple(names[z] for z in t.given), repr(t.p_value)) for t in result.colliders
        ],
        "conflicts": [(c.kind, pair(c.x, c.y), names[c.z], repr(c.p_value), c.reason) for c in result.conflicts],
        "reasons": {(names[a], names[b]): why for (a, b), why in result.reasons.items()},
        "strength": {
            pair(*edge): repr(value)
            for edge, value in zip(result.skeleton.edges.tolist(), result.strength.tolist(), strict=True)
        },
        "parameters": {**result.parameters, "copies": None},
        "copies": {rename(copy): rename(x) for copy, x in result.parameters.get("copies", {}).items()},
    }
