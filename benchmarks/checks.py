"""How often the checks of a table speak where an assumption is broken, and where it is not.

    python -m benchmarks checks [--repetitions 200] [--first 0] [--only time-order grouped] [--page docs/CHECKS.md]

For each check two kinds of random tables: those that break what it looks for, and those that do not. A check has found
something if a finding of its kind is among those of the run. Tables have 10 or 50 columns and 50, 200 or 1000 rows;
columns depend on each other as in a random linear model with two parents on average, or in a random discrete one of two
or three states. The seeds of a table are its number, from ``--first`` on, so the result is the same every time. The
limits of the checks were set with tables 0 to 199.

To add a check, add ``Case`` values: a name, the kind of the finding, how to break a table, and how to keep it whole.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.run.options import Options
from hccd.run.prepared import prepare
from hccd.tables import Table, as_table

Floats = NDArray[np.float64]
Make = Callable[[np.random.Generator, int, int], Any]
COLUMNS, ROWS = (10, 50), (50, 200, 1000)
BEGIN, END = "<!-- checks -->", "<!-- end of checks -->"


@dataclass(frozen=True)
class Case:
    """A way to break an assumption (or none, if ``breaks`` is None) and a way that looks alike and does not.

    ``kind`` may be several, as ``a or b``. ``found`` tells whether one of them is found about a table; by default the
    findings before learning are asked.
    ``rows`` are the numbers of rows for which either is true.
    """

    name: str
    kind: str
    breaks: Make | None
    keeps: Make | None
    found: Callable[[Any, Sequence[str]], bool] | None = None
    columns: Sequence[int] = COLUMNS
    rows: Sequence[int] = ROWS


def before_learning(data: Any, kinds: Sequence[str]) -> bool:
    """Whether a run would warn of this before it learns."""
    return any(finding.kind.value in kinds for finding in prepare(data, Options()).findings)


def noise(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Draw normal noise."""
    return rng.normal(size=(rows, n))


def effects(rng: np.random.Generator, noises: Floats) -> Floats:
    """Make the columns of a linear model with two parents each on average, of this noise."""
    columns = noises.copy()
    n = columns.shape[1]
    for j in range(1, n):
        for parent in rng.choice(j, min(j, int(rng.integers(0, 5))), replace=False):
            columns[:, j] += rng.uniform(0.3, 0.8) * rng.choice([-1.0, 1.0]) * columns[:, parent]
    return columns[:, rng.permutation(n)]


