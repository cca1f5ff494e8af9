"""From shares of resamples to probabilities: distributions that rise with the shares and keep to what is known."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hccd.confidence.calibration import BACKWARD, FORWARD, NONE, NUMBERS, TABLES, UNDIRECTED, calibrated

COUNTS = st.tuples(*[st.integers(0, 33)] * 3)


@given(st.lists(st.tuples(COUNTS, st.integers(0, 3)), min_size=1, max_size=8))
def test_probabilities_are_a_distribution(rows):
    counts, drawn = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = calibrated(counts, drawn, 100, TABLES)
    assert (found >= 0).all() and (found.sum(axis=1) <= 1 + 1e-5).all()
    # Exchanging the two variables exchanges the two arrows.
    turned = np.array([NONE, BACKWARD, FORWARD, UNDIRECTED])[drawn]
    assert np.allclose(calibrated(counts[:, [1, 0, 2]], turned, 100, TABLES), found[:, [1, 0, 2]])


def test_more_resamples_make_an_edge_more_probable():
    counts = np.array([[k, 0, 0] for k in range(101)])
    for drawn in (NONE, FORWARD):
        found = calibrated(counts, np.full(101, drawn), 100, NUMBERS)
        assert (np.diff(found.sum(axis=1)) > 0).all()
    arrows = np.array([[k, 100 - k, 0] for k in range(101)])
    assert (np.diff(calibrated(arrows, np.full(101, FORWARD), 100, NUMBERS)[:, 0]) > 0).all()
    joined, apart = (calibrated(counts, np.full(101, drawn), 100, NUMBERS)[50].sum() for drawn in (FORWARD, NONE))
    assert joined > apart


def test_the_same_share_is_as_probable_for_any_number_of_resamples():
    counts, drawn = np.array([[7, 2, 1], [1, 0, 0]]), np.array([FORWARD, NONE])
    assert np.allclose(calibrated(counts, drawn, 10, TABLES), calibrated(100 * counts, drawn, 1000, TABLES))
    assert calibrated(np.array([[1000, 0, 0]]), drawn[:1], 1000, TABLES).sum() < 0.99


def test_what_is_known_is_certain():
    counts, drawn = np.array([[100, 0, 0], [70, 0, 30], [40, 0, 0]]), np.array([FORWARD, FORWARD, FORWARD])
    allowed = np.array([[True, False, False, False], [True, True, True, False], [True, False, False, True]])
    found = calibrated(counts, drawn, 100, NUMBERS, allowed)
    assert found[0].tolist() == [1.0, 0.0, 0.0]
    assert abs(found[1].sum() - 1.0) < 1e-5 and found[1].min() > 0
    assert found[2, 0] < 1 and found[2, 1:].tolist() == [0.0, 0.0]


def test_discrete_tables_are_believed_less():
    counts, drawn = np.array([[95, 0, 0], [95, 0, 0]]), np.array([FORWARD, NONE])
    tables, numbers = (calibrated(counts, drawn, 100, fitted)[:, 0] for fitted in (TABLES, NUMBERS))
    assert (tables < numbers).all()
    # Half a count for each of four, and for numbers nothing else where the graph has the edge.
    assert numbers[0] == round(95.5 / 102, 6)
    assert tables[0] == round(95.5**0.75 / (95.5**0.75 + 5.5**0.75 + 2 * 0.5**0.75), 6)
    assert numbers[1] == round(95.5 / (95.5 + 1.0 + 5 * 5.5), 6)
