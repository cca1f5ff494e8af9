"""Random inputs that the tests of the method share: DAGs, cluster trees, linear Gaussian and discrete data.

Everything is drawn from a generator that the test passes in, so a case is named by its seed. Truth about a DAG is
computed here without the library's own rules: the equivalence class by Chickering's labelling of edges (1995),
which uses no Meek rule.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hccd import ClusterTree
from hccd.graphs import PAG, PDAG
from hccd.graphs.marks import EdgeType

#: One edge of each type, over four variables.
ONE_OF_EACH = (
    (1, 0, EdgeType.DIRECTED),
    (0, 2, EdgeType.UNDIRECTED),
    (0, 3, EdgeType.BIDIRECTED),
    (3, 1, EdgeType.PARTIALLY_DIRECTED),
    (2, 3, EdgeType.PARTIALLY_UNDIRECTED),
    (1, 2, EdgeType.NONDIRECTED),
)


def random_dag(rng, n, density):
    """A DAG with each forward edge of a random causal order present with the given probability."""
    order = rng.permutation(n)
    arcs = [(int(order[i]), int(order[j])) for i, j in combinations(range(n), 2) if rng.random() < density]
    return PDAG.from_edges(n, directed=arcs)


def random_pag(rng, n, density):
    """Any graph with all marks."""
    marks = np.triu(np.where(rng.random((n, n)) < density, rng.integers(1, 4, (n, n)), 0), 1)
    return PAG(marks + np.triu(np.where(marks, rng.integers(1, 4, (n, n)), 0), 1).T)


def random_tree(rng, n, leaf=1):
    """A random hierarchy: clusters are divided into two to four random parts, or left whole, down to ``leaf``."""

    def divide(variables, top=False):
        if len(variables) < 2 * leaf or len(variables) < 2 or (not top and rng.random() < 0.25):
            return variables.tolist()
        parts = int(rng.integers(2, min(4, len(variables) // leaf) + 1))
        cuts = np.sort(rng.choice(np.arange(1, len(variables)), parts - 1, replace=False))
        return [divide(part) for part in np.split(rng.permutation(variables), cuts)]

    nested = divide(np.arange(n), top=True)
    return ClusterTree.from_nested(nested) if n > 1 else ClusterTree.single(n)


def mixed_columns(data):
    """Cut every second column of numbers into states: two, three or four."""
    columns = [data[:, i] for i in range(data.shape[1])]
    for i in range(1, len(columns), 2):
        cuts = np.quantile(columns[i], np.arange(1, 2 + i % 3) / (2 + i % 3))
        columns[i] = np.array(["p", "s", "q", "r"], dtype=object)[np.searchsorted(cuts, columns[i])]
    return {f"V{i}": column for i, column in enumerate(columns)}


def linear_gaussian(rng, n, degree, rows, low=0.3, high=1.0):
    """Rows from a linear model over a random DAG with standard normal noise, weights of both signs."""
    dag = random_dag(rng, n, min(1.0, degree / max(n - 1, 1)))
    data = rng.standard_normal((rows, n))
    for v in dag.topological_order():
        for parent in dag.parents(v):
            data[:, v] += rng.choice([-1.0, 1.0]) * rng.uniform(low, high) * data[:, parent]
    return data


def discrete_net(rng, n, degree, rows, states=(2, 3)):
    """Rows from a random discrete Bayesian network; every state of a column may be rare, none is impossible."""
    dag = random_dag(rng, n, min(1.0, degree / max(n - 1, 1)))
    width = rng.integers(states[0], states[1] + 1, n)
    data = np.zeros((rows, n), dtype=np.int64)
    for v in dag.topological_order():
        code = np.zeros(rows, dtype=np.int64)
        for parent in dag.parents(v):
            code = code * width[parent] + data[:, parent]
        table = rng.dirichlet(np.full(width[v], 0.6), int(code.max()) + 1) * 0.96 + 0.04 / width[v]
        edges = np.cumsum(table, axis=1)[code]
        data[:, v] = (rng.random(rows)[:, None] > edges).sum(axis=1).clip(max=width[v] - 1)
    return data


def true_cpdag(dag):
    """The equivalence class of a DAG, by Chickering's order of edges and his labels compelled and reversible."""
    rank = {v: i for i, v in enumerate(dag.topological_order())}
    parents = {v: sorted(dag.parents(v), key=rank.__getitem__, reverse=True) for v in range(dag.n)}
    edges = [(x, y) for y in sorted(rank, key=rank.__getitem__) for x in parents[y]]
    compelled: dict[tuple[int, int], bool] = {}
    for x, y in edges:
        if (x, y) in compelled:
            continue
        done = False
        for w in parents[x]:
            if not compelled[w, x]:
                continue
            if w not in parents[y]:
                compelled.update({(z, y): True for z in parents[y]})
                done = True
                break
            compelled[w, y] = True
        if done:
            continue
        new_collider = any(z != x and z not in parents[x] for z in parents[y])
        for z in parents[y]:
            if (z, y) not in compelled:
                compelled[z, y] = new_collider
    return PDAG.from_edges(
        dag.n,
        directed=[edge for edge in edges if compelled[edge]],
        undirected=[edge for edge in edges if not compelled[edge]],
    )
