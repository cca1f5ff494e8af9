"""Means, spreads and ratios against numbers worked out by hand."""

import statistics

import numpy as np
import pytest

from hccd.studies.description import Method, Metric, Study
from hccd.studies.scatter import Points, points
from hccd.studies.summary import cell, groups

BASE, FIRST, SECOND = Method("base"), Method("first", {}, "base", "TSCB"), Method("second", {}, "base", "HCCD")


def study(*metrics):
    return Study("s", "t", "a", "s", "synthetic", "panels", ("n",), (BASE, FIRST, SECOND), metrics, {"quick": {}}, {})


def rows(name, *triples, n=5):
    return [
        {"case": {"n": n, "graph": graph}, "method": label, "values": {name: value}, "seconds": 1.0}
        for graph, triple in enumerate(triples)
        for label, value in zip(("base", "first", "second"), triple, strict=True)
    ]


def test_mean_and_standard_deviation():
    found = cell(study(), rows("shd", (4, 1, 1), (8, 1, 1), (9, 1, 1)), Metric("shd", ""), BASE, (5,))
    assert found == (7.0, pytest.approx(statistics.stdev([4, 8, 9])), 3)


def test_mean_of_ratios_and_ratio_of_means_differ():
    data = rows("extra", (2, 1, 0), (10, 2, 0))
    mean = cell(study(), data, Metric("extra", "", "mean"), FIRST, (5,))
    of_means = cell(study(), data, Metric("extra", "", "of-means"), FIRST, (5,))
    assert mean.mean == pytest.approx((0.5 + 0.2) / 2)
    assert of_means.mean == pytest.approx(3 / 12)
    # Leaving one run out gives 0.2 or 0.5: a jackknife error of sqrt(1/2 * 2 * 0.15^2).
    assert of_means.spread == pytest.approx(0.15)


def test_baseline_has_no_ratio_and_zero_bases_are_left_out():
    data = rows("shd", (0, 3, 3), (2, 3, 3))
    assert cell(study(), data, Metric("shd", "", "mean"), BASE, (5,)) is None
    assert cell(study(), data, Metric("shd", "", "mean"), FIRST, (5,)) == (1.5, 0.0, 1)


def test_groups_are_kept_apart():
    data = rows("shd", (1, 1, 1)) + rows("shd", (9, 9, 9), n=7)
    assert groups(study(), data) == [(5,), (7,)]
    assert cell(study(), data, Metric("shd", ""), BASE, (7,)).mean == 9


def test_ties_are_not_wins():
    ones = np.ones(4)
    cloud = Points("a", "b", "c", ones, np.array([1.0, 1.0, 2.0, 0.5]), False)
    assert cloud.percentages() == ((25.0, 50.0), (0.0, 100.0), (25.0, 50.0))


def test_percentages():
    accuracy = Metric("causal_accuracy", "", "mean")
    data = rows("causal_accuracy", (0.5, 0.6, 0.7), (0.5, 0.4, 0.6), (0.5, 0.5, 0.5), (0.5, 0.9, 0.4))
    (cloud,) = points(study(accuracy), data, accuracy)
    assert [share.better for share in cloud.percentages()] == [50.0, 50.0, 50.0]
    # Scores are negative, the higher the better: twice -10 is worse than -10.
    score = Metric("bdeu", "", "mean")
    (cloud,) = points(study(score), rows("bdeu", (-10.0, -20.0, -5.0)), score)
    assert [share.better for share in cloud.percentages()] == [100.0, 0.0, 100.0]
