"""Tables, and a test of a user's own that worker processes can import."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import numpy as np
from scipy.stats import norm

OWN_CALLS_FAIL_GIVEN = "the user's own mistake"


def chained(n: int = 12, rows: int = 300, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(rows, n))
    values[:, 1:] += 0.8 * values[:, :-1]
    values[:, 3:] += 0.5 * values[:, :-3]
    return values


def by_regression(data, x, y, given):
    """Partial correlation, written without the library."""
    rest = np.column_stack([np.ones(len(data)), data[:, list(given)]])
    a, b = (data[:, v] - rest @ np.linalg.lstsq(rest, data[:, v], rcond=None)[0] for v in (x, y))
    r = a @ b / np.sqrt((a @ a) * (b @ b))
    return float(2 * norm.sf(np.sqrt(len(data) - len(given) - 3) * abs(np.arctanh(r))))


def failing(data, x, y, given):
    if given:
        raise ZeroDivisionError(OWN_CALLS_FAIL_GIVEN)
    return 0.0


def content(result) -> str:
    """The saved file, to the byte, without the time it took."""
    data = result.to_dict()
    assert data.pop("seconds")["total"] > 0
    return json.dumps(data, sort_keys=True)


def rows_of_both_kinds(n_rows: int = 30_000):
    """A table of numbers, states and text, with gaps."""
    import pandas as pd

    rng = np.random.default_rng(7)
    x = rng.normal(size=(5, n_rows))
    x[1:] += 0.6 * x[:-1]
    words = np.array(["low", "mid", "high"])[np.digitize(x[2], [-0.5, 1])].astype(object)
    words[rng.random(n_rows) < 0.01] = None
    columns = {"a": x[0], "b": x[1].astype(np.float32), "word": words, "few": np.digitize(x[3], [0]), "c": x[4]}
    return pd.DataFrame(columns)


def loaded(which, bounds, driver, killing=""):
    """A partition, which is loaded by workers only; whoever loads the third one for the second time may be killed."""
    assert os.getpid() != driver, "a partition was loaded in the calling process"
    if killing and which == 2:
        times = len(list(Path(killing).iterdir()))
        (Path(killing) / f"{time.time_ns()}").touch()
        if times == 1:
            os.kill(os.getpid(), signal.SIGKILL)
    return rows_of_both_kinds().iloc[bounds[which] : bounds[which + 1]]
