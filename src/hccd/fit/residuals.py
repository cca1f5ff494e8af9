"""Residuals of families of continuous variables, held against bounded functions of the parents.

In the true direction a residual has mean 0 given the parents, and does not depend on them at all if the noise is
independent: so any function of a parent may be taken to see whether that is so. Bounded ones are, since those of a few
far values would tell of these alone.

Where effects are linear and the noise is not normal, regressions in the wrong direction bend, and spread unevenly. The
directions of a learned graph may be wrong, and those within a class are open, and so may be other parents. So an edge
counts only if it shows the same in both directions, x -> y given the parents of y, and y -> x given the parents of x,
and in both without any other parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from hccd.fit.numbers import Numbers
from hccd.fit.regressions import grouped, residuals
from hccd.independence.holm import below_holm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Values count up to so many deviations.
FAR = 2.5
#: A claim must explain so much of what is left over: in many rows nothing is exactly straight or even.
LEAST_SHARE = 0.02
#: Below so many rows, and so many for each regressor, residuals tell nothing.
FEWEST_ROWS, ROWS_EACH = 50, 10
#: Of more edges every so many-th is looked at: what a table is like shows in so many.
MOST_EDGES = 100
#: A variable of which less is left, as a share of its variance, is determined by its parents.
DETERMINED = 1e-6
#: Edges that are asked at once.
AT_ONCE = 16


class Statistic(Protocol):
    """What edges may show; ``level`` is the chance of a single wrong claim among all of them."""

    level: float

    def functions(self, bounded: Floats) -> list[Floats]:
        """Return functions of variables, as rows of values that are bounded."""
        ...

    def measured(self, left: Floats) -> Floats:
        """Return what of residuals the functions are held against."""
        ...

    def deviations(self, functions: Floats, measured: Floats) -> Floats:
        """Return how many deviations from nothing functions go with that, pair by pair of rows."""
        ...


class Shown(NamedTuple):
    """Edges of the DAG between continuous variables that show something, the surest first, out of how many asked."""

    edges: Ints
    asked: int

    @classmethod
    def nothing(cls) -> Shown:
        """Return that nothing was looked at."""
        return cls(np.zeros((0, 2), np.int64), 0)

    def without(self, edges: Ints) -> Shown:
        """Return the edges that are not among others."""
        others = set(map(tuple, edges.tolist()))
        rest = [edge for edge in map(tuple, self.edges.tolist()) if edge not in others]
        return Shown(np.array(rest, np.int64).reshape(-1, 2), self.asked)


class Families:
    """The edges of a DAG between continuous variables, and the residuals of their targets."""

    def __init__(self, numbers: Numbers, parents: Sequence[Ints]) -> None:
        self.numbers, self.parents = numbers, parents
        width = np.diff(numbers.first)
        self.edges = np.array(
            [
                (x, y)
                for y in np.flatnonzero(numbers.measured).tolist()
                if numbers.n_rows >= max(FEWEST_ROWS, ROWS_EACH * (1 + int(width[parents[y]].sum())))
                for x in parents[y].tolist()
                if numbers.measured[x]
            ],
            np.int64,
        ).reshape(-1, 2)
        self.edges = self.edges[:: max(1, -(-len(self.edges) // MOST_EDGES))]
        self.targets, self.place = np.unique(self.edges[:, 1], return_inverse=True)
        self.left = self._left(self.targets.tolist(), [parents[y] for y in self.targets.tolist()])
        self.bounded = np.clip(numbers.values[numbers.first[:-1]], -FAR, FAR)

    def _left(self, targets: Sequence[int], given: Sequence[Ints]) -> Floats:
        """Return the residuals of variables given others."""
        first = self.numbers.first
        asked = [
            [int(first[y]), *(column for x in own.tolist() for column in range(first[x], first[x + 1]))]
            for y, own in zip(targets, given, strict=True)
        ]
        left = np.empty((len(asked), self.numbers.n_rows))
        by_size = np.argsort([len(columns) for columns in asked], kind="stable")
        at = 0
        for group in grouped(self.numbers.values, [asked[i] for i in by_size.tolist()]):
            left[by_size[at : at + len(group.columns)]] = residuals(group)
            at += len(group.columns)
        # What is left of a variable that others determine is rounding.
        left[np.einsum("ij,ij->i", left, left) < DETERMINED * left.shape[1]] = 0.0
        return left

    def that_show(self, statistic: Statistic) -> Shown:
        """Return the edges that show something whichever way one looks; by Holm's method, over all edges."""
        if not len(self.edges):
            return Shown.nothing()
        p_value, share = self._asked(statistic, self.edges[:, 0], self.left, self.place)
        sure = (share >= LEAST_SHARE) & below_holm(p_value, statistic.level)
        for told, target, beside in ((1, 0, True), (0, 1, False), (1, 0, False)):
            again = np.flatnonzero(sure)
            if not len(again):
                break
            own, other = self.edges[again, target], self.edges[again, told]
            given = [
                np.append(self.parents[y], x) if beside else np.array([x])
                for y, x in zip(own.tolist(), other.tolist(), strict=True)
            ]
            p_again, share_again = self._asked(statistic, other, self._left(own.tolist(), given), np.arange(len(own)))
            p_value[again] = np.maximum(p_value[again], p_again)
            sure[again] = share_again >= LEAST_SHARE
            sure &= below_holm(p_value, statistic.level)
        order = np.argsort(p_value, kind="stable")
        return Shown(self.edges[order[sure[order]]], len(self.edges))

    def _asked(self, statistic: Statistic, variables: Ints, left: Floats, of: Ints) -> tuple[Floats, Floats]:
        """Return p-values, and what share is told, for variables and the rows of residuals that each goes with."""
        some, place = np.unique(variables, return_inverse=True)
        functions, measured = statistic.functions(self.bounded[some]), statistic.measured(left)
        far = np.zeros(len(place))
        # In pieces that stay in the processor's memory.
        for start in range(0, len(place), AT_ONCE):
            own = slice(start, start + AT_ONCE)
            against = measured[of[own]]
            deviations = [np.abs(statistic.deviations(each[place[own]], against)) for each in functions]
            far[own] = np.maximum.reduce(deviations)
        # For two sides, and for each of the functions.
        return np.minimum(2.0 * len(functions) * ndtr(-far), 1.0), far * far / left.shape[1]
