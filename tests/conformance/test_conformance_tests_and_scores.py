"""``check_ci_test`` and ``check_score``: the built-in ones pass, and what breaks one promise is told which."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import norm, pearsonr

from hccd import BoundCITest, CIResult
from hccd.testing import check_ci_test, check_score

OWN = ("fisher-z", "g", "chi2", "mi", "dg", "regression")
KINDS = {"fisher-z": ["continuous"], "dg": ["continuous", "discrete"], "regression": ["continuous", "discrete"]}
ALL = [(name, kind) for name in OWN for kind in KINDS.get(name, ["discrete"])]


@pytest.mark.parametrize(("name", "columns"), ALL)
def test_built_in_tests_pass(name, columns):
    check_ci_test(name, columns)


@pytest.mark.parametrize(("name", "columns"), [case for case in ALL if case[0] != "regression"])
def test_built_in_scores_pass(name, columns):
    check_score(name, columns)


def test_a_test_without_a_score_has_none_to_check():
    with pytest.raises(AssertionError, match="score_name is None"):
        check_score("regression")


def partial(data, x, y, given):
    """Partial correlation, as a user would write it."""
    columns = data - data.mean(axis=0)
    if given:
        z = columns[:, list(given)]
        columns = columns - z @ np.linalg.lstsq(z, columns, rcond=None)[0]
    a, b = columns[:, x], columns[:, y]
    scale = np.sqrt((a @ a) * (b @ b))
    r = np.clip(a @ b / scale, -0.999999, 0.999999) if scale > 1e-9 else 0.0
    return float(2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(max(len(data) - len(given) - 3, 0))))


def test_a_function_of_ones_own_passes():
    check_ci_test(partial)


NUMBERS = itertools.count()


class Least(BoundCITest):
    """A class of the user's own; each broken one changes one thing."""

    alpha = 0.01

    def __init__(self, data):
        self.data = data

    @property
    def n_variables(self):
        return self.data.shape[1]

    def test(self, x, y, given=()):
        p = partial(self.data, min(x, y), max(x, y), tuple(sorted(given)))
        return CIResult(p >= self.alpha, 1.0 - p, p)


class OneSided(Least):
    def test(self, x, y, given=()):
        p = super().test(x, y, given).p_value
        p = p if x < y else p / 2
        return CIResult(p >= self.alpha, 1.0 - p, p)


class Restless(Least):
    def test(self, x, y, given=()):
        p = min(super().test(x, y, given).p_value + 1e-4 * (next(NUMBERS) // 2 % 50), 1.0)
        return CIResult(p >= self.alpha, 1.0 - p, p)


class Beyond(Least):
    def test(self, x, y, given=()):
        return CIResult(True, 0.0, 1.5)


class Undecided(Least):
    def test(self, x, y, given=()):
        return super().test(x, y, given)._replace(independent=True)


class Negative(Least):
    def test(self, x, y, given=()):
        return super().test(x, y, given)._replace(strength=-1.0)


class Placed(Least):
    """It knows columns by their places."""

    def test(self, x, y, given=()):
        p = super().test(x, y, given).p_value ** (1.0 + 0.1 * (x + y))
        return CIResult(p >= self.alpha, 1.0 - p, p)


class Blunt(Least):
    """Nothing is ever dependent."""

    def test(self, x, y, given=()):
        p = max(super().test(x, y, given).p_value, 0.02)
        return CIResult(True, 1.0 - p, p)


class Sharp(Least):
    """Ten times too many are dependent."""

    def test(self, x, y, given=()):
        p = super().test(x, y, given).p_value / 20
        return CIResult(p >= self.alpha, 1.0 - p, p)


class Fragile(Least):
    def test(self, x, y, given=()):
        if (np.ptp(self.data, axis=0) == 0).any():
            raise ZeroDivisionError("division by zero")
        return super().test(x, y, given)


class Hasty(Least):
    def test_many(self, x, y, given):
        found = super().test_many(x, y, given)
        return found._replace(independent=np.ones_like(found.independent))


class Spoiling(Least):
    def __init__(self, data):
        data += 1.0
        super().__init__(data)


BROKEN = {
    OneSided: "change places",
    Restless: "answers .* differently|change places",
    Beyond: "has the p-value 1.5",
    Undecided: "at the level 0.01",
    Negative: "must not be negative",
    Placed: "moved columns|reordered",
    Blunt: "strong dependence is missed",
    Sharp: "are called dependent",
    Fragile: "a constant column: .* ZeroDivisionError",
    Hasty: "test_many",
    Spoiling: "changed the data",
}


class Specification:
    def __init__(self, bound):
        self.bound = bound

    def bind(self, data):
        return self.bound(data)


def test_the_class_that_the_broken_ones_come_from_passes():
    check_ci_test(Specification(Least))


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_test_is_told_what_is_wrong(broken):
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        check_ci_test(Specification(broken))


def test_a_function_without_power_is_told_so():
    with pytest.raises(AssertionError, match="strong dependence is missed"):
        check_ci_test(lambda data, x, y, given: 1.0 if given else float(pearsonr(data[:, x], data[:, y])[1]))


class PlainFamilies:
    """BIC by least squares, with what a search asks for."""

    price = 1.0

    def __init__(self, data):
        self.data = data - data.mean(axis=0)

    def score(self, child, members):
        own, z = self.data[:, child], self.data[:, list(members)]
        left = own - z @ np.linalg.lstsq(z, own, rcond=1e-9)[0] if len(members) else own
        share = max(float(left @ left), 1e-12) / max(float(own @ own), 1e-12)
        return -len(own) / 2 * np.log(share) - self.price * len(members) / 2 * np.log(len(own))

    def gains(self, child, members, gain):
        for x in range(len(gain)):
            known = x == child or x in members.tolist()
            gain[x] = 0.0 if known else self.score(child, [*members, x]) - self.score(child, members)


class Generous(PlainFamilies):
    price = 0.0


class Stingy(PlainFamilies):
    price = 1000.0


class Wrong(PlainFamilies):
    def gains(self, child, members, gain):
        gain[:] = 0.0


class Remembering(PlainFamilies):
    def score(self, child, members):
        return super().score(child, members) + next(NUMBERS)


class Infinite(PlainFamilies):
    def score(self, child, members):
        own = self.data[:, child]
        return super().score(child, members) if own.std() > 1e-9 else float("-inf")


class PlacedScore(PlainFamilies):
    def score(self, child, members):
        return super().score(child, members) - 0.1 * child * len(members)


def scored(families):
    class Scored(Least):
        score_name = "bic"

        def families(self, max_parents):
            return families(self.data)

    return Specification(Scored)


def test_a_plain_score_passes():
    check_score(scored(PlainFamilies))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (Generous, "the true parents"),
        (Stingy, "the true parents"),
        (Wrong, "gains\\(\\) says"),
        (Remembering, "other scores later"),
        (Infinite, "scores -inf"),
        (PlacedScore, "with moved columns"),
    ],
)
def test_a_broken_score_is_told_what_is_wrong(broken, said):
    with pytest.raises(AssertionError, match=said):
        check_score(scored(broken))
