"""The requirements of a score: one number for each family, gains that are differences, a preference for the truth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families
from hccd.choices import SCORINGS
from hccd.graphs import PDAG
from hccd.independence import BoundCITest, CITest
from hccd.run.specification import specification
from hccd.testing.cases import Columns, require, sample

#: 0 -> 1 -> 2 <- 3, and two variables beside it.
_GRAPH = PDAG.from_edges(6, directed=[(0, 1), (1, 2), (3, 2)])
_FAMILIES: list[tuple[int, list[int]]] = [(0, []), (1, [0]), (2, [1, 3]), (2, []), (2, [1]), (2, [0, 1, 3]), (4, [5])]
#: How many tables are drawn, and of how many the truth must win each comparison.
_TABLES, _WON = 10, 8


def check_score(test: str | CITest, columns: Columns = "continuous", *, rows: int = 1000) -> None:
    """Check that the score of a test meets the requirements of the score search.

    Parameters
    ----------
    test : str or specification
        The test to which the score belongs, by name or as a specification. Its bound test has ``score_name`` and
        ``families``.
    columns : {"continuous", "discrete"}
        The kind of columns in the tables.
    rows : int
        The number of rows of each table.

    Raises
    ------
    AssertionError
        A requirement is not met; the message states which.

    Examples
    --------
    >>> from hccd.testing import check_score
    >>> check_score("fisher-z")
    >>> check_score("g", "discrete")
    """
    spec = specification(test, None, None)
    data = _table(0, rows, columns)
    ci = spec.bind(data)
    named = ci.score_name in set(SCORINGS) - {"auto", "none"}
    require(named, f"score_name is {ci.score_name!r}: it must be the name of a score")
    _one_value(ci)
    _gains(ci.families(6))
    _moved(spec, ci, data)
    _odd_columns(spec, columns)
    _truth_wins(spec, rows, columns)


def _table(seed: int, rows: int, columns: Columns) -> NDArray[Any]:
    return sample(np.random.default_rng([21, seed]), _GRAPH, rows, columns)


def _score(families: Families, child: int, parents: list[int]) -> float:
    return float(families.score(child, np.array(sorted(parents), np.int32)))


def _one_value(ci: BoundCITest) -> None:
    """Check that a score does not depend on what was scored before."""
    families = ci.families(6)
    first = [_score(families, *family) for family in _FAMILIES]
    require(all(map(math.isfinite, first)), f"scores must be finite numbers: {first}")
    for again in (families, ci.families(6), ci.families(3)):
        later = [_score(again, *family) for family in reversed(_FAMILIES)][::-1]
        require(_close(first, later), f"the same families get other scores later, or from another object: {later}")


def _gains(families: Families) -> None:
    """Check that what a parent gains is the difference of two scores."""
    for child, parents in _FAMILIES:
        gain = np.full(6, np.nan)
        families.gains(child, np.array(parents, np.int32), gain)
        for x in range(6):
            more = 0.0
            if x != child and x not in parents:
                more = _score(families, child, [*parents, x]) - _score(families, child, parents)
            case = f"{x} as one more parent of {child} beside {parents}"
            require(_close([gain[x]], [more]), f"{case} gains {more}, but gains() says {gain[x]}")


def _moved(spec: CITest, ci: BoundCITest, data: NDArray[Any]) -> None:
    """Check that the places of columns do not matter."""
    order = np.array([4, 2, 0, 5, 1, 3])
    place = np.argsort(order).tolist()
    plain, moved = ci.families(6), spec.bind(data[:, order]).families(6)
    for child, parents in _FAMILIES:
        one, other = _score(plain, child, parents), _score(moved, place[child], [place[x] for x in parents])
        require(_close([one], [other]), f"with moved columns {child} given {parents} scores {other} instead of {one}")


def _odd_columns(spec: CITest, columns: Columns) -> None:
    """Check that scores are numbers where columns say nothing new."""
    data = _table(1, 100, columns)
    data[:, 4], data[:, 5] = data[0, 4], data[:, 0]
    families = spec.bind(data).families(6)
    for child, parents in ((4, [0]), (0, [4]), (0, [5]), (1, [0, 5]), (1, [0, 4, 5])):
        score = _score(families, child, parents)
        require(math.isfinite(score), f"with a constant column and a copy, {child} given {parents} scores {score}")


def _truth_wins(spec: CITest, rows: int, columns: Columns) -> None:
    """Check that in most tables the true parents score higher than fewer, others and more."""
    rivals = [(1, [0], []), (1, [0], [3]), (2, [1, 3], [1]), (2, [1, 3], [3]), (2, [1, 3], [0, 1, 3]), (4, [], [5])]
    bound = [spec.bind(_table(10 + seed, rows, columns)).families(6) for seed in range(_TABLES)]
    for child, right, wrong in rivals:
        won = sum(_score(families, child, right) > _score(families, child, wrong) for families in bound)
        require(
            won >= _WON,
            f"the true parents {right} of {child} score higher than {wrong} in {won} of {_TABLES} tables",
        )


def _close(one: list[float], other: list[float]) -> bool:
    """Tell whether scores are the same up to rounding."""
    return bool(np.allclose(one, other, 1e-7, 1e-6))
