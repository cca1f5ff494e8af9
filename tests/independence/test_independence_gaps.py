"""Tables with missing cells and weights: against scipy on the rows that are complete, and on rows that are repeated."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, chi2_contingency

import hccd
from hccd import ChiSquareTest, GTest, MutualInformation
from hccd.errors import InvalidDataError
from hccd.independence.table_data import recode, row_counts
from hccd.tables.weights import row_weights
from method_cases import discrete_net

P_TESTS = [(GTest, "log-likelihood"), (ChiSquareTest, "pearson")]
SPECS = [GTest(), ChiSquareTest(), MutualInformation()]


def gapped(rng, data, share=0.15):
    data = data.astype(float)
    data[rng.random(data.shape) < share] = np.nan
    return data


def by_scipy(data, x, y, given, lambda_, weights=None):
    """Statistic, degrees of freedom and rows of pandas and scipy, summed over strata."""
    frame = pd.DataFrame(data)[[x, y, *given]]
    frame = frame.assign(weight=1.0 if weights is None else weights).dropna()
    statistic, freedom = 0.0, 0
    for _, part in frame.groupby(list(given)) if given else [(None, frame)]:
        (rows, i), (columns, j) = (np.unique(part[v], return_inverse=True) for v in (x, y))
        if min(len(rows), len(columns)) > 1:
            table = np.zeros((len(rows), len(columns)))
            np.add.at(table, (i, j), part["weight"])
            answer = chi2_contingency(table, correction=False, lambda_=lambda_)
            statistic, freedom = statistic + answer.statistic, freedom + answer.dof
    return statistic, freedom, frame["weight"].sum()


DATA = {
    "by bits": lambda rng: discrete_net(rng, 6, 2.5, 400, (2, 3)),
    "by rows": lambda rng: discrete_net(rng, 6, 2.5, 300, (3, 13)),
    "sparse": lambda rng: rng.integers(0, (3, 90, 3, 200, 3, 2), (250, 6)),
}
WEIGHTS = {
    "none": lambda rng, rows: None,
    "counts": lambda rng, rows: rng.integers(1, 5, rows),
    "sampling": lambda rng, rows: rng.gamma(2.0, size=rows),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(("spec", "lambda_"), P_TESTS)
def test_rows_that_are_complete_count_by_their_weight(spec, lambda_, name, weights):
    rng = np.random.default_rng([21, len(name)])
    data = gapped(rng, DATA[name](rng))
    data[:, 5] = rng.integers(0, 2, len(data))
    own = WEIGHTS[weights](rng, len(data))
    ci = spec().bind(data, own)
    # Sampling weights: as many rows as they are worth (Kish).
    theirs = own * own.sum() / (own**2).sum() if weights == "sampling" else own
    for size in range(4):
        for _ in range(4):
            x, y, *given = rng.permutation(6)[: size + 2].tolist()
            statistic, freedom, rows = by_scipy(data, x, y, given, lambda_, theirs)
            found = [part[0] for part in ci._evaluate([x], [y], np.array([given], np.int32).reshape(1, size))]
            np.testing.assert_allclose(found[0], statistic, rtol=1e-5, atol=1e-7)
            assert found[1] == freedom or (freedom == 0 and found[1] == -1)
            if lambda_ == "log-likelihood" and rows:
                np.testing.assert_allclose(found[2], statistic / (2.0 * rows), rtol=1e-5, atol=1e-9)
            if freedom:
                np.testing.assert_allclose(ci.test(x, y, given).p_value, chi2.sf(statistic, freedom), rtol=1e-4)
            if size == 0:
                np.testing.assert_allclose(ci.marginals().bias[x, y], freedom / (2.0 * rows), rtol=1e-6)


def test_the_threshold_of_information_is_for_the_rows_that_count():
    rng = np.random.default_rng(22)
    data = gapped(rng, discrete_net(rng, 6, 2.5, 300, (2, 3)), 0.3)
    values = {}
    for x, y, given in ((0, 1, [2]), (1, 3, []), (2, 5, [0, 1])):
        statistic, _, rows = by_scipy(data, x, y, given, "log-likelihood")
        values[x] = statistic / (2.0 * rows)
        for factor in (0.999, 1.001):
            answer = MutualInformation(values[x] * factor).bind(data).test(x, y, given)
            assert answer.independent == (factor > 1.0)
            assert answer.strength == pytest.approx(values[x])


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: type(spec).__name__)
def test_counts_are_what_repeated_rows_are(spec, gaps):
    rng = np.random.default_rng([23, gaps])
    data = discrete_net(rng, 7, 2.5, 150, (2, 5))
    data = gapped(rng, data) if gaps else data
    counts = rng.integers(0, 6, 150)
    one, other = spec.bind(data, counts), spec.bind(np.repeat(data, counts, axis=0))
    assert one.n_samples == other.n_samples == counts.sum()
    for a, b in zip(one._all_pairs(), other._all_pairs(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(one.marginals().bias, other.marginals().bias, rtol=1e-12)
    assert np.array_equal(one.marginals().independent, other.marginals().independent)
    for size in (1, 2, 3):
        asked = np.array([rng.permutation(7)[: size + 2] for _ in range(30)], np.int32)
        for a, b in zip(
            one._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:]),
            other._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:]),
            strict=True,
        ):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


def test_scores_of_counts_are_those_of_repeated_rows():
    rng = np.random.default_rng(24)
    data, counts = discrete_net(rng, 7, 2.5, 150, (2, 5)), rng.integers(0, 6, 150)
    one = GTest().bind(data, counts).families(5)
    other = GTest().bind(np.repeat(data, counts, axis=0)).families(5)
    for size in range(5):
        for _ in range(10):
            child, *members = rng.permutation(7)[: size + 1].tolist()
            parents = np.array(sorted(members), np.int32)
            assert one.score(child, parents) == pytest.approx(other.score(child, parents), rel=1e-12)


def test_scores_of_sampling_weights_are_between_those_of_counts():
    """Counts that are scaled to fractions are scored as so many rows: the score of fewer rows is nearer to zero."""
    rng = np.random.default_rng(25)
    data = discrete_net(rng, 4, 2.0, 200, (2, 3))
    whole = GTest().bind(data)
    halves = GTest().bind(np.vstack([data, data]), np.r_[np.full(200, 0.5), np.full(200, 0.5)])
    # Equal weights are all rows, whatever their unit.
    assert halves.n_samples == pytest.approx(400)
    doubled = GTest().bind(np.vstack([data, data]))
    for child in range(4):
        parents = np.array([(child + 1) % 4], np.int32)
        assert halves.families(3).score(child, parents) == pytest.approx(
            doubled.families(3).score(child, parents), rel=1e-6
        )
        assert abs(whole.families(3).score(child, parents)) < abs(halves.families(3).score(child, parents))


@pytest.mark.parametrize("gaps", [False, True])
def test_counts_give_the_graph_of_repeated_rows(gaps):
    for seed in range(4):
        rng = np.random.default_rng([26, seed])
        data = discrete_net(rng, 10, 2.5, 250, (2, 3))
        counts = rng.integers(0, 5, len(data))
        codes, more = recode(gapped(rng, data, 0.1) if gaps else data)
        keys = [bytes([i]) for i in range(10)]
        one = GTest().bind_columns(codes, keys, more, counts)
        other = GTest().bind_columns(np.repeat(codes, counts, axis=1), keys, more)
        # What is filled in is drawn row by row, so copies of a row are filled in each by itself.
        scoring = "none" if gaps else "auto"
        first, second = hccd.discover(one, scoring=scoring), hccd.discover(other, scoring=scoring)
        assert first.graph == second.graph
        assert first.tests.total == second.tests.total
        assert first.graph.skeleton().edges.size


def test_columns_without_gaps_or_weights_are_what_they_were():
    rng = np.random.default_rng(27)
    data = discrete_net(rng, 8, 2.5, 500, (2, 4))
    plain = GTest().bind(data)
    for same in (
        GTest().bind(data.astype(float)),
        GTest().bind(data, np.ones(500)),
        GTest().bind_columns(plain.codes, plain._keys, np.zeros(8, bool)),
    ):
        assert not same.has_gaps and same.data.counted is None and same.completed(None) is same
        assert all(np.array_equal(a, b) for a, b in zip(plain._all_pairs(), same._all_pairs(), strict=True))
        assert len(same.content()) == 1


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: type(spec).__name__)
def test_columns_that_tell_nothing(spec):
    rng = np.random.default_rng(28)
    data = gapped(rng, discrete_net(rng, 5, 2.0, 200, (2, 3)), 0.1)
    data[:, 3] = np.nan
    data[:, 4] = np.where(np.isnan(data[:, 4]), np.nan, 1.0)
    ci = spec.bind(data)
    assert ci.states.tolist()[3:] == [0, 1]
    for constant in (3, 4):
        assert ci.marginals().independent[constant, :3].all()
        assert ci.test(0, constant).independent and ci.test(constant, 1, [2]).independent
        assert ci.test(0, constant).strength == 0.0
    graph = hccd.discover(ci).graph
    assert not any({3, 4} & set(edge) for edge in graph.skeleton().edges.tolist())


def test_no_row_is_complete():
    """There is nothing to judge by, as where every row is alone in its stratum."""
    data = np.array([[0, np.nan, 0], [1, np.nan, 1], [np.nan, 0, 0], [np.nan, 1, 1]] * 10)
    for spec in (GTest(), ChiSquareTest()):
        answer = spec.bind(data).test(0, 1)
        assert not answer.independent and np.isnan(answer.p_value) and answer.strength == 0.0
    # The score has no evidence either.
    assert [0, 1] not in hccd.discover(GTest().bind(data)).graph.skeleton().edges.tolist()


def test_the_threshold_is_chosen_with_gaps_and_counts():
    """The paper's choice compares graphs by BDeu: by rows as often as they count, a missing cell being a state."""
    rng = np.random.default_rng(32)
    data, counts = discrete_net(rng, 6, 2.0, 200), rng.integers(0, 4, 200)
    codes, states = MutualInformation().bind(data, counts).data.repeated()
    assert np.array_equal(codes, np.repeat(recode(data)[0], counts, axis=1))
    assert states.tolist() == [len(set(column)) for column in codes.tolist()]
    codes, states = MutualInformation().bind(gapped(rng, data), counts / 7.0).data.repeated()
    assert codes.max(axis=1).tolist() == (states - 1).tolist()


