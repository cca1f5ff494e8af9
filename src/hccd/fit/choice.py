"""The level of the tests, or the price of an edge, chosen by the data: by what graphs are worth for rows not seen.

A graph is learned with every value of a grid, five times: each time without a fifth of the rows, whose log-likelihood
it then gets with the parameters of the others. Neither the edges nor the parameters have seen these rows. The value of
the highest likelihood is not taken at once: many values are nearly as good, and among them the strictest gives fewest
wrong edges. So that one is taken which is strictest within one standard error of the best, errors being those of the
differences between five parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.fit.likelihood import by_fold_of_numbers, by_fold_of_tables
from hccd.fit.numbers import FOLDS, folds_of, numbers_of
from hccd.fit.regressions import parents_of
from hccd.fit.strictness import at_strictness, on_rows
from hccd.graphs import PDAG, pdag_to_dag
from hccd.independence.tables import BoundTableTest
from hccd.run.prepared import Prepared

#: Levels to choose from, the strictest first.
LEVELS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
#: Prices to choose from: the default one, and so much more or less. A factor of 10 in level is as much as ln 10 nats.
MORE = tuple(step * math.log(10.0) / 2.0 for step in (4, 3, 2, 1, 0, -1, -2))


@dataclass(frozen=True)
class Choice:
    """What was tried, from the strictest value on: the value, and the held-out log-likelihood in nats a row."""

    chosen: float
    tried: tuple[tuple[float, float], ...]

    def describe(self) -> dict[str, object]:
        """Return what was tried as plain data, for the record of a run."""
        return {"by": "held-out log-likelihood", "chosen": self.chosen, "tried": [list(each) for each in self.tried]}


def choose(prepared: Prepared, name: str, learn: Callable[[Prepared], tuple[PDAG, float | None]]) -> Choice:
    """Choose ``alpha`` or ``price``; ``learn`` returns a graph in canonical numbers, and the price of its edges."""
    values: tuple[float, ...] = LEVELS
    if name == "price":
        _, usual = learn(at_strictness(prepared))
        assert usual is not None
        values = tuple(dict.fromkeys(max(usual + more, 0.0) for more in MORE))
    predict = _Prediction(prepared)
    told = np.array([predict.by_fold(learn, **{name: value}) for value in values])
    mean = told.sum(axis=1) / predict.n_rows
    return Choice(values[strictest_of_the_best(told)], tuple(zip(values, mean.tolist(), strict=True)))


def strictest_of_the_best(told: NDArray[np.float64]) -> int:
    """Return the first row within one standard error of the one with the highest sum; columns are folds."""
    best = int(told.sum(axis=1).argmax())
    behind = told[best] - told
    error = behind.std(axis=1, ddof=1) * math.sqrt(told.shape[1])
    return int(np.argmax(behind.sum(axis=1) <= error))


class _Prediction:
    """All rows, to be predicted in parts by graphs that were learned from the others."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        ci = prepared.binding.ci
        most = 0 if prepared.table is None else prepared.table.n_rows
        self.numbers = numbers_of(prepared.table, prepared.binding, max(most, 1))
        if self.numbers is not None:
            self.fold = self.numbers.fold
        else:
            assert isinstance(ci, BoundTableTest)
            self.fold = folds_of(np.arange(ci.codes.shape[1]))
        self.n_rows = len(self.fold)

    def by_fold(
        self, learn: Callable[[Prepared], tuple[PDAG, float | None]], **strictness: float
    ) -> NDArray[np.float64]:
        """Return the log-likelihood of each fold by the graph of the others."""
        told = np.zeros(FOLDS)
        for fold in range(FOLDS):
            others = on_rows(self.prepared, self.numbers, self.fold != fold)
            graph, _ = learn(at_strictness(others, **strictness))
            told[fold] = self._likelihood(parents_of(pdag_to_dag(graph)))[fold]
        return told

    def _likelihood(self, parents: list[NDArray[np.int64]]) -> NDArray[np.float64]:
        if self.numbers is not None:
            return by_fold_of_numbers(self.numbers, parents)
        ci = self.prepared.binding.ci
        assert isinstance(ci, BoundTableTest)
        return by_fold_of_tables(ci.codes.astype(np.int64), ci.states.astype(np.int64), parents, self.fold)
