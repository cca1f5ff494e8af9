"""Calibration of probabilities, against scikit-learn and against claims whose probability is known."""

import numpy as np
import pytest

from hccd.metrics.calibration import calibration, reliability


def test_brier_score_and_curve_agree_with_scikit_learn():
    sklearn_metrics = pytest.importorskip("sklearn.metrics")
    from sklearn.calibration import calibration_curve

    rng = np.random.default_rng(0)
    probability = rng.random(500)
    right = rng.random(500) < probability**2
    found = calibration(probability, right)
    assert found.brier == pytest.approx(sklearn_metrics.brier_score_loss(right, probability))
    shares, means = calibration_curve(right, probability, n_bins=10)
    points = reliability(probability, right)
    assert [point.right for point in points] == pytest.approx(shares.tolist())
    assert [point.probability for point in points] == pytest.approx(means.tolist())
    by_hand = sum(point.claims * abs(point.right - point.probability) for point in points) / 500
    assert found.ece == pytest.approx(by_hand)


def test_probabilities_that_are_right_have_no_error():
    rng = np.random.default_rng(1)
    probability = rng.random(200_000)
    assert calibration(probability, rng.random(200_000) < probability).ece < 0.01
    # All that is said for sure, and wrong.
    assert calibration(np.ones(5), np.zeros(5, np.bool_)) == (5, 0.0, 1.0, 1.0)


def test_no_claims():
    found = calibration(np.zeros(0), np.zeros(0, np.bool_))
    assert found.claims == 0 and np.isnan(found.ece)
