"""Mixed columns at random, and the definitions of test and score by determinants and regressions."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from hccd.tables import Table

KINDS = ("continuous", "binary", "nominal", "ordinal")
#: A third state that one in ten rows has, and so on: no state is equally common.
SHARES = {"binary": (0.35, 0.65), "nominal": (0.2, 0.3, 0.1, 0.4), "ordinal": (0.3, 0.3, 0.25, 0.15)}


def column(kind, latent):
    """Cut a latent normal column into states; those of ordinal and binary columns are numbers, nominal ones text."""
    if kind == "continuous":
        return latent
    codes = np.searchsorted(ndtri(np.cumsum(SHARES[kind])[:-1]), latent)
    return np.array(["b", "d", "a", "c"], dtype=object)[codes] if kind == "nominal" else codes


def random_table(seed, n_rows=300, kinds=("continuous", "nominal", "binary", "ordinal", "nominal", "continuous")):
    """Make columns of these kinds that depend on each other."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(n_rows, len(kinds))) @ (np.eye(len(kinds)) + rng.normal(size=(len(kinds),) * 2) * 0.4)
    columns = [column(kind, latent[:, i]) for i, kind in enumerate(kinds)]
    return table_of(columns, kinds)


def table_of(columns, kinds):
    """Make a table of columns of known kinds."""
    where = {kind: [i for i, own in enumerate(kinds) if own == kind] for kind in KINDS}
    return Table.from_columns(
        [f"V{i}" for i in range(len(columns))],
        columns,
        categorical=where["binary"] + where["nominal"],
        continuous=where["continuous"],
        ordinal=where["ordinal"],
    )


def block(table, i):
    """Return the columns of a variable's block, centred: values, ranks, or an indicator for all states but the last."""
    values = table.columns[i]
    if table.kinds[i].value == "continuous":
        columns = np.asarray(values, float)[:, None]
    elif i in table.ordinal:
        columns = np.unique(values, return_inverse=True)[1][:, None].astype(float)
    else:
        columns = np.array(
            [values == state for state in np.unique(values.astype(str) if values.dtype == object else values)[:-1]],
            float,
        ).T
    return columns - columns.mean(axis=0)


def residuals(table, variables, given):
    """Return the blocks of some variables without what a regression on those of others says of them."""
    columns = np.hstack([block(table, i) for i in variables])
    if not given:
        return columns
    others = np.hstack([block(table, i) for i in given])
    return columns - others @ np.linalg.lstsq(others, columns, rcond=None)[0]


def log_det(columns):
    """Return the log-determinant of the covariance matrix."""
    return np.linalg.slogdet(columns.T @ columns / len(columns))[1]


def likelihood_ratio(table, x, y, given):
    """Return the statistic and the degrees of freedom by their definition."""
    left = residuals(table, [x, y], given)
    p, n = block(table, x).shape[1], len(left)
    q = left.shape[1] - p
    told = log_det(left[:, :p]) + log_det(left[:, p:]) - log_det(left)
    rank = sum(block(table, z).shape[1] for z in given)
    return (n - 1 - rank - (p + q + 1) / 2) * told, p * q


def family_score(table, child, parents, n_rows):
    """Return BIC by regressions of each of the child's columns on the parents' and its own previous ones."""
    own = block(table, child)
    others = np.hstack([np.zeros((len(own), 0)), *(block(table, z) for z in parents)])
    score = 0.0
    for j in range(own.shape[1]):
        left = []
        for known in (np.hstack([others, own[:, :j]]), own[:, :j]):
            fitted = known @ np.linalg.lstsq(known, own[:, j], rcond=None)[0] if known.shape[1] else 0.0
            left.append(np.mean((own[:, j] - fitted) ** 2))
        score += -n_rows / 2 * np.log(left[0] / left[1]) - others.shape[1] / 2 * np.log(n_rows)
    return score
