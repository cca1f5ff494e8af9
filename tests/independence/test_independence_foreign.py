"""Tests of other packages: their own p-values, objects that keep a state, and sentences where they cannot be used."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest
from scipy.stats import pearsonr

import hccd
from hccd.errors import InvalidDataError, InvalidParameterError, NotInstalledError
from hccd.independence.foreign import ForeignFunction
from hccd.report.content import report_html
from hccd.run.specification import specification
from hccd.testing import check_ci_test


def curved(rows=120):
    """0 -> 1 by a parabola, 1 -> 2, and 3 beside them."""
    rng = np.random.default_rng(5)
    data = rng.normal(size=(rows, 4))
    data[:, 1] = data[:, 0] ** 2 + 0.3 * data[:, 1]
    data[:, 2] = data[:, 1] + data[:, 2]
    return data


def test_kci_has_the_p_values_of_causal_learn():
    """In one of the two orders of its ends, which do not give the same."""
    from causallearn.utils.KCI.KCI import KCI_CInd

    data = curved()
    bound = hccd.CustomTest(ForeignFunction("kci")).bind(data)
    for x, y, given in ((0, 2, (1,)), (1, 3, (0,))):
        orders = ((x, y), (y, x))
        theirs = [KCI_CInd().compute_pvalue(data[:, [a]], data[:, [b]], data[:, given])[0] for a, b in orders]
        assert np.isclose(bound.test(x, y, given).p_value, theirs, rtol=1e-9, atol=0.0).any()
        assert theirs[0] != theirs[1]


def test_kci_passes_the_checks():
    check_ci_test("kci", rows=100, tables=6)


def test_kci_sees_what_correlations_do_not():
    result = hccd.discover(curved(), test="kci", alpha=0.01, names=["a", "b", "c", "d"])
    assert [edge[:2] for edge in result.edges()] == [("a", "b"), ("b", "c")]
    assert result.parameters["test"] == {"name": "kci", "alpha": 0.01}
    assert "kernel test" in report_html(result)
    assert hccd.FisherZ(0.01).bind(curved()).test(0, 1).independent


class LikeTigramite:
    """Answers with noise from a state that moves on with each call."""

    def __init__(self):
        self.random = np.random.default_rng(3)

    def run_test_raw(self, x, y, z=None):
        r, p = pearsonr(*_residuals(x, y, z))
        return r, min(p * (1.0 + 0.1 * self.random.random()), 1.0)


class LikeHyppo:
    def statistic(self, x, y, z):
        return pearsonr(*_residuals(x, y, z))[0]

    def test(self, x, y, z, random_state=None):
        assert random_state == 0
        return self.statistic(x, y, z), pearsonr(*_residuals(x, y, z))[1]


def _residuals(x, y, z):
    assert x.shape[1] == y.shape[1] == 1
    both = np.hstack([x, y]) - np.hstack([x, y]).mean(axis=0)
    if z is not None:
        z = z - z.mean(axis=0)
        both = both - z @ np.linalg.lstsq(z, both, rcond=None)[0]
    return both.T


def test_an_object_like_those_of_tigramite_passes_the_checks():
    """The state that moves on does not show."""
    check_ci_test(LikeTigramite())


def test_objects_are_given_as_they_are():
    data = np.random.default_rng(0).normal(size=(200, 3)).cumsum(axis=1)
    result = hccd.discover(data, test=LikeTigramite(), alpha=0.05, names=["a", "b", "c"])
    assert result.edges() == [("a", "b", "undirected"), ("b", "c", "undirected")]
    assert result.parameters["test"] == {"name": "LikeTigramite", "alpha": 0.05}
    bound = specification(LikeHyppo(), None, None).bind(data)
    theirs = LikeHyppo().test(data[:, [0]], data[:, [2]], data[:, [1]], random_state=0)[1]
    assert bound.test(0, 2, (1,)).p_value == pytest.approx(theirs)


@pytest.mark.parametrize(
    ("name", "package", "extra"), [("pdcorr", "hyppo", "hyppo"), ("kci", "causallearn", "causal-learn")]
)
def test_what_is_not_installed_is_said(monkeypatch, name, package, extra):
    for module in [each for each in sys.modules if each.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NotInstalledError, match=rf"the test '{name}' needs .*: pip install 'hccd\[{extra}\]'"):
        hccd.discover(curved(), test=name)


def test_text_is_refused():
    with pytest.raises(InvalidParameterError, match="the test 'kci' is for numbers, and column 'b' is text"):
        hccd.discover({"a": np.arange(30.0), "b": ["x", "y", "z"] * 10}, test="kci")


def test_what_a_package_cannot_answer_is_one_sentence():
    class Fails:
        def run_test_raw(self, x, y, z=None):
            raise np.linalg.LinAlgError("singular matrix")

    with pytest.raises(InvalidDataError, match=r"the test 'Fails' cannot answer about columns .* \(singular matrix\)"):
        hccd.discover(curved(), test=Fails())


def test_functions_travel():
    again = pickle.loads(pickle.dumps(ForeignFunction("kci")))
    assert again(curved(), 0, 1, ()) == ForeignFunction("kci")(curved(), 0, 1, ())
