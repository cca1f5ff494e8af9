"""Maximum likelihood of one column by others: linear, multinomial or proportional odds, according to the column.

Predictors come as an orthonormal basis (times the root of the number of rows) of what they span beside a constant, so
that columns which others determine are left out and every fit is well conditioned. The logistic models are fitted by
Newton's method with steps that are halved until the likelihood rises. Where states can be separated without error,
coefficients grow without limit and the likelihood approaches a limit: the fit ends when it no longer changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: A predictor counts as determined by others if they leave less than this of its deviation.
DETERMINED = 1e-5
#: A fit ends when the log-likelihood gains less than this, or after so many steps.
GAIN, STEPS = 1e-8, 60
#: What of a deviation, or of the log-likelihood of a row, counts as left over.
NOTHING = 1e-10


@dataclass(frozen=True)
class Response:
    """A column to be told by others: values if ``states`` is 0, otherwise states from 0, which may have an order."""

    values: Floats
    states: int = 0
    ordered: bool = False

    @property
    def width(self) -> int:
        """How many coefficients each predictor has."""
        return 1 if self.states == 0 or self.ordered else self.states - 1


@dataclass(frozen=True)
class Fit:
    """A log-likelihood, the number of predictors beside the constant, and the coefficients to go on from."""

    log_likelihood: float
    rank: int
    coefficients: Floats
    #: Whether the predictors leave something of the response.
    open: bool


def basis(columns: Floats) -> Floats:
    """Return what rows-as-columns span beside a constant: as rows that are orthogonal and have mean square 1."""
    n_rows = columns.shape[1]
    all_columns = np.vstack([np.ones(n_rows), columns]).T
    norms = np.sqrt(np.einsum("ij,ij->j", all_columns, all_columns))
    q, r = np.linalg.qr(all_columns / np.where(norms > 0.0, norms, 1.0))
    # The constant itself is always kept, and stays where it is.
    kept = np.abs(np.diag(r)) > DETERMINED
    if len(kept) > n_rows or not kept.all():
        # Those that are left after a determined one are not orthogonal to it only.
        kept = np.concatenate([kept, np.zeros(all_columns.shape[1] - len(kept), np.bool_)])
        q = np.linalg.qr((all_columns / np.where(norms > 0.0, norms, 1.0))[:, kept])[0]
    q = q * np.where(q[0, 0] < 0.0, -np.sqrt(n_rows), np.sqrt(n_rows))
    return np.ascontiguousarray(q.T)


def fit(response: Response, predictors: Floats, start: Floats | None = None) -> Fit:
    """Fit a response by the rows of a basis; ``start`` are coefficients of fewer of these."""
    rank = len(predictors) - 1
    if response.states == 0:
        y = response.values
        left = y - (predictors @ y / len(y)) @ predictors
        share = float(left @ left) / len(y)
        return Fit(-0.5 * len(y) * float(np.log(max(share, NOTHING))), rank, np.zeros(0), share > NOTHING)
    found = _ordered(response, predictors, start) if response.ordered else _nominal(response, predictors, start)
    return Fit(found[0], rank, found[1], -found[0] > NOTHING**0.5 * len(response.values))


def _nominal(response: Response, predictors: Floats, start: Floats | None) -> tuple[float, Floats]:
    """Fit a multinomial logistic model; the first state is what the others are compared with."""
    p, n_rows = predictors.shape
    k = response.states - 1
    is_state = response.values == np.arange(1, k + 1)[:, None]
    beta = np.zeros((k, p))
    if start is None:
        counts = is_state.sum(axis=1)
        beta[:, 0] = np.log(np.maximum(counts, 0.5) / max(n_rows - counts.sum(), 0.5))
    else:
        beta[:, : start.shape[1]] = start

    def likelihood(beta: Floats) -> tuple[float, Floats]:
        eta = beta @ predictors
        top = np.maximum(eta.max(axis=0), 0.0)
        grown = np.exp(eta - top)
        total = grown.sum(axis=0) + np.exp(-top)
        return float((eta * is_state).sum() - (top + np.log(total)).sum()), grown / total

    def step(share: Floats) -> Floats:
        gradient = (is_state - share) @ predictors.T
        hessian = np.empty((k, p, k, p))
        for a in range(k):
            for b in range(a + 1):
                weight = share[a] * ((a == b) - share[b])
                hessian[a, :, b, :] = hessian[b, :, a, :] = (predictors * weight) @ predictors.T
        return _solved(hessian.reshape(k * p, k * p), gradient.reshape(-1), n_rows).reshape(k, p)

    return _climb(beta, likelihood, step)


def _ordered(response: Response, predictors: Floats, start: Floats | None) -> tuple[float, Floats]:
    """Fit proportional odds: P(state <= c) is logistic in a threshold less the sum of effects."""
    cuts = response.states - 1
    codes = response.values.astype(np.int64)
    p, n_rows = predictors.shape
    # Thresholds first, then the effects of all predictors but the constant.
    beta = np.zeros(cuts + p - 1)
    if start is None:
        below = np.cumsum(np.bincount(codes, minlength=response.states))[:-1]
        beta[:cuts] = np.log(below / (n_rows - below))
    else:
        beta[: len(start)] = start
    upper = codes[None, :] == np.arange(cuts)[:, None]
    lower = codes[None, :] == np.arange(1, cuts + 1)[:, None]
    above, under = np.vstack([upper, -predictors[1:]]), np.vstack([lower, -predictors[1:]])
    last, first = codes == cuts, codes == 0

    def likelihood(beta: Floats) -> tuple[float, Floats]:
        if (np.diff(beta[:cuts]) <= 0.0).any():
            return -np.inf, beta
        high, low = beta @ above, beta @ under
        # The difference of two logistic functions, of which neither end is lost by rounding.
        high, low = np.where(last, np.inf, high), np.where(first, -np.inf, low)
        flip = low > 0.0
        high, low = np.where(flip, -low, high), np.where(flip, -high, low)
        share = _logistic(high) - _logistic(low)
        return float(np.log(np.maximum(share, 1e-300)).sum()), beta

    def step(beta: Floats) -> Floats:
        high = _logistic(np.where(last, np.inf, beta @ above))
        low = _logistic(np.where(first, -np.inf, beta @ under))
        share = np.maximum(high - low, 1e-300)
        slope_high, slope_low = high * (1.0 - high) / share, low * (1.0 - low) / share
        gradient = above @ slope_high - under @ slope_low
        # The negative second derivatives by both thresholds' sums, and mixed.
        both_high = slope_high**2 - slope_high * (1.0 - 2.0 * high)
        both_low = slope_low**2 + slope_low * (1.0 - 2.0 * low)
        mixed = (above * (slope_high * slope_low)) @ under.T
        hessian = (above * both_high) @ above.T + (under * both_low) @ under.T - mixed - mixed.T
        return _solved(hessian, gradient, n_rows)

    return _climb(beta, likelihood, step)


def _logistic(value: Floats) -> Floats:
    """Return 1 / (1 + exp(-value)) without overflow."""
    small = np.exp(-np.abs(value))
    return np.asarray(np.where(value >= 0.0, 1.0, small) / (1.0 + small))


def _solved(hessian: Floats, gradient: Floats, n_rows: int) -> Floats:
    """Return Newton's step; where states are all but separated, the matrix is held away from singular."""
    return np.asarray(np.linalg.solve(hessian + 1e-9 * n_rows * np.eye(len(hessian)), gradient))


def _climb(
    beta: Floats, likelihood: Callable[[Floats], tuple[float, Floats]], step: Callable[[Floats], Floats]
) -> tuple[float, Floats]:
    """Make Newton's steps until the likelihood no longer rises."""
    value, state = likelihood(beta)
    for _ in range(STEPS):
        change = step(state)
        for _ in range(30):
            new, new_state = likelihood(beta + change)
            if new >= value:
                break
            change = 0.5 * change
        else:
            break
        beta, gained, value, state = beta + change, new - value, new, new_state
        if gained < GAIN:
            break
    return value, beta
