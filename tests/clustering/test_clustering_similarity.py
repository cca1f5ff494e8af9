from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from hccd.clustering import similarity
from hccd.clustering.similarity import weighted_pairs
from hccd.errors import InvalidDataError, InvalidParameterError


@pytest.fixture
def pair():
    return np.array([[1.0, 0.6], [0.6, 1.0]])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("strength", 0.6), ("squared", 0.36), ("information", -0.5 * np.log(1 - 0.36))],
)
def test_measures(pair, measure, expected):
    W = similarity(pair, measure=measure)
    assert W[0, 1] == W[1, 0] == pytest.approx(expected)
    assert W[0, 0] == W[1, 1] == 0.0


def test_argument_is_left_alone(pair):
    before = pair.copy()
    for measure in ("strength", "squared", "information"):
        similarity(pair, measure=measure, independent=np.zeros((2, 2), bool))[0, 1] = 7.0
        similarity(pair, measure=measure)[0, 1] = 7.0
    np.testing.assert_array_equal(pair, before)


def test_information_of_a_duplicate_is_large_and_finite():
    W = similarity(np.array([[1.0, 1.0, 0.9], [1.0, 1.0, 0.9], [0.9, 0.9, 1.0]]), measure="information")
    assert np.isfinite(W).all()
    assert W[0, 1] > 10 > W[0, 2] > 0


def test_information_reads_no_diagonal():
    entropies = np.array([[2.5, 0.4], [0.4, 1.9]])
    assert similarity(entropies, measure="information")[0, 1] == pytest.approx(-0.5 * np.log(1 - 0.16))


def test_information_of_mutual_information_is_refused():
    with pytest.raises(InvalidParameterError, match=r"at most 1, got 1\.3"):
        similarity(np.array([[0.0, 1.3], [1.3, 0.0]]), measure="information")


@pytest.mark.parametrize("measure", ["strength", "squared", "information"])
def test_bias_is_taken_off_and_a_dependent_pair_keeps_something(measure):
    strength = np.array([[0.0, 0.5, 0.1], [0.5, 0.0, 0.2], [0.1, 0.2, 0.0]])
    bias = np.full((3, 3), 0.2)
    W = similarity(strength, bias=bias, measure=measure)
    plain = similarity(np.maximum(strength - bias, 0), measure=measure)
    assert W[0, 1] == plain[0, 1] > 0
    assert 0 < W[0, 2] < 1e-9
    assert 0 < W[1, 2] < 1e-9
    assert not W.diagonal().any()


def test_independent_pairs_weigh_nothing_dense_and_sparse(strengths):
    for n, sparse in ((60, False), (400, True)):
        strength, independent = strengths(n, 2, seed=1)
        W = similarity(strength, independent=independent)
        assert isinstance(W, csr_array) == sparse
        dense = W.toarray() if sparse else W
        expected = np.where(independent, 0.0, strength)
        np.fill_diagonal(expected, 0.0)
        np.testing.assert_array_equal(dense, expected)
        if sparse:
            assert W.has_sorted_indices
            assert W.has_canonical_format


def test_many_dependent_pairs_stay_dense():
    n = 400
    independent = np.zeros((n, n), bool)
    assert isinstance(similarity(np.full((n, n), 0.5), independent=independent), np.ndarray)


def test_sparse_stores_no_zeros_and_keeps_the_bias_floor():
    n = 300
    strength = np.zeros((n, n))
    strength[0, 1] = strength[1, 0] = 0.5
    independent = np.ones((n, n), bool)
    independent[0, 1:3] = independent[1:3, 0] = False
    assert similarity(strength, independent=independent).nnz == 2
    W = similarity(strength, independent=independent, bias=np.full((n, n), 0.1))
    assert W.nnz == 4
    assert 0 < W[0, 2] < 1e-9


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1])
def test_unusable_strengths_name_the_pair(bad):
    strength = np.zeros((4, 4))
    strength[2, 3] = strength[3, 2] = bad
    with pytest.raises(InvalidDataError, match="variables 2 and 3"):
        similarity(strength)
    with pytest.raises(InvalidDataError, match=r"bias .* variables 2 and 3"):
        similarity(np.zeros((4, 4)), bias=strength)


