"""Tables, and a test of a user's own that worker processes can import."""

from __future__ import annotations

import json

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
