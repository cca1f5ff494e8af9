"""PC over an initial graph and a list of edges, in plain Python: the reference for the ledger and its searches.

It shares no code with them. As an algorithm of the user's own it also runs through the wrapper, cluster by cluster.
``exhaustive=False`` makes it forget: every pass asks everything again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hccd.baselines import LocalResult
from hccd.graphs.separators import Separations


@dataclass(frozen=True)
class ReferencePC:
    stable: bool = True
    max_order: int | None = None
    ordering: str = "strength"
    exhaustive: bool = True

    def learn(self, variables, initial, edges, ci, context):
        graph = {v: set(initial.neighbors(v)) for v in variables.tolist()}
        strength = np.abs(context.marginals.association) if self.ordering == "strength" else None
        known = context.known if self.exhaustive else None
        asked = np.flatnonzero(edges)
        limits = [limit for limit in (self.max_order, context.order_limit) if limit is not None]
        tests = [np.zeros(len(asked), np.int64)]
        found = {}
        for order in range(1, min([*limits, initial.n]) + 1):
            standing = [(i, *initial.edges[e].tolist()) for i, e in enumerate(asked) if i not in found]
            if not any(max(len(graph[x]), len(graph[y])) > order for _, x, y in standing):
                break
            seen = {v: set(members) for v, members in graph.items()} if self.stable else graph
            count = np.zeros(len(asked), np.int64)
            for i, x, y in standing:
                given, p_value, count[i] = first_separating_set(
                    ci, x, y, order, seen[x] - {y}, seen[y] - {x}, strength, known_home(known, i, order)
                )
                if given is not None:
                    found[i] = given, p_value
                    graph[x].discard(y)
                    graph[y].discard(x)
            tests.append(count)
        fallen = sorted(found)
        removed = np.zeros(initial.n_edges, dtype=bool)
        removed[asked[fallen]] = True
        sets = [found[i][0] for i in fallen]
        start = np.concatenate([[0], np.cumsum([len(given) for given in sets])]).astype(np.int64)
        separations = Separations(
            initial.edges[removed],
            start,
            np.array([z for given in sets for z in given], np.int32),
            np.array([found[i][1] for i in fallen], np.float64),
        )
        return LocalResult(initial, removed, separations, np.column_stack(tests))

    def describe(self):
        return {"name": "reference"}


def known_home(known, i, order):
    """The variables that edge i was asked about up to this order."""
    if known is None or order > known.order[i]:
        return set()
    return set(np.flatnonzero((known.start[i] <= known.position) & (known.position < known.stop[i])).tolist())


def ranked(of_x, of_y, x, y, strength):
    """Candidates of both ends: by the weaker of their two strengths, then by number."""
    return sorted(of_x | of_y, key=lambda z: (0.0 if strength is None else -min(strength[x, z], strength[y, z]), z))


def first_separating_set(ci, x, y, order, of_x, of_y, strength, home):
    """Ask set by set: the first that separates, its p-value, and the number of tests; a set within home is known."""
    tests = 0
    for given in combinations(ranked(of_x, of_y, x, y, strength), order):
        if (of_x.issuperset(given) or of_y.issuperset(given)) and not home.issuperset(given):
            tests += 1
            result = ci.test(x, y, given)
            if result.independent:
                return given, result.p_value, tests
    return None, np.nan, tests
