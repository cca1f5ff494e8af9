"""PC on one cluster in plain Python, through the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hccd.baselines import LocalResult


@dataclass(frozen=True)
class Plain:
    max_order: int | None = None

    exhaustive = False
    ordering = "column"

    def learn(self, variables, initial, edges, ci, context):
        limit = min(k for k in (self.max_order, context.order_limit, len(variables)) if k is not None)
        pairs = [(x, y) for x, y in initial.edges[edges].tolist()]
        near = {v: set(initial.neighbors(v)) for v in range(initial.n)}
        tests = np.zeros((len(pairs), limit + 1), dtype=np.int64)
        separated = {}
        for order in range(1, limit + 1):
            for row, (x, y) in enumerate(pairs):
                sides = () if (x, y) in separated else (near[x] - {y}, near[y] - {x})
                for given in sorted({s for side in sides for s in combinations(sorted(side), order)}):
                    tests[row, order] += 1
                    answer = ci.test(x, y, given)
                    if answer.independent:
                        separated[x, y] = given, answer.p_value
                        near[x].remove(y)
                        near[y].remove(x)
                        break
        return LocalResult.of(initial, separated, tests)

    def describe(self):
        return {"name": "plain", "max_order": self.max_order}
