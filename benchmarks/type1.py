"""How often the tests for mixed tables err where there is nothing: x and y are independent given the set.

    python -m benchmarks type1 [--repetitions 10000] [--rows 500] [--alpha .05] [--strengths .5 1] [--tests dg]
                               [--missing .2] [--kinds continuous binary nominal ordinal]

Every pair of kinds (continuous, binary, nominal of 3 or 4 states, ordinal of 4 or 5), without a set, given one variable
of each kind, and given two. x and y depend on all of the set, by effects as in ``mixed.py`` times the strength; sums
are on the scale of logits for discrete columns. Rows of the table are pairs, columns are sets. ``--missing`` takes a
share of all cells away, completely at random; ``dg`` then estimates by EM, and ``regression``
takes the rows that are complete.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.independence import DegenerateGaussian, RegressionTest
from hccd.independence.with_gaps import Testwise, bind_em
from hccd.tables import MixedColumns, column_keys

Floats = NDArray[np.float64]
KINDS = ("continuous", "binary", "nominal", "ordinal")
SETS: Sequence[tuple[str, ...]] = (
    (),
    *((kind,) for kind in KINDS),
    ("continuous", "nominal"),
    ("binary", "ordinal"),
)
#: Named as ``hccd.discover`` names them: from alpha and the columns to a bound test, without and with missing cells.
TESTS: dict[str, Any] = {
    "dg": lambda alpha, columns: DegenerateGaussian(alpha).bind_columns(columns, NAMES[: len(columns.values)]),
    "regression": lambda alpha, columns: RegressionTest(alpha).bind_columns(columns, NAMES[: len(columns.values)]),
}
TESTS_OF_GAPS: dict[str, Any] = {
    "dg": lambda alpha, columns: bind_em(DegenerateGaussian(alpha), columns),
    "testwise": lambda alpha, columns: Testwise(DegenerateGaussian(alpha), columns),
    "regression": lambda alpha, columns: Testwise(RegressionTest(alpha), columns),
}
NAMES = ("x", "y", "z", "w")


def column(rng: np.random.Generator, kind: str, effects: Sequence[Floats], n_rows: int) -> tuple[Floats, int]:
    """Draw a column that depends on what ``effects`` add; return it with its number of states, 0 for numbers."""
    if kind == "nominal":
        sums = [
            1.5 * sum((rng.normal() * effect for effect in effects), np.zeros(n_rows)) + rng.gumbel(size=n_rows)
            for _ in range(rng.integers(3, 5))
        ]
        states, codes = np.unique(np.argmax(sums, axis=0), return_inverse=True)
        return codes.astype(float), len(states)
    total = sum(effects, np.zeros(n_rows))
    if kind == "continuous":
        return np.asarray(total + rng.normal(size=n_rows)), 0
    total = 1.5 * total + rng.logistic(size=n_rows)
    states = 2 if kind == "binary" else int(rng.integers(4, 6))
    shares = np.cumsum(rng.dirichlet(np.full(states, 8.0)))[:-1]
    codes = np.searchsorted(np.quantile(total, shares), total).astype(float)
    return codes, 2 if kind == "binary" else 0


def effect(rng: np.random.Generator, values: Floats, states: int, strength: float) -> Floats:
    """Return what a variable of the set adds: a number by its value, states by an effect of each."""
    if states:
        values = rng.normal(size=states)[values.astype(np.int64)]
    deviation = values.std()
    size = strength * rng.uniform(0.5, 1.0) * rng.choice([-1.0, 1.0])
    return np.asarray(size * (values - values.mean()) / (deviation if deviation > 0.0 else 1.0))


def sample(
    rng: np.random.Generator, pair: tuple[str, str], given: Sequence[str], n_rows: int, strength: float
) -> MixedColumns:
    """Draw a table: x, y and the set."""
    drawn = [column(rng, kind, (), n_rows) for kind in given]
    ends = [column(rng, kind, [effect(rng, *each, strength) for each in drawn], n_rows) for kind in pair]
    values = np.array([each[0] for each in (*ends, *drawn)])
    states = np.array([each[1] for each in (*ends, *drawn)])
    ordinal = frozenset(i for i, kind in enumerate((*pair, *given)) if kind == "ordinal")
    return MixedColumns(values, states, column_keys(values.T), ordinal)


def with_gaps(rng: np.random.Generator, columns: MixedColumns, share: float) -> MixedColumns:
    """Take cells away."""
    values = np.where(rng.random(columns.values.shape) < share, np.nan, columns.values)
    return columns._replace(values=values, keys=column_keys(values.T))


def rejected(
    bind: Any, pair: tuple[str, str], kinds: Sequence[str], strength: float, given: argparse.Namespace
) -> float:
    """Return how often a test calls x and y dependent; the tables are the same for every test."""
    rng = np.random.default_rng([KINDS.index(kind) for kind in (*pair, *kinds)])
    questions = range(2, 2 + len(kinds))
    wrong = 0
    for _ in range(given.repetitions):
        columns = sample(rng, pair, kinds, given.rows, strength)
        if given.missing:
            columns = with_gaps(rng, columns, given.missing)
        wrong += not bind(given.alpha, columns).test(0, 1, questions).independent
    return wrong / given.repetitions


def main(arguments: Sequence[str]) -> int:
    """Print a table for each test and strength."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks type1", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--strengths", type=float, nargs="+", default=[0.5, 1.0])
    parser.add_argument("--tests", nargs="+", choices=sorted(TESTS | TESTS_OF_GAPS))
    parser.add_argument("--missing", type=float, default=0.0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="the kinds of x and y")
    given = parser.parse_args(arguments)
    tests = TESTS_OF_GAPS if given.missing else TESTS
    for strength in given.strengths:
        for name in given.tests or tests:
            print(f"\n| {name}, strength {strength:g} | " + " | ".join(", ".join(s) or "no set" for s in SETS) + " |")
            print("|---" * (1 + len(SETS)) + "|", flush=True)
            for pair in combinations_with_replacement(given.kinds, 2):
                shares = [rejected(tests[name], pair, kinds, strength, given) for kinds in SETS]
                print(f"| {' and '.join(pair)} | " + " | ".join(f"{share:.4f}" for share in shares) + " |", flush=True)
    return 0
