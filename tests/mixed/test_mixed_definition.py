"""The degenerate Gaussian test and its score against determinants and regressions, and how often the test errs."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from mixed_cases import KINDS, column, family_score, likelihood_ratio, random_table, table_of
from scipy.stats import chi2

import hccd
from hccd.errors import DataWarning
from hccd.independence import DegenerateGaussian, FisherZ
from hccd.independence.degenerate_gaussian import embedding
from hccd.tables import as_table, mixed_columns


def bound(table, alpha=0.05):
    return DegenerateGaussian(alpha).bind(table)


@pytest.mark.parametrize("seed", range(3))
def test_mixed_statistics_are_likelihood_ratios(seed):
    table = random_table(seed)
    test = bound(table)
    n = table.n_columns
    for x, y in combinations(range(n), 2):
        others = [z for z in range(n) if z not in (x, y)]
        for order in range(4):
            for given in list(combinations(others, order))[:3]:
                answer = test.test(x, y, given)
                statistic, freedom = likelihood_ratio(table, x, y, given)
                assert answer.statistic == pytest.approx(statistic, rel=1e-8, abs=1e-8)
                assert answer.p_value == pytest.approx(chi2.sf(statistic, freedom), rel=1e-6, abs=1e-12)
                assert answer.independent == (answer.p_value >= 0.05)


def test_mixed_many_and_marginals_say_what_single_tests_say():
    table = random_table(7)
    test = bound(table)
    pairs = np.array(list(combinations(range(6), 2)), np.int32)
    given = np.array([[z for z in range(6) if z not in pair][:2] for pair in pairs], np.int32)
    many = test.test_many(pairs[:, 0].copy(), pairs[:, 1].copy(), given)
    marginals = test.marginals()
    for e, (x, y) in enumerate(pairs.tolist()):
        single = test.test(x, y, given[e])
        assert many.p_value[e] == single.p_value
        assert many.independent[e] == single.independent
        assert marginals.strength[x, y] == test.test(y, x).strength
        assert marginals.independent[x, y] == test.test(x, y).independent


@pytest.mark.parametrize("seed", range(3))
def test_mixed_scores_are_those_of_regressions(seed):
    table = random_table(seed)
    families = bound(table).families(4)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        child, *parents = rng.permutation(6)[: rng.integers(1, 5)].tolist()
        expected = family_score(table, child, parents, table.n_rows - 3)
        assert families.score(child, np.array(parents, np.int32)) == pytest.approx(expected, rel=1e-8, abs=1e-7)


def test_mixed_scores_do_not_depend_on_the_order_of_growth():
    table = random_table(1)
    grown, ascending = bound(table).families(4), bound(table).families(4)
    for members in ([4], [4, 1], [4, 1, 3], [2, 1, 3], [4, 1]):
        score = grown.score(0, np.array(members, np.int32))
        assert score == pytest.approx(ascending.score(0, np.array(sorted(members), np.int32)), rel=1e-9)


def test_mixed_scores_of_both_directions_are_equal():
    families = bound(random_table(2)).families(4)
    for x, y in combinations(range(6), 2):
        gain = [families.score(a, np.array([b], np.int32)) for a, b in ((x, y), (y, x))]
        assert gain[0] == pytest.approx(gain[1], rel=1e-8)


def test_mixed_continuous_columns_are_judged_as_by_fisher_z():
    rng = np.random.default_rng(5)
    data = rng.normal(size=(400, 4)) @ (np.eye(4) + 0.1 * rng.normal(size=(4, 4)))
    dg, fisher = DegenerateGaussian().bind(data), FisherZ().bind(data)
    for given in ([], [2], [2, 3]):
        assert dg.test(0, 1, given).p_value == pytest.approx(fisher.test(0, 1, given).p_value, abs=0.005)


def test_mixed_redundant_columns_lower_the_degrees_of_freedom():
    rng = np.random.default_rng(6)
    state = rng.integers(0, 4, 500)
    coarse = state // 2
    y = rng.normal(size=500)
    table = table_of([state, coarse, y, np.zeros(500)], ["nominal", "binary", "continuous", "continuous"])
    test = bound(table)
    # Given the coarse states, two of three columns are left of the fine ones.
    answer = test.test(0, 2, [1])
    assert answer.p_value == pytest.approx(chi2.sf(answer.statistic, 2))
    # The fine states determine the coarse ones: nothing to judge by.
    assert np.isnan(test.test(1, 2, [0]).p_value)
    assert not test.test(1, 2, [0]).independent
    assert not test.test(0, 1).independent
    # A constant is independent of everything.
    assert test.test(2, 3).independent
    assert test.test(0, 3).independent


def test_mixed_too_few_rows_leave_nothing_to_judge_by():
    data = np.random.default_rng(3).normal(size=(10, 10))
    assert not np.isnan(bound(data).test(0, 1, range(2, 8)).p_value)
    answer = bound(data).test(0, 1, range(2, 10))
    assert not answer.independent
    assert np.isnan(answer.p_value)


def test_mixed_names_of_states_and_places_of_columns_do_not_matter():
    table = random_table(4)
    columns = [np.asarray(values) for values in table.columns]
    renamed = [
        np.array([{"a": "x", "b": "k", "c": "zz", "d": "b"}.get(v, v) for v in c], object) if c.dtype == object else c
        for c in columns
    ]
    kinds = ["continuous", "nominal", "binary", "ordinal", "nominal", "continuous"]
    order = [3, 5, 0, 4, 2, 1]
    other = table_of([renamed[i] for i in order], [kinds[i] for i in order])
    first, second = (mixed_columns(each) for each in (table, other))
    assert [first.keys[i] for i in order] == second.keys
    a, b = bound(table), bound(other)
    where = np.argsort(order)
    for x, y in combinations(range(6), 2):
        given = [z for z in range(6) if z not in (x, y)][:2]
        if where[x] < where[y]:
            assert a.test(x, y, given).statistic == b.test(where[x], where[y], where[given]).statistic
    embedded, blocks = embedding(first, np.arange(6))
    assert len(embedded) == 10
    assert blocks.tolist() == [0, 1, 4, 5, 6, 9, 10]


def test_mixed_strengths_are_on_one_scale():
    rng = np.random.default_rng(8)
    x = rng.normal(size=20_000)
    noise = rng.normal(size=20_000)
    table = table_of(
        [
            x,
            0.6 * x + 0.8 * noise,
            column("nominal", rng.normal(size=20_000)),
            column("nominal", rng.normal(size=20_000)),
        ],
        ["continuous", "continuous", "nominal", "nominal"],
    )
    strength = bound(table).marginals().strength
    assert strength[0, 1] == pytest.approx(abs(np.corrcoef(table.columns[0], table.columns[1])[0, 1]), abs=1e-3)
    # Nine degrees of freedom would show .02 by chance.
    assert strength[2, 3] < 0.02
    assert strength.min() >= 0.0
    assert strength.max() <= 1.0


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("kind_x", "kind_y"), list(combinations_with_replacement(KINDS, 2)))
def test_mixed_type_one_error(kind_x, kind_y, order):
    repetitions, wrong = 600, 0
    rng = np.random.default_rng(order)
    kinds = [kind_x, kind_y, "continuous", "nominal"][: 2 + order]
    for _ in range(repetitions):
        z = rng.normal(size=(200, 2))
        # Both depend on the first that is given, if one is.
        x, y = (rng.normal(size=200) + 0.4 * z[:, 0] * (order > 0) for _ in "xy")
        columns = [column(kind_x, x), column(kind_y, y), z[:, 0], column("nominal", z[:, 1])][: 2 + order]
        wrong += not bound(table_of(columns, kinds)).test(0, 1, range(2, 2 + order)).independent
    # Three standard errors of 600 repetitions around .05.
    assert 0.023 <= wrong / repetitions <= 0.077


def test_mixed_table_as_data():
    table = as_table({"a": ["x", "y"] * 20, "b": np.arange(40) * 0.5})
    assert bound(table).n_variables == 2


def test_mixed_scores_tell_no_more_of_states_than_there_is_to_tell():
    """Two columns of the same coins tell each other, at most their entropy; what numbers tell has no limit."""
    rng = np.random.default_rng(4)
    coins, numbers = rng.integers(0, 2, 40), rng.normal(size=40)
    data = {"a": coins, "b": 1 - coins, "x": numbers, "y": numbers + 1e-4 * rng.normal(size=40)}
    families = DegenerateGaussian().bind(data).families(4)
    share = coins.mean()
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    for child, parent in ((0, 1), (1, 0)):
        assert families.score(child, np.array([parent], np.int32)) == pytest.approx(37 * entropy - 0.5 * np.log(37))
    assert families.score(2, np.array([3], np.int32)) > 37 * 5


def test_mixed_few_rows_of_unrelated_columns_have_no_edges():
    rng = np.random.default_rng(5)
    coins, dice, numbers = rng.integers(0, 2, (10, 60)), rng.integers(0, 4, (10, 60)), rng.normal(size=(10, 60))
    names = [f"{kind}{i}" for kind in "cdn" for i in range(60)]
    columns = dict(zip(names, np.hstack([coins, dice, numbers]).T, strict=True))
    with pytest.warns(DataWarning):
        assert len(hccd.discover(columns).edges()) <= 9
