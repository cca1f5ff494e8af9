"""Directions within the equivalence class, from noise that is not normal (LiNGAM, pair by pair).

If y is a linear function of x and of independent noise, one of them not normal, the other direction does not fit: its
residual depends on its regressor. Which direction has the higher likelihood follows from the entropies of both
variables and both residuals (Hyvärinen and Smith 2013), these by their maximum entropy approximation (Hyvärinen 1998).
The package lingam has the same measure inside ``DirectLiNGAM``, but no function for pairs.

Both ends are residuals given all parents that are known so far. An edge x - y of the class has no other common cause
unless there is a triangle of undirected edges over it, so

- x -> y is claimed if its likelihood is higher by more than ``SURE`` standard errors, found by leaving out a part of
  the rows at a time, and if x comes before every common undirected neighbour as well;
- an edge whose two ends both look normal stays undirected, by Holm's method over all edges at the level ``NORMAL``.

The surest direction is set first, then all that follow by Meek's rules; then the rest is compared again. An undirected
edge of a graph that is closed under these rules may get either direction, so there is never a cycle or a new collider.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.meek import FIRST_REASON, directed
from hccd.graphs.pdag import PDAG
from hccd.independence.holm import below_holm
from hccd.orientation.conflicts import BY_LINGAM, ArrowReasons
from hccd.orientation.orient import Oriented

Floats = NDArray[np.float64]

#: So many standard errors make a direction sure.
SURE = 2.0
#: The level at which normality is rejected.
NORMAL = 0.01
#: Parts of the rows, each of which is left out in turn.
_PARTS = 20
#: A residual of less, as a share of the variance, is rounding.
_DETERMINED = 1e-6
#: The constants of the approximation of entropy: those of a normal variable, and two weights.
_ENTROPY = 0.5 * (1.0 + np.log(2.0 * np.pi))
_K1, _K2, _GAMMA = 79.047, 7.4129, 0.37457


class _Measured(NamedTuple):
    """The gain of x -> y over y -> x with its standard error, and the p-value of both being normal."""

    gain: float
    error: float
    p_value: float


class _Claim(NamedTuple):
    """The evidence for the direction ``x`` -> ``y``: gain of likelihood in standard errors."""

    sure: float
    x: int
    y: int


def directed_further(oriented: Oriented, values: Floats) -> Oriented:
    """Direct undirected edges where the rows decide; ``values`` has a row for each variable."""
    graph, own = oriented.graph, oriented.reasons
    kept = own.code >= FIRST_REASON
    arrows, why = own.arrows[kept].tolist(), own.code[kept].tolist()
    skeleton = graph.skeleton()
    rows = skeleton.rows
    measured: dict[tuple[int, ...], _Measured] = {}
    while True:
        claims = _claims(graph, values, measured)
        if not claims:
            break
        best = max(claims, key=lambda claim: (claim.sure, -claim.x, -claim.y))
        arrows.append([best.x, best.y])
        why.append(BY_LINGAM)
        tails, heads = np.array(arrows, np.int32).T
        graph, reason = directed(skeleton, rows.slots(tails, heads).astype(np.int32), np.array(why, np.int8))
        own = ArrowReasons(graph.directed_edges(), reason[reason > 0])
    return replace(oriented, graph=graph, reasons=own)


def _claims(graph: PDAG, values: Floats, measured: dict[tuple[int, ...], _Measured]) -> list[_Claim]:
    """Return the directions that the rows support; ``measured`` keeps what does not change."""
    edges = graph.undirected_edges().tolist()
    gains: dict[tuple[int, int], tuple[float, float]] = {}
    normal = []
    for x, y in edges:
        given = sorted({*graph.parents(x), *graph.parents(y)})
        asked = (x, y, *given)
        if asked not in measured:
            measured[asked] = _measure(_residuals(values, x, given), _residuals(values, y, given))
        gain, error, p_value = measured[asked]
        gains[x, y], gains[y, x] = (gain, error), (-gain, error)
        normal.append(p_value)
    told = below_holm(np.array(normal), NORMAL)
    found = []
    for (x, y), either in zip(edges, told.tolist(), strict=True):
        x, y = (x, y) if gains[x, y][0] > 0.0 else (y, x)
        gain, error = gains[x, y]
        common = set(graph.undirected_neighbors(x)) & set(graph.undirected_neighbors(y))
        if either and gain > SURE * error and all(gains[x, z][0] > 0.0 for z in common):
            found.append(_Claim(gain / error, x, y))
    return found


def _residuals(values: Floats, v: int, given: list[int]) -> Floats:
    """Return the residual of a variable given others, of deviation 1; None if they determine it."""
    own = values[v] - values[v].mean()
    total = own @ own
    if given:
        others = values[given] - values[given].mean(axis=1, keepdims=True)
        own = own - np.linalg.lstsq(others.T, own, rcond=None)[0] @ others
    left = own @ own
    return np.asarray(own / np.sqrt(left / len(own)) if left > _DETERMINED * total else np.zeros_like(own))


def _measure(x: Floats, y: Floats) -> _Measured:
    """Compare both directions of a pair."""
    # It takes longer to import than most runs to learn.
    from scipy.stats import normaltest

    r = float(x @ y) / len(x)
    if not x.any() or not y.any() or 1.0 - r * r < _DETERMINED:
        return _Measured(0.0, 1.0, 1.0)
    p_value = min(1.0, 2.0 * min(float(normaltest(x).pvalue), float(normaltest(y).pvalue)))
    without = [np.arange(part, len(x), _PARTS) for part in range(_PARTS)]
    parts = np.array([pairwise_gain(np.delete(x, rows), np.delete(y, rows)) for rows in without])
    # The jackknife over parts of the rows.
    error = np.sqrt((_PARTS - 1) / _PARTS * ((parts - parts.mean()) ** 2).sum())
    return _Measured(pairwise_gain(x, y), float(error), p_value)


def pairwise_gain(x: Floats, y: Floats) -> float:
    """Return by how much the likelihood of x -> y exceeds that of y -> x, in nats for each row."""
    x, y = ((v - v.mean()) / v.std() for v in (x, y))
    r = float(x @ y) / len(x)
    left = np.sqrt(1.0 - r * r)
    return entropy(y) + entropy((x - r * y) / left) - entropy(x) - entropy((y - r * x) / left)


def entropy(u: Floats) -> float:
    """Return the differential entropy of a variable of mean 0 and deviation 1, approximately."""
    # logaddexp does not overflow where cosh would.
    log_cosh = np.logaddexp(u, -u).mean() - np.log(2.0)
    return float(_ENTROPY - _K1 * (log_cosh - _GAMMA) ** 2 - _K2 * (u * np.exp(-(u**2) / 2.0)).mean() ** 2)
