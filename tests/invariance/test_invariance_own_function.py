"""A user's own test may know the data from elsewhere: the column numbers it gets are those of the caller's table."""

import numpy as np
import pytest
from scipy.stats import norm

import hccd
from hccd.errors import InvalidParameterError


def partial_correlation_p(data, x, y, given):
    rest = data[:, [x, y]] - data[:, [x, y]].mean(axis=0)
    if given:
        z = data[:, list(given)] - data[:, list(given)].mean(axis=0)
        rest = rest - z @ np.linalg.lstsq(z, rest, rcond=None)[0]
    r = np.corrcoef(rest.T)[0, 1]
    return 2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(len(data) - len(given) - 3))


@pytest.fixture
def chain():
    rng = np.random.default_rng(3)
    data = rng.normal(size=(400, 8))
    for i in range(1, 8):
        data[:, i] += data[:, i - 1]
    return data[:, rng.permutation(8)]


@pytest.mark.parametrize("method", ["pc", "hccd"])
def test_a_function_that_brings_its_own_data_sees_the_same_columns(chain, method):
    expected = hccd.discover(chain, test=hccd.FisherZ(0.01), method=method)
    by_argument = hccd.discover(chain, test=partial_correlation_p, method=method)
    by_closure = hccd.discover(
        chain, test=lambda _, x, y, given: partial_correlation_p(chain, x, y, given), method=method
    )
    assert by_argument.skeleton == by_closure.skeleton == expected.skeleton
    assert by_argument.graph == by_closure.graph


def test_a_function_gets_numbers_as_they_are(chain):
    levels = np.array([1, 5, 100])[np.digitize(chain, [-0.5, 0.5])]
    seen = set()

    def test(data, x, y, given):
        seen.update(np.unique(data[:, [x, y]]))
        return 0.5

    hccd.discover(levels, test=test)
    assert seen == {1.0, 5.0, 100.0}


@pytest.mark.parametrize("answer", [1.7, -0.1, None, "no"])
def test_a_function_that_returns_no_p_value_is_refused(chain, answer):
    with pytest.raises(InvalidParameterError, match="p-value"):
        hccd.discover(chain, test=lambda *_: answer)