def test_diagonal_is_not_read():
    strength = np.array([[np.nan, 0.3], [0.3, -1.0]])
    np.testing.assert_array_equal(similarity(strength), [[0.0, 0.3], [0.3, 0.0]])


def test_asymmetry_is_refused_but_rounding_is_not():
    strength = np.zeros((600, 600))
    strength[5, 590] = 0.3
    with pytest.raises(InvalidDataError, match=r"0\.3 and 0 for variables 5 and 590"):
        similarity(strength)
    strength[590, 5] = 0.3 * (1 + 1e-15)
    W = similarity(strength)
    np.testing.assert_array_equal(W, W.T)
    independent = np.zeros((600, 600), bool)
    independent[3, 599] = True
    with pytest.raises(InvalidDataError, match="variables 3 and 599"):
        similarity(strength, independent=independent)


@pytest.mark.parametrize("shape", [(2, 3), (4,), (0, 0)])
def test_shape_of_strength(shape):
    with pytest.raises(InvalidDataError, match="square"):
        similarity(np.zeros(shape))


def test_shapes_and_types_of_the_rest(pair):
    with pytest.raises(InvalidDataError, match="shape of strength"):
        similarity(pair, bias=np.zeros((3, 3)))
    with pytest.raises(InvalidDataError, match="boolean matrix"):
        similarity(pair, independent=np.zeros((3, 3), bool))
    with pytest.raises(InvalidDataError, match="boolean matrix"):
        similarity(pair, independent=np.zeros((2, 2)))
    with pytest.raises(InvalidParameterError, match="'cubed'"):
        similarity(pair, measure="cubed")


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 16, 33, 70])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.97, 1.0])
def test_pairs_are_the_upper_half_of_the_matrix(n, share):
    rng = np.random.default_rng([n, int(100 * share)])
    strength = rng.random((n, n)) * (rng.random((n, n)) < 0.9)
    strength = np.triu(strength, 1) + np.triu(strength, 1).T
    independent = np.triu(rng.random((n, n)) < share, 1)
    independent |= independent.T
    independent[np.diag_indices(n)] = rng.random(n) < 0.5  # not read
    bias = np.full((n, n), 0.1)
    for given_bias in (None, bias):
        found = weighted_pairs(strength, bias=given_bias, independent=independent)
        rows = np.repeat(np.arange(n), np.diff(found.first))
        expected = np.where(independent, 0.0, strength if given_bias is None else np.maximum(strength - bias, 1e-12))
        x, y = np.nonzero(np.triu(expected, 1))
        assert (rows.tolist(), found.columns.tolist()) == (x.tolist(), y.tolist())
        np.testing.assert_array_equal(found.weights, expected[x, y])
    everything = weighted_pairs(strength)
    assert len(everything.weights) == np.count_nonzero(np.triu(strength))


@pytest.mark.parametrize(
    ("wrong", "pair"), [([(5, 2)], "2 and 5"), ([(2, 5)], "2 and 5"), ([(1, 4), (6, 3)], "1 and 4")]
)
def test_pairs_that_are_independent_in_one_direction_only(wrong, pair):
    independent = np.zeros((8, 8), bool)
    for x, y in wrong:
        independent[x, y] = True
    with pytest.raises(InvalidDataError, match=f"variables {pair} are independent in one"):
        weighted_pairs(np.full((8, 8), 0.5), independent=independent)


def test_pairs_called_independent_are_not_read():
    strength = np.full((4, 4), 0.5)
    independent = np.zeros((4, 4), bool)
    independent[0, 3] = independent[3, 0] = True
    strength[0, 3] = np.nan
    assert len(weighted_pairs(strength, independent=independent).weights) == 5
    strength[1, 2] = np.nan
    with pytest.raises(InvalidDataError, match="finite"):
        weighted_pairs(strength, independent=independent)


def test_pairs_of_rounded_halves_are_averaged():
    strength = np.array([[0.0, 0.3], [np.nextafter(np.nextafter(0.3, 1), 1), 0.0]])
    assert weighted_pairs(strength).weights.tolist() == [np.nextafter(0.3, 1)]
    with pytest.raises(InvalidDataError, match="symmetric"):
        weighted_pairs(np.array([[0.0, 0.3], [0.4, 0.0]]))