def linear(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Draw independent rows of a linear Gaussian model."""
    return effects(rng, noise(rng, rows, n))


def discrete(rng: np.random.Generator, rows: int, n: int) -> NDArray[np.int64]:
    """Draw independent rows of states: a linear model cut into two or three at random places."""
    return cut(rng, linear(rng, rows, n))


def cut(rng: np.random.Generator, columns: Floats) -> NDArray[np.int64]:
    """Make two or three states of each column."""
    shares = [np.sort(rng.uniform(0.1, 0.9, int(rng.integers(1, 3)))) for _ in columns.T]
    return np.column_stack(
        [np.searchsorted(np.quantile(column, share), column) for column, share in zip(columns.T, shares, strict=True)]
    )


def autoregressive(coefficient: float) -> Callable[[np.random.Generator, int, int], Floats]:
    """Return noise in which every row goes on from the row before."""

    def make(rng: np.random.Generator, rows: int, n: int) -> Floats:
        values = noise(rng, rows, n)
        for row in range(1, rows):
            values[row] = coefficient * values[row - 1] + np.sqrt(1.0 - coefficient**2) * values[row]
        return values

    return make


def series(coefficient: float) -> Make:
    """Return a linear model whose noise is autoregressive."""
    return lambda rng, rows, n: effects(rng, autoregressive(coefficient)(rng, rows, n))


def walks(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Draw independent random walks."""
    return np.cumsum(noise(rng, rows, n), axis=0)


def sorted_rows(make: Make) -> Make:
    """Sort the rows by a column of the table that has effects."""

    def ordered(rng: np.random.Generator, rows: int, n: int) -> Any:
        values = make(rng, rows, n)
        strongest = int(np.abs(np.corrcoef(values.T)).sum(axis=0).argmax())
        return values[np.argsort(values[:, strongest], kind="stable")]

    return ordered


def subjects(make: Make, *, alike: float, named: bool) -> Make:
    """Give every subject five rows, a share of whose variance is its own; shuffle the rows if it is named."""

    def repeated(rng: np.random.Generator, rows: int, n: int) -> Any:
        subject = np.arange(rows) // 5
        values = noise(rng, rows, n) * np.sqrt(1.0 - alike) + np.sqrt(alike) * noise(rng, rows, n)[subject]
        values = effects(rng, values)
        if not named:
            return values
        mixed = rng.permutation(rows)
        names = np.array([f"p{each:03d}" for each in rng.permutation(rows)])[subject]
        return {"patient": names[mixed], **{f"x{j}": values[mixed, j] for j in range(n)}}

    return repeated


def wards(rng: np.random.Generator, rows: int, n: int) -> Any:
    """Draw independent rows, with a column of fifteen states that two others depend on."""
    ward = rng.integers(0, min(15, rows // 4), rows)
    values = linear(rng, rows, n)
    values[:, :2] += 0.7 * rng.normal(size=(15, 2))[ward]
    return {"ward": [f"w{each}" for each in ward], **{f"x{j}": values[:, j] for j in range(n)}}


def ages(rng: np.random.Generator, rows: int, n: int) -> Any:
    """Draw independent rows, with a column of whole numbers that all others depend on."""
    age = rng.integers(20, 20 + max(12, rows // 5), rows)
    values = linear(rng, rows, n) + 0.1 * (age[:, None] - age.mean()) * rng.normal(size=n)
    return {"age": age, **{f"x{j}": values[:, j] for j in range(n)}}


def copied(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Repeat one row in ten."""
    values = linear(rng, rows, n)
    values[: rows // 10] = values[rows // 10 : 2 * (rows // 10)]
    return values[rng.permutation(rows)]


def rounded(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Round the columns to a tenth."""
    return np.round(linear(rng, rows, n), 1)


def of_noise(draw: Callable[[np.random.Generator, tuple[int, int]], Floats]) -> Make:
    """Return a linear model with this noise."""
    return lambda rng, rows, n: effects(rng, draw(rng, (rows, n)))


def heavy(rng: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Draw noise of heavy tails."""
    return rng.standard_t(3, size)


def outlying(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Put one cell of every column twenty deviations away."""
    values = linear(rng, rows, n)
    values[rng.integers(0, rows, n), np.arange(n)] += 20.0 * values.std(axis=0)
    return values


def nearly_collinear(rng: np.random.Generator, rows: int, n: int) -> Floats:
    """Make one column of two others, with a thousandth of its variance left."""
    values = linear(rng, rows, n)
    total = values[:, 0] - values[:, 1]
    values[:, 2] = total + np.sqrt(0.001) * total.std() * rng.normal(size=rows)
    return values


def only(make: Make, rows: int) -> Make:
    """Draw so many rows whatever is asked for."""
    return lambda rng, _, n: make(rng, rows, n)


#: Name, kind, what breaks the assumption, what does not.
CASES: list[Case] = [
    Case("few rows (20)", "rows", only(linear, 20), None, rows=(20,)),
    Case("few rows (50)", "rows", linear, None, rows=(50,)),
    Case("enough rows", "rows", None, linear, rows=(200, 1000)),
    Case("few rows, discrete", "rows", discrete, None, rows=(20,)),
    Case("enough rows, discrete", "rows", None, discrete, rows=(200, 1000)),
    Case("random walks", "time-order", walks, linear),
    Case("autoregressive, .8", "time-order", series(0.8), of_noise(heavy)),
    Case("autoregressive, .5", "time-order", series(0.5), sorted_rows(linear)),
    Case("random walks, discrete", "time-order", lambda *at: cut(at[0], walks(*at)), discrete),
    Case(
        "autoregressive, .8, discrete",
        "time-order",
        lambda *at: cut(at[0], series(0.8)(*at)),
        sorted_rows(discrete),
    ),
    Case("5 rows a subject, in turn", "time-order", subjects(linear, alike=0.6, named=False), None),
    Case("5 rows a subject, named", "grouped", subjects(linear, alike=0.6, named=True), wards),
    Case("a quantity of many values", "grouped", None, ages),
    Case("one row in ten twice", "repeated-rows", copied, rounded),
    Case("lognormal noise", "skewed or transform", of_noise(lambda rng, size: rng.lognormal(size=size)), linear),
    Case("noise of t, 3 degrees", "heavy-tails or transform", of_noise(heavy), linear),
    Case("one cell a column, 20 deviations", "outliers or transform", outlying, linear),
    Case("uniform noise", "outliers or transform", None, of_noise(lambda rng, size: rng.uniform(-1, 1, size))),
    Case("nearly collinear, .001 left", "near-collinear", nearly_collinear, linear),
]


def rate(case: Case, make: Make, rows: int, n: int, numbers: range) -> float:
    """Return how often the check speaks of tables of these numbers."""
    found = case.found or before_learning
    count = 0
    for number in numbers:
        seed = zlib.crc32(f"{case.name} {rows} {n} {number}".encode())
        data = make(np.random.default_rng(seed), rows, n)
        count += found(data if isinstance(data, Table) else as_table(data), case.kind.split(" or "))
    return count / len(numbers)


def table(cases: Sequence[Case], numbers: range) -> list[str]:
    """Return the lines of the table."""
    sizes = [(n, rows) for n in COLUMNS for rows in (20, *ROWS)]
    head = " | ".join(f"{n} x {rows:,}" for n, rows in sizes)
    lines = [f"| tables | finding | {head} |", f"|---|---|{'---|' * len(sizes)}"]
    for case in cases:
        for what, make in (("found", case.breaks), ("false alarms", case.keeps)):
            if make is None:
                continue
            asked = [n in case.columns and rows in case.rows for n, rows in sizes]
            cells = [
                f"{100 * rate(case, make, rows, n, numbers):.0f} %" if wanted else ""
                for wanted, (n, rows) in zip(asked, sizes, strict=True)
            ]
            lines.append(f"| {case.name} | {case.kind}, {what} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    return lines


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table, and put it into a page if one is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks checks")
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first table")
    parser.add_argument("--only", nargs="*", help="kinds of findings")
    parser.add_argument("--page", type=Path, help="a page with the marks of the table")
    options = parser.parse_args(arguments)
    wanted = [case for case in CASES if not options.only or set(case.kind.split(" or ")) & set(options.only)]
    lines = table(wanted, range(options.first, options.first + options.repetitions))
    if options.page is not None:
        text = options.page.read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        options.page.write_text("\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"]))
    return 0
