"""Tables of every kind whose rows are drawn: continuous, discrete, mixed, with gaps."""

import numpy as np


def chain(seed, n_rows=200, n=6):
    """Return columns of which each depends on one before it, and one common effect."""
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=n_rows)]
    for i in range(1, n):
        columns.append(0.8 * columns[(i - 1) // 2] + rng.normal(size=n_rows))
    columns[-1] += columns[1]
    return np.column_stack(columns)


def states(values, cuts=(-0.4, 0.5)):
    """Return numbers as states."""
    return np.digitize(values, cuts)


def table(kind, seed=0, n_rows=200):
    """Return a table of this kind as a dictionary of columns."""
    values = chain(seed, n_rows)
    columns = {f"v{i}": column for i, column in enumerate(values.T)}
    if kind == "discrete":
        return {name: states(column).astype(str) for name, column in columns.items()}
    if kind == "mixed":
        for name in ("v0", "v2", "v4"):
            columns[name] = np.array(["low", "mid", "high"])[states(columns[name])]
    if kind.endswith("gaps"):
        rng = np.random.default_rng(seed + 1)
        for name in ("v1", "v3"):
            columns[name] = np.where(rng.random(n_rows) < 0.15, np.nan, columns[name])
    if kind == "discrete-gaps":
        columns = {
            name: np.where(np.isnan(column), None, states(column).astype(str).astype(object))
            for name, column in columns.items()
        }
    return columns


def repeated(columns, times):
    """Return the table with each row as often as it is drawn."""
    return {name: np.repeat(column, times) for name, column in columns.items()}
