"""Random DAGs with random knowledge that is true of them, and what can be concluded, by enumeration."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

import hccd
from hccd.graphs import PDAG
from hccd.graphs.equivalence import v_structures
from method_cases import random_dag


def names_of(n):
    return [f"V{i}" for i in range(n)]


def random_knowledge(rng, dag, share=0.3):
    """Return knowledge that holds in ``dag``: of each kind some, or none."""
    n, names = dag.n, names_of(dag.n)
    arrows = set(map(tuple, dag.directed_edges().tolist()))
    chosen = lambda pairs: [(names[x], names[y]) for x, y in pairs if rng.random() < share]  # noqa: E731
    kinds = rng.random(7) < 0.4
    order = dag.topological_order()
    cuts = np.sort(rng.integers(0, n + 1, size=2))
    tiers = [list(part) for part in np.split(np.array(order), cuts)]
    tiers = [[names[v] for v in part if rng.random() < 0.8] for part in tiers]
    tiers = [tier for tier in tiers if tier] if kinds[0] else []
    inside = [
        all((names.index(a), names.index(b)) not in arrows for a, b in product(tier, tier) if a != b) for tier in tiers
    ]
    return hccd.Knowledge(
        tiers=tiers,
        closed_tiers=[i + 1 for i, free in enumerate(inside) if free and kinds[1]],
        forbidden=chosen((x, y) for x in range(n) for y in range(n) if x != y and (x, y) not in arrows)
        if kinds[2]
        else [],
        required=chosen(arrows) if kinds[3] else [],
        adjacent=chosen(arrows) if kinds[4] else [],
        roots=[names[v] for v in range(n) if not dag.parents(v) and rng.random() < share] if kinds[5] else [],
        leaves=[names[v] for v in range(n) if not dag.children(v) and rng.random() < share] if kinds[6] else [],
    )


def holds(knowledge, dag):
    """Say whether a DAG agrees with knowledge, statement by statement."""
    place = {name: i for i, name in enumerate(names_of(dag.n))}
    arrows = set(map(tuple, dag.directed_edges().tolist()))
    tier = {place[name]: i for i, names in enumerate(knowledge.tiers) for name in names}
    for x, y in arrows:
        closed = x in tier and tier[x] + 1 in knowledge.closed_tiers
        if x in tier and y in tier and (tier[x] > tier[y] or (tier[x] == tier[y] and closed)):
            return False
    at = lambda pairs: [(place[a], place[b]) for a, b in pairs]  # noqa: E731
    return (
        not any(pair in arrows for pair in at(knowledge.forbidden))
        and all(pair in arrows for pair in at(knowledge.required))
        and all((x, y) in arrows or (y, x) in arrows for x, y in at(knowledge.adjacent))
        and not any(y in {place[name] for name in knowledge.roots} for _, y in arrows)
        and not any(x in {place[name] for name in knowledge.leaves} for x, _ in arrows)
    )


def members(dag):
    """Return every DAG with the skeleton and the v-structures of ``dag``: all directions are tried."""
    edges = list(map(tuple, dag.skeleton().edges.tolist()))
    wanted = v_structures(dag)
    found = []
    for turned in product((False, True), repeat=len(edges)):
        other = PDAG.from_edges(dag.n, [(y, x) if turn else (x, y) for (x, y), turn in zip(edges, turned, strict=True)])
        if other.is_dag() and v_structures(other) == wanted:
            found.append(other)
    return found


def concluded(dag, knowledge):
    """Return the graph whose arrows are those that all members of the class share which agree with the knowledge."""
    some = [set(map(tuple, other.directed_edges().tolist())) for other in members(dag) if holds(knowledge, other)]
    assert some
    shared = set.intersection(*some)
    undirected = [
        (x, y)
        for x, y in combinations(range(dag.n), 2)
        if dag.skeleton().has_edge(x, y) and (x, y) not in shared and (y, x) not in shared
    ]
    return PDAG.from_edges(dag.n, sorted(shared), undirected)


@cache
def exact_cases(count=250):
    cases = []
    for seed in range(count):
        rng = np.random.default_rng([1913, seed])
        n = 3 + seed % 4
        dag = random_dag(rng, n, rng.uniform(0.3, 0.8))
        knowledge = random_knowledge(rng, dag)
        cases.append((seed, dag, knowledge, concluded(dag, knowledge)))
    return cases
