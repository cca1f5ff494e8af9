"""Tables as nobody wants them: in memory, and as the text of a file. Each is small and always the same."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

N = 80


def _rng() -> np.random.Generator:
    return np.random.default_rng(13)


def measured(n_columns: int = 4, n_rows: int = N) -> dict[str, Any]:
    """A chain of measured columns."""
    values = _rng().normal(size=(n_rows, n_columns)).cumsum(axis=1)
    return {f"v{i}": values[:, i] for i in range(n_columns)}


def coded(n_columns: int = 4, n_rows: int = N, states: int = 3) -> dict[str, Any]:
    """A chain of states."""
    rng = _rng()
    columns = [rng.integers(0, states, n_rows)]
    for _ in range(n_columns - 1):
        columns.append(np.where(rng.random(n_rows) < 0.7, columns[-1], rng.integers(0, states, n_rows)))
    return {f"c{i}": column for i, column in enumerate(columns)}


def both() -> dict[str, Any]:
    """Measured columns and states side by side."""
    data = {**measured(3), **coded(3)}
    data["c0"] = np.array(["low", "mid", "high"], dtype=object)[data["c0"]]
    return data


def _with(base: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**base, **more}


def _sum_of_two() -> dict[str, Any]:
    data = measured()
    return _with(data, total=data["v0"] + data["v1"])


def _sums_of_two() -> dict[str, Any]:
    data = _sum_of_two()
    return _with(data, difference=data["v0"] - data["v1"], double=2 * data["v2"])


def _negative_zeros() -> dict[str, Any]:
    rows = np.arange(N)
    return _with(coded(), zero=np.where(rows % 2, 0.0, -0.0), one=np.where(rows % 3, -0.0, 1.0))


def _named(names: list[str]) -> dict[str, Any]:
    return dict(zip(names, both().values(), strict=True))


def _scaled(power: int) -> dict[str, Any]:
    data = measured()
    return _with(data, v1=data["v1"] * 10.0**power, v2=data["v2"] * 10.0**-power)


def _one_hot() -> dict[str, Any]:
    state = coded(states=4)["c0"]
    return _with(measured(2), **{f"is{k}": (state == k).astype(int) for k in range(4)})


def _separated() -> dict[str, Any]:
    data = measured(3)
    return _with(data, side=(data["v0"] > 0).astype(int))


def _outlier(size: float) -> dict[str, Any]:
    data = measured()
    data["v1"] = data["v1"].copy()
    data["v1"][7] = size
    return data


def _gaps(share: float, base: Callable[[], dict[str, Any]] = measured) -> dict[str, Any]:
    rng = _rng()
    data = {}
    for name, column in base().items():
        gone = rng.random(N) < share
        data[name] = [None if hole else value for hole, value in zip(gone, column.tolist(), strict=True)]
    return data


def _cells(value: Callable[[int], Any]) -> list[Any]:
    return [value(i) for i in range(N)]


#: What ``hccd.discover`` gets.
IN_MEMORY: dict[str, Callable[[], Any]] = {
    "a chain of measurements": measured,
    "a chain of states": coded,
    "both kinds": both,
    "a sum of two": _sum_of_two,
    "all sums of two": _sums_of_two,
    "a constant": lambda: _with(measured(), same=np.full(N, 3)),
    "constants only": lambda: {"a": np.ones(N), "b": np.full(N, 7), "c": np.full(N, "x")},
    "constant but for one row": lambda: _with(measured(), rare=(np.arange(N) == 5).astype(int)),
    "a copy": lambda: _with(measured(), again=measured()["v1"]),
    "copies only": lambda: {name: measured()["v0"] for name in "abcde"},
    "a copy of states under other names": lambda: _with(coded(), other=np.array(["x", "y", "z"])[coded()["c1"]]),
    "copies of both kinds": lambda: _with(both(), again=both()["v1"], state=both()["c0"]),
    "scales apart": lambda: _scaled(150),
    "the largest numbers": lambda: {name: column * 1e307 for name, column in measured().items()},
    "the smallest numbers": lambda: {name: column * 1e-310 for name, column in measured().items()},
    "denormals and ordinary numbers": lambda: _with(measured(), tiny=np.arange(N) % 7 * 5e-324),
    "negative zeros": _negative_zeros,
    "integers beyond 2^53": lambda: _with(measured(), big=2**60 + _rng().integers(0, 10**6, N)),
    "integers that floats cannot tell apart": lambda: _with(measured(), big=2**62 + np.arange(N) % 3),
    "integers beyond 64 bits": lambda: _with(measured(), big=_cells(lambda i: 10**25 + i * i)),
    "unsigned integers": lambda: _with(coded(), big=np.uint64(2**63) + (np.arange(N) % 5).astype(np.uint64)),
    "one large number": lambda: _outlier(1e12),
    "one huge number": lambda: _outlier(1e300),
    "heavy tails": lambda: {f"t{i}": _rng().standard_cauchy((N, 4))[:, i] ** 3 for i in range(4)},
    "almost constant": lambda: _with(measured(), nearly=1e8 + 1e-7 * measured()["v0"]),
    "large mean": lambda: {name: 1e15 + column for name, column in measured().items()},
    "separated by a threshold": _separated,
    "one column for each state": _one_hot,
    "many states": lambda: _with(coded(), many=np.arange(N) % 40),
    "a state for each row": lambda: _with(coded(), all=_rng().permutation(N)),
    "a row number": lambda: _with(measured(), row=np.arange(N)),
    "row numbers only": lambda: {"a": np.arange(N), "b": np.arange(1, N + 1)},
    "rising numbers": lambda: _with(measured(), time=np.arange(N) ** 2),
    "names of rows": lambda: _with(both(), name=_cells(lambda i: f"patient {i}")),
    "names of rows among states": lambda: _with(coded(), name=_cells(lambda i: f"patient {i}")),
    "dates": lambda: _with(measured(), day=np.datetime64("2024-01-01") + np.arange(N)),
    "dates only": lambda: {name: np.datetime64("2024-01-01") + np.arange(N) for name in "abc"},
    "times": lambda: _with(measured(), at=_cells(lambda i: datetime.time(i % 24, 5))),
    "durations": lambda: _with(measured(), took=np.arange(N).astype("timedelta64[s]")),
    "truth values": lambda: _with(measured(2), yes=np.arange(N) % 3 == 0, no=np.arange(N) % 2 == 0),
    "numbers as text": lambda: {name: list(map(str, column.tolist())) for name, column in coded().items()},
    "text and numbers in a column": lambda: _with(measured(), odd=_cells(lambda i: i if i % 2 else "x")),
    "lists in cells": lambda: _with(measured(), odd=_cells(lambda i: [i, i])),
    "bytes in cells": lambda: _with(measured(), odd=_cells(lambda i: b"x")),
    "complex numbers": lambda: _with(measured(), odd=measured()["v0"] * 1j),
    "decimals": lambda: _with(measured(), price=_cells(lambda i: decimal.Decimal(i % 17) / 3)),
    "infinite numbers": lambda: _with(measured(), inf=np.where(np.arange(N) == 3, np.inf, measured()["v0"])),
    "a few gaps": lambda: _gaps(0.05),
    "many gaps": lambda: _gaps(0.6),
    "gaps among states": lambda: _gaps(0.1, coded),
    "nothing but gaps": lambda: _with(measured(), none=np.full(N, np.nan)),
    "gaps everywhere": lambda: _gaps(1.0),
    "one row": lambda: {name: column[:1] for name, column in measured().items()},
    "no row": lambda: {name: column[:0] for name, column in measured().items()},
    "nine rows": lambda: {name: column[:9] for name, column in measured().items()},
    "ten rows": lambda: {name: column[:10] for name, column in both().items()},
    "one column": lambda: {"v0": measured()["v0"]},
    "two rows, repeated": lambda: {name: np.tile(column[:2], N // 2) for name, column in measured().items()},
    "each row twice": lambda: {name: np.repeat(column[: N // 2], 2) for name, column in both().items()},
    "more columns than rows": lambda: measured(30, 12),
    "more columns of states than rows": lambda: coded(30, 12),
    "as many columns as rows": lambda: measured(15, 15),
    "long names": lambda: {name * 3000: column for name, column in both().items()},
    "names that are no words": lambda: _named(['a,"b"', "new\nline", "tab\t", "🦉", "0", "é"]),
    "names like options": lambda: _named(["--out", "-", "", " ", "auto", "a:b"]),
}


def _csv(header: Iterable[str], row: Callable[[int], Iterable[Any]], delimiter: str = ",") -> str:
    lines = [header, *(map(str, row(i)) for i in range(N))]
    return "".join(delimiter.join(line) + "\n" for line in lines)


def _wave(i: int) -> float:
    return round(10.0 * np.sin(0.7 * i) + i * 7919 % 13, 3)


#: What ``hccd learn`` gets.
FILES: dict[str, Callable[[], str]] = {
    "dates and a row number": lambda: _csv(
        ["id", "date", "x", "y"], lambda i: [i + 1, datetime.date(2020, 1, 1) + datetime.timedelta(i), _wave(i), i % 7]
    ),
    "leading zeros": lambda: _csv(["zip", "x", "y"], lambda i: [f"{i * 37 % 11:05d}", _wave(i), _wave(i * 3 + 1)]),
    "thousands": lambda: _csv(["x", "y"], lambda i: [f'"{i * 7919 + 1000000:,}"', _wave(i)]),
    "thousands in doubt": lambda: _csv(["x", "y"], lambda i: [f'"1,{i % 900 + 100}"', _wave(i)]),
    "decimal commas": lambda: _csv(["x", "y", "z"], lambda i: [str(_wave(i)).replace(".", ","), i % 3, i % 5], ";"),
    "truth values as text": lambda: _csv(["a", "b", "c"], lambda i: ["yes" if i % 3 else "no", i % 2 == 0, _wave(i)]),
    "names with quotation marks": lambda: _csv(["'a'", "'b'", "'c'"], lambda i: [_wave(i), i % 2, i * 7 % 5]),
    "names with separators": lambda: _csv(['"a,b"', '"c;d"', '"e\nf"'], lambda i: [_wave(i), i % 2, i * 7 % 5]),
    "emoji and accents": lambda: _csv(["🦉", "naïve", "x"], lambda i: [_wave(i), "äöü"[i % 3], i * 7 % 5]),
    "a name twice": lambda: _csv(["a", "a", "b"], lambda i: [_wave(i), i % 2, i * 7 % 5]),
    "no name": lambda: _csv(["a", "", "b"], lambda i: [_wave(i), i % 2, i * 7 % 5]),
    "no header": lambda: "".join(f"{_wave(i)},{i % 2},{i * 7 % 5}\n" for i in range(N)),
    "infinities": lambda: _csv(["a", "b"], lambda i: ["inf" if i == 4 else _wave(i), i % 5]),
    "too large for a float": lambda: _csv(["a", "b"], lambda i: ["1e999" if i == 4 else _wave(i), i % 5]),
    "large integers": lambda: _csv(["a", "b"], lambda i: [2**63 + i * i, _wave(i)]),
    "one row": lambda: "a,b\n1,2\n",
    "one column": lambda: "a\n" + "".join(f"{_wave(i)}\n" for i in range(N)),
    "rows of different lengths": lambda: _csv(["a", "b"], lambda i: [1, 2, 3] if i == 9 else [_wave(i), 2]),
    "everything empty": lambda: _csv(["a", "b", "c"], lambda i: ["", "", ""]),
    "an empty column": lambda: _csv(["a", "b", "c"], lambda i: [_wave(i), "", i % 5]),
    "codes of places": lambda: _csv(
        ["code", "place", "x"], lambda i: [101 + 13 * (i % 25), f"place {i % 25}", _wave(i)]
    ),
    "mixed cells": lambda: _csv(["a", "b"], lambda i: ["n/a!" if i % 9 == 0 else _wave(i), i % 5]),
}


def wide() -> dict[str, Any]:
    """Thousands of unrelated columns of twelve rows."""
    return {f"v{i}": column for i, column in enumerate(_rng().normal(size=(5000, 12)))}
