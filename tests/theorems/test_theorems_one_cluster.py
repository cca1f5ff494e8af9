"""A tree of one cluster is PC: the same questions in the same order as a textbook PC that shares no code with it."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
import textbook_pc
from scipy.stats import chi2, norm

import hccd
from hccd.independence import BoundCITest, CIResult
from method_cases import discrete_net, linear_gaussian, random_dag

VARIANTS = [(stable, ordering) for stable in (True, False) for ordering in ("strength", "column")]


class Recorded(BoundCITest):
    """Any function as a test; it remembers what it was asked, and offers no compiled level search."""

    has_p_values = False

    def __init__(self, n, independent, strength):
        self.n = n
        self.independent = independent
        self.matrix = strength
        self.questions = []

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        self.questions.append((x, y, frozenset(given)))
        return CIResult(self.independent(x, y, tuple(given)), self.matrix[x][y])


def learn(ci, names, stable, ordering, **options):
    textbook = {"correction": "none", "colliders": "separating-set", "conflicts": "first"}
    return hccd.discover(
        ci, method="pc", baseline=hccd.PC(stable=stable, ordering=ordering), names=names, **textbook, **options
    )


def names_in_order(n):
    """Names whose alphabetical order is the order of the columns."""
    return [f"v{i:03d}" for i in range(n)]


def by_order(questions):
    sizes = [len(given) for _, _, given in questions]
    return tuple(sizes.count(k) for k in range(max(sizes) + 1))


def assert_same(result, neighbors, separators, questions):
    assert {v: set(result.skeleton.neighbors(v)) for v in neighbors} == neighbors
    assert {pair: set(given) for pair, given in result.separators.items()} == separators
    counted = tuple(result.tests.by_order)
    assert counted[: len(by_order(questions))] == by_order(questions)
    assert not any(counted[len(by_order(questions)) :])
    assert result.tests.total == len(questions)


@pytest.mark.parametrize(("stable", "ordering"), VARIANTS)
def test_question_by_question_with_a_perfect_test(stable, ordering):
    for seed in range(25):
        rng = np.random.default_rng([3, seed])
        n = int(rng.integers(2, 11))
        oracle = hccd.Oracle(random_dag(rng, n, rng.uniform(0.1, 0.5))).bind()
        strength = rng.random((n, n))
        strength = strength + strength.T

        def independent(x, y, given, oracle=oracle):
            return oracle.test(x, y, given).independent

        ci = Recorded(n, independent, strength)
        result = learn(ci, names_in_order(n), stable, ordering)
        neighbors, separators, questions = textbook_pc.skeleton(
            n, independent, strength, stable=stable, by_strength=ordering == "strength"
        )
        assert ci.questions == questions, f"seed {seed}"
        assert_same(result, neighbors, separators, questions)
        arrows, lines = textbook_pc.orient(n, neighbors, separators)
        assert {tuple(edge) for edge in result.graph.directed_edges().tolist()} == arrows
        assert {tuple(edge) for edge in result.graph.undirected_edges().tolist()} == lines


@pytest.mark.parametrize(("stable", "ordering"), VARIANTS)
def test_question_by_question_with_nonsense_answers(stable, ordering):
    """Answers from a hash belong to no graph at all; the questions must be the textbook's all the same."""
    for seed in range(20):
        rng = np.random.default_rng([4, seed])
        n = int(rng.integers(3, 10))
        share = rng.uniform(0.02, 0.4)
        # Few different strengths, so that ties are decided by number.
        strength = rng.integers(1, 4, (n, n)) / 4.0
        strength = np.minimum(strength, strength.T)

        def independent(x, y, given, seed=seed, share=share):
            digest = hashlib.blake2b(repr((seed, x, y, sorted(given))).encode(), digest_size=4).digest()
            return int.from_bytes(digest, "big") / 2**32 < share

        ci = Recorded(n, independent, strength)
        result = learn(ci, names_in_order(n), stable, ordering)
        neighbors, separators, questions = textbook_pc.skeleton(
            n, independent, strength, stable=stable, by_strength=ordering == "strength"
        )
        assert ci.questions == questions, f"seed {seed}"
        assert_same(result, neighbors, separators, questions)


def partial_correlation_test(data, alpha):
    """Fisher's z from the inverse of a correlation matrix, and |correlations| as strengths."""
    correlation = np.corrcoef(data, rowvar=False)
    bound = norm.ppf(1 - alpha / 2)

    def independent(x, y, given):
        block = np.ix_([x, y, *given], [x, y, *given])
        inverse = np.linalg.inv(correlation[block])
        r = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
        return abs(np.arctanh(r)) * np.sqrt(len(data) - len(given) - 3) <= bound

    return independent, np.abs(correlation)


def g_test(data, alpha):
    """The G test from tables counted with numpy, and mutual information as strength."""

    def g_and_freedom(x, y, given):
        g, freedom = 0.0, 0
        _, stratum = np.unique(data[:, list(given)], axis=0, return_inverse=True) if given else (0, np.zeros(len(data)))
        for s in np.unique(stratum):
            rows = data[stratum.ravel() == s]
            table = np.zeros((rows[:, x].max() + 1, rows[:, y].max() + 1))
            np.add.at(table, (rows[:, x], rows[:, y]), 1)
            table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            full = table > 0
            g += 2 * (table[full] * np.log(table[full] / expected[full])).sum()
            freedom += (table.shape[0] - 1) * (table.shape[1] - 1)
        return g, freedom

    def independent(x, y, given):
        g, freedom = g_and_freedom(x, y, given)
        return freedom == 0 or g <= chi2.isf(alpha, freedom)

    n = data.shape[1]
    strength = np.zeros((n, n))
    for x in range(n):
        for y in range(x):
            strength[x, y] = strength[y, x] = g_and_freedom(x, y, ())[0] / (2 * len(data))
    return independent, strength


@pytest.mark.parametrize(("stable", "ordering"), VARIANTS)
@pytest.mark.parametrize("kind", ["gaussian", "discrete"])
def test_the_compiled_search_finds_the_same_with_as_many_tests(kind, stable, ordering):
    """The library computes in an order of its own; the textbook is given the columns in that order."""
    deepest = 0
    for seed in range(4):
        rng = np.random.default_rng([5, seed])
        if kind == "gaussian":
            data, spec, textbook_test = linear_gaussian(rng, 12, 3, 300), hccd.FisherZ(0.01), partial_correlation_test
        else:
            data, spec, textbook_test = discrete_net(rng, 8, 2.5, 300), hccd.GTest(0.01), g_test
        names = names_in_order(data.shape[1])
        bound = spec.bind(data)
        order = bound.canonical_order(names)
        result = learn(bound, names, stable, ordering)
        neighbors, separators, questions = textbook_pc.skeleton(
            len(order), *textbook_test(data[:, order], 0.01), stable=stable, by_strength=ordering == "strength"
        )
        back = order.tolist()
        assert_same(
            result,
            {back[v]: {back[u] for u in members} for v, members in neighbors.items()},
            {tuple(sorted((back[x], back[y]))): {back[z] for z in given} for (x, y), given in separators.items()},
            questions,
        )
        deepest = max(deepest, len(by_order(questions)) - 1)
    assert deepest >= 2
