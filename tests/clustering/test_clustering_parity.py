"""Compiled kernels of clustering and the same files run by Python: the same bits."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from inspect import isfunction
from types import SimpleNamespace

import numpy as np
import pytest

from hccd._kernels.clustering import bisection, cluster_graph, line, second_eigenvector, tridiagonal
from hccd._kernels.search import pairs
from hccd.clustering.similarity import weighted_pairs
from uncompiled import uncompiled

PLAIN = SimpleNamespace(
    **{
        name: uncompiled(name)
        for name in ("line", "pairs", "cluster_graph", "tridiagonal", "second_eigenvector", "bisection")
    }
)


def test_one_side_is_compiled_and_the_other_is_not():
    for module in (bisection, cluster_graph, line, pairs, second_eigenvector, tridiagonal):
        assert module.__file__.endswith(tuple(EXTENSION_SUFFIXES))
        plain = getattr(PLAIN, module.__name__.rpartition(".")[2])
        assert plain.__file__.endswith(".py")
        assert not plain.cython.compiled
    assert issubclass(PLAIN.bisection.Bisection, PLAIN.cluster_graph.ClusterGraph)
    assert isfunction(PLAIN.bisection.Bisection.grow)
    assert not isfunction(bisection.Bisection.grow)


def grown(module, graph, *how):
    growth = module.Bisection(graph.first, graph.columns.copy(), graph.weights.copy())
    return growth.result(growth.grow(*how))


def assert_same_bits(graph, *how):
    """Compare the two sides; return the number of clusters."""
    compiled, plain = (grown(module, graph, *how) for module in (bisection, PLAIN.bisection))
    for one, other in zip(compiled, plain, strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    return len(compiled[1])


@pytest.mark.parametrize(("n", "rho"), [(5, 2), (12, 3), (40, 2), (40, 5), (90, 3)])
def test_growth(strengths, n, rho):
    strength, independent = strengths(n, rho, seed=n)
    for screened in (independent, None) if n <= 40 else (independent,):
        graph = weighted_pairs(strength, independent=screened)
        for how in ((3, n, 0.0), (5, 2, 0.3)):
            assert assert_same_bits(graph, *how) >= (3 if n > 5 else 1)


def test_growth_of_special_graphs():
    n = 25
    star = np.zeros((n, n))
    star[0, 1:] = star[1:, 0] = 0.5
    path = np.diag(np.full(n - 1, 0.5), 1)
    two = np.kron(np.eye(2), np.ones((6, 6)))
    for W in (star, path + path.T, two, np.ones((n, n)), np.zeros((4, 4)), np.ones((2, 2)), np.ones((1, 1))):
        assert_same_bits(weighted_pairs(W), 1, len(W), 0.0)


def test_points_on_a_line():
    rng = np.random.default_rng(0)
    for n in (2, 3, 12, 13, 25, 60, 100):
        for points in (rng.standard_normal(n), rng.integers(0, 4, n).astype(float), np.ones(n)):
            for fraction in (0.0, 0.2, 0.5):
                compiled, plain = [
                    (
                        module.cut_line(
                            u := points.copy(), n, fraction, o := np.zeros(n, np.intc), np.zeros(n, np.intc)
                        ),
                        u,
                        o,
                    )
                    for module in (line, PLAIN.line)
                ]
                assert compiled[0] == plain[0]
                assert compiled[1].tobytes() == plain[1].tobytes()
                assert compiled[2].tolist() == plain[2].tolist()


@pytest.mark.parametrize("n", [1, 2, 7, 8, 17, 40])
def test_pairs(n):
    rng = np.random.default_rng(n)
    strength = rng.random((n, n))
    strength += strength.T
    strength[np.tril_indices(n, -1)] *= 1 + 1e-15
    for share in (0.0, 0.5, 0.9, 1.0):
        apart = np.triu(rng.random((n, n)) < share, 1)
        apart |= apart.T
        flat = apart.reshape(-1).view(np.uint8)
        words = flat[: n * n // 8 * 8].view(np.uint64)
        room = (n * n - n - int(apart.sum())) // 2
        sides = []
        for module in (pairs, PLAIN.pairs):
            first, columns, values = np.zeros(n + 1, np.int64), np.zeros(room, np.intc), np.zeros(room)
            assert module.find_pairs(n, flat, words, first, columns) == room
            assert module.read_pairs(strength, first, columns, values, False)
            sides.append(b"".join(array.tobytes() for array in (first, columns, values)))
            # Signs are left aside, where there may be any.
            signed = np.zeros(room)
            assert module.read_pairs(-strength, first, columns, signed, True)
            assert signed.tobytes() == values.tobytes()
            assert module.read_pairs(-strength, first, columns, signed, False) is (room == 0)
        assert sides[0] == sides[1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1, 0.7])
def test_pairs_that_cannot_be_used(bad):
    for place in ((1, 3), (3, 1)):
        strength = np.full((5, 5), 0.5)
        strength[place] = bad
        first, columns = np.array([0, 1, 3, 3, 3, 3]), np.array([2, 3, 4], np.intc)
        for module in (pairs, PLAIN.pairs):
            assert not module.read_pairs(strength, first, columns, np.zeros(3), False)
    apart = np.zeros((5, 5), np.uint8)
    apart[3, 1] = 1
    for module in (pairs, PLAIN.pairs):
        assert (
            module.find_pairs(
                5, apart.reshape(-1), apart.reshape(-1)[:24].view(np.uint64), np.zeros(6, int), np.zeros(9, np.intc)
            )
            < 0
        )