def test_another_process_and_another_order():
    rng = np.random.default_rng(29)
    ci = GTest().bind(gapped(rng, discrete_net(rng, 6, 2.5, 300)), rng.gamma(2.0, size=300))
    order = rng.permutation(6)
    moved = pickle.loads(pickle.dumps(ci)).reordered(order)
    assert moved.test(0, 1, [2]) == ci.test(*order[:2].tolist(), [int(order[2])])
    assert moved.has_gaps and np.array_equal(moved.data.gaps, ci.data.gaps[order])


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        (np.ones(3), "3 weights for 4 rows"),
        (np.array(["a"] * 4), "not all numbers"),
        (np.array([1.0, -1.0, 1.0, 1.0]), "negative one in row 2"),
        (np.array([1.0, np.nan, 1.0, 1.0]), "1 missing value"),
        (np.zeros(4), "all zero"),
    ],
)
def test_weights_that_are_none(weights, error):
    with pytest.raises(InvalidDataError, match=error):
        GTest().bind(np.array([[0, 1], [1, 0], [0, 0], [1, 1]]), weights)


def test_weights_of_any_size():
    """Sums beyond 31 bits, and weights that differ by many powers of ten."""
    huge = row_counts(np.array([3e9, 1e9, 5.0]))
    assert huge.unit * huge.counts.sum(dtype=np.int64) == pytest.approx(4e9 + 5) and huge.counts.min() == 1
    for scale in (1e-300, 1.0, 1e300):
        own = row_counts(row_weights(np.array([0.5, 1.5, 1.0]) * scale, 3, "the weights").weights)
        assert own.unit * own.counts.sum() == pytest.approx(9 / 3.5)
    data = np.random.default_rng(30).integers(0, 2, (4, 3))
    assert GTest().bind(data, [1e12, 2e12, 1e12, 1e12]).n_samples == pytest.approx(5e12)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "lambda_"), P_TESTS)
def test_as_often_dependent_as_alpha_says(spec, lambda_):
    """A fifth of the cells is missing; orders 0, 1 and 2; of 2,000 repetitions 5 % within three deviations."""
    rng, hits = np.random.default_rng(31), np.zeros(3)
    for _ in range(2000):
        z = rng.integers(0, 2, (600, 2))
        pairs = [rng.random((600, 2)) < 0.5]
        for label in (z[:, 0], 2 * z[:, 0] + z[:, 1]):
            pairs += [rng.random((600, 2)) < rng.uniform(0.25, 0.75, (4, 2))[label]]
        ci = spec().bind(gapped(rng, np.hstack([*pairs, z]), 0.2))
        hits += [
            not ci.test(0, 1).independent,
            not ci.test(2, 3, [6]).independent,
            not ci.test(4, 5, [6, 7]).independent,
        ]
    assert np.all(np.abs(hits / 2000 - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 2000))
