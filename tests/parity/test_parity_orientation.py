"""Compiled orientation kernels and the same files run by Python: the same graphs, conflicts, reasons and questions."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES

import numpy as np
import pytest

import hccd
from hccd.errors import NotExtendableError
from hccd.graphs import PDAG, Skeleton, dag_to_cpdag, meek_closure, pdag_to_dag, v_structures
from hccd.graphs.separators import Separations
from hccd.orientation import COLLIDER_RULES, CONFLICT_POLICIES, Triple, orient
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree
from uncompiled import compiled, uncompiled

NAMES = ("adjacency", "acceptance", "extension", "meek", "untested")


@pytest.fixture
def plainly(monkeypatch):
    """Call a function with every kernel replaced by its uncompiled source, wherever it was imported to."""

    def call(function):
        with monkeypatch.context() as patch:
            replaced = 0
            for kernel in NAMES:
                fast = compiled(kernel)
                for module in [module for name, module in sys.modules.items() if name.startswith("hccd.")]:
                    if module.__name__.startswith("hccd._kernels"):
                        continue
                    for attribute, value in list(vars(module).items()):
                        if getattr(value, "__module__", None) == fast.__name__:
                            patch.setattr(module, attribute, getattr(uncompiled(kernel), attribute))
                            replaced += 1
            assert replaced >= 10
            return function()

    return call


@pytest.mark.parametrize("name", NAMES)
def test_one_side_is_compiled_and_the_other_is_not(name):
    assert compiled(name).__file__.endswith(tuple(EXTENSION_SUFFIXES))
    assert uncompiled(name).__file__.endswith(".py")
    assert not uncompiled(name).cython.compiled


def edges_of(graph):
    return graph.directed_edges().tolist(), graph.undirected_edges().tolist()


def described(oriented):
    return edges_of(oriented.graph), repr(oriented.conflicts), dict(oriented.reasons), oriented.followed.tolist()


@pytest.mark.parametrize("policy", CONFLICT_POLICIES)
def test_orientation(policy, plainly):
    conflicts = 0
    for seed in range(12):
        rng = np.random.default_rng([21, seed])
        n = int(rng.integers(0, 22))
        pairs = [(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < rng.choice([0.15, 0.4])]
        skeleton = Skeleton.from_edges(n, pairs)
        found = skeleton.rows.unshielded()
        triples = [
            Triple(x, z, y, (True, True, False, None)[int(rng.integers(4))], (), float(rng.choice([np.nan, 0.5, 0.7])))
            for x, z, y in zip(
                skeleton.rows.neighbors[found.x_slot].tolist(),
                skeleton.rows.owner[found.x_slot].tolist(),
                skeleton.rows.neighbors[found.y_slot].tolist(),
                strict=True,
            )
        ]

        def oriented(n=n, pairs=pairs, triples=triples):
            return orient(Skeleton.from_edges(n, pairs), triples, policy)

        compiled, plain = oriented(), plainly(oriented)
        assert described(compiled) == described(plain), seed
        conflicts += len(compiled.conflicts)
    assert conflicts > 50


@pytest.mark.parametrize("rule", COLLIDER_RULES)
def test_whole_runs(rule, plainly):
    for seed in range(3):
        rng = np.random.default_rng([22, seed])
        data = linear_gaussian(rng, 18, 3, 300) if seed % 2 else discrete_net(rng, 12, 3, 200)
        tree = random_tree(rng, data.shape[1]) if seed else None

        def run(data=data, tree=tree, seed=seed):
            return hccd.discover(data, test="fisher-z" if seed % 2 else "g", tree=tree, colliders=rule)

        one, other = run(), plainly(run)
        assert edges_of(one.graph) == edges_of(other.graph)
        assert repr(one.colliders) == repr(other.colliders) and repr(one.conflicts) == repr(other.conflicts)
        assert dict(one.reasons) == dict(other.reasons)
        assert one.tests == other.tests


def extension_or_error(graph):
    try:
        return edges_of(pdag_to_dag(graph))
    except NotExtendableError as error:
        return str(error)


def test_graphs(plainly):
    for seed in range(60):
        rng = np.random.default_rng([23, seed])
        n = int(rng.integers(0, 12))
        marks = (rng.random((n, n)) < 0.25) & ~np.eye(n, dtype=bool)
        dag = random_dag(rng, n, 0.3)

        def results(marks=marks, dag=dag):
            graph, copy = PDAG(marks), PDAG.from_edges(dag.n, dag.directed_edges())
            return (
                extension_or_error(graph),
                edges_of(meek_closure(graph)),
                v_structures(graph),
                edges_of(dag_to_cpdag(copy)),
                edges_of(pdag_to_dag(dag_to_cpdag(copy))),
                [graph.parents(v) + graph.children(v) + graph.neighbors(v) for v in range(graph.n)],
            )

        assert results() == plainly(results), seed


def test_separations(plainly):
    for seed in range(20):
        rng = np.random.default_rng([24, seed])
        n = 12
        pairs = np.array([(a, b) for a in range(n) for b in range(a + 1, n) if rng.random() < 0.4], np.int32)
        given = rng.integers(0, n, (len(pairs), 2)).astype(np.int32)
        separations = Separations.of_one_order(pairs.reshape(-1, 2), given, rng.random(len(pairs)))
        order = rng.permutation(n)
        asked = np.sort(rng.integers(0, n, (30, 2)), axis=1).astype(np.int32)

        def results(separations=separations, order=order, asked=asked):
            moved, rows = separations.relabelled(order)
            found = separations.rows_of(asked[:, 0].copy(), asked[:, 1].copy())
            return [list(moved), rows.tolist(), found.tolist()]

        one = results()
        assert one == plainly(results)
        listed = separations.pairs.tolist()
        assert one[2] == [listed.index(pair) if pair in listed else -1 for pair in asked.tolist()]
        assert [separation.edge for separation in one[0]] == sorted(separation.edge for separation in one[0])
