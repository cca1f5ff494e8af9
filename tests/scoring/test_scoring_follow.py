"""A DAG beside the verdicts of the tests: its class, its reasons, and what it follows, by definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from hccd.graphs import dag_to_cpdag
from hccd.orientation import Triple, Triples, follow
from method_cases import random_dag, true_cpdag

RULES = {"R1", "R2", "R3", "R4"}


def random_verdicts(rng, n):
    """Verdicts about any triples: some are no unshielded triples of the DAG."""
    listed = [(x, z, y) for x, y in combinations(range(n), 2) for z in range(n) if z not in (x, y)]
    return [
        Triple(x, z, y, (True, False, None)[int(rng.integers(3))], (), float(rng.random()))
        for x, z, y in listed
        if rng.random() < 0.5
    ]


def test_by_definition():
    seen = dict.fromkeys(("followed", "dropped", "denied", "collider", "score"), 0)
    for seed in range(120):
        rng = np.random.default_rng([51, seed])
        n = int(rng.integers(0, 10))
        dag = random_dag(rng, n, rng.choice([0.2, 0.4, 0.7]))
        verdicts = random_verdicts(rng, n)
        oriented = follow(dag, Triples.of(verdicts))
        joined = dag.skeleton().has_edge

        def unshielded(t, joined=joined):
            return joined(t.x, t.z) and joined(t.z, t.y) and not joined(t.x, t.y)

        def collides(t, dag=dag, unshielded=unshielded):
            return unshielded(t) and {t.x, t.y} <= set(dag.parents(t.z))

        assert oriented.graph == dag_to_cpdag(dag) == true_cpdag(dag)
        followed = [i for i, t in enumerate(verdicts) if t.collider is True and collides(t)]
        dropped = [t for t in verdicts if t.collider is True and unshielded(t) and not collides(t)]
        denied = [t for t in verdicts if t.collider is False and collides(t)]
        assert oriented.followed.tolist() == followed
        expected = [("dropped", t.x, t.z, t.y, t.p_value, "the score is higher with other directions") for t in dropped]
        expected += [("forced", t.x, t.z, t.y, t.p_value, "the score is higher with a collider there") for t in denied]
        assert [tuple(conflict) for conflict in oriented.conflicts] == expected

        arrows = set(map(tuple, oriented.graph.directed_edges().tolist()))
        assert set(oriented.reasons) == arrows and len(oriented.reasons) == len(arrows)
        supported = {(end, t.z) for i in followed for t in [verdicts[i]] for end in (t.x, t.y)}
        colliders = {
            (end, z)
            for z in range(n)
            for x, y in combinations(sorted(dag.parents(z)), 2)
            if not joined(x, y)
            for end in (x, y)
        }
        for arrow, why in oriented.reasons.items():
            wanted = {"collider"} if arrow in supported else {"score"} if arrow in colliders else RULES
            assert why in wanted
            seen[why] = seen.get(why, 0) + 1
        for name, count in (("followed", followed), ("dropped", dropped), ("denied", denied)):
            seen[name] += len(count)
    assert min(seen[name] for name in ("followed", "dropped", "denied", "collider", "score", "R1", "R2")) >= 20
