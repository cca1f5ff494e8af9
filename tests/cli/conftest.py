"""The command line inside this process, and tables to feed it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hccd.cli.main import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def hccd(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return run


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a table as CSV, with quotation marks where they are needed."""

    def as_csv(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([columns, *rows])
        return path

    return as_csv


@pytest.fixture
def numbers(write: Write) -> Path:
    """Four continuous columns: a -> c <- b, c -> d."""
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 500))
    c = a + b + 0.5 * rng.normal(size=500)
    d = c + rng.normal(size=500)
    return write("numbers.csv", ["a", "b", "c", "d"], np.column_stack([a, b, c, d]).tolist())


@pytest.fixture
def states(write: Write) -> Path:
    """Three discrete columns of text, p -> q -> r."""
    rng = np.random.default_rng(8)
    p = rng.integers(0, 2, 600)
    q = p ^ (rng.random(600) < 0.15)
    r = q ^ (rng.random(600) < 0.15)
    words = np.array(["low", "high"])
    return write("states.csv", ["p", "q", "r"], words[np.column_stack([p, q, r])].tolist())
