"""How long the search by a score will take, from a sample of variables, without searching.

Parents of some variables are grown greedily among all others. What that takes, how many parents they get and how many
others gain alone tell how much a search has to do: its trees have a branch for each. The shape of the formula for
continuous data was fitted to 52 random networks of 50 to 1000 variables, sparse, dense and scale-free
(docs/PERFORMANCE.md has the measured ratios); the other numbers are ratios to what growing the sample took.

The sample is bounded by the amount of work, and the time is that of this thread alone.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families
from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd._kernels.scores.table_families import TableFamilies
from hccd.run.prepared import Prepared
from hccd.scoring import MOST_CANDIDATES, CandidateParents
from hccd.scoring.candidate_parents import FEWEST, NOBODY
from hccd.scoring.search import FREE_WORK

# Row visits for the whole sample, and its size.
_WORK = 1e8
_FEWEST, _MOST = 4, 40
_MOST_PARENTS = 30
# Seconds of a search over continuous data: variables, others that gain alone, parents.
_SCALE, _OF_VARIABLES, _OF_GAINING, _OF_PARENTS = 2.5e-7, 1.21, 0.89, 2.08
# The search in units of growing all variables once.
_OF_TABLES, _OF_BLOCKS = 3.3, 10.0
# How many are grown for each parent that there is in the end.
_BESIDE = 3.0


class ScoreEstimate(NamedTuple):
    """Expected seconds of the search, and the squares of the variables' numbers of parents, added up."""

    seconds: float
    squares: float | None


def estimate_score(prepared: Prepared) -> ScoreEstimate | None:
    """Return what is expected of the search by the score, if there is one; None if there is nothing to go by."""
    ci = prepared.binding.ci
    if prepared.score is None:
        return ScoreEstimate(0.0, None)
    if ci.has_gaps:
        return None
    n = ci.n_variables
    families = ci.families(_MOST_PARENTS + 1)
    discrete = isinstance(families, TableFamilies)
    per_variable = (prepared.binding.n_samples or 1) * (n + 4 * MOST_CANDIDATES) if discrete else n * _MOST_PARENTS
    size = min(n, max(_FEWEST, min(_MOST, int(_WORK / per_variable))))
    sample = np.random.default_rng(0).choice(n, size, replace=False).tolist()
    price = _price(prepared, families)
    began = time.thread_time()
    grown = [_grown(families, y, n, price, MOST_CANDIDATES if discrete else n) for y in sample]
    whole = (time.thread_time() - began) * n / len(sample)
    gaining, parents = np.mean(grown, axis=0).tolist()
    # Who gains beside the others is a parent, a child or a parent of a child; numbers of parents vary as chance has it.
    expected = parents / _BESIDE
    squares = float(n * (expected * expected + expected))
    if isinstance(families, GaussianFamilies):
        kicks = 1e-9 * FREE_WORK / n
        seconds = kicks + _SCALE * n**_OF_VARIABLES * (1.0 + gaining) ** _OF_GAINING * (1.0 + parents) ** _OF_PARENTS
    else:
        seconds = whole * (_OF_TABLES if discrete else _OF_BLOCKS)
    return ScoreEstimate(float(seconds), squares)


def _price(prepared: Prepared, families: Families) -> float:
    """Return about what an edge has to gain."""
    n = prepared.binding.ci.n_variables
    if isinstance(families, TableFamilies):
        dependent = np.count_nonzero(~prepared.marginals.uncorrected) / n
        return 2.0 * math.log(max(dependent, FEWEST))
    return CandidateParents.everybody(n, float(prepared.binding.n_samples or 2)).price


def _grown(families: Families, y: int, n: int, price: float, most: int) -> tuple[int, int]:
    """Return how many others gain alone as parents of y, and how many parents it gets one by one."""
    gain = np.zeros(n)
    families.gains(y, NOBODY, gain)
    gaining = int(np.count_nonzero(gain > price))
    members: NDArray[np.int32] = NOBODY
    looked_at = np.argsort(-gain, kind="stable")[:most] if most < n else None
    while len(members) < _MOST_PARENTS:
        best = int(np.argmax(gain))
        if gain[best] <= price:
            break
        members = np.append(members, best).astype(np.int32)
        if looked_at is None:
            families.gains(y, members, gain)
        else:
            now = families.score(y, members)
            gain[:] = 0.0
            for x in looked_at.tolist():
                if x != y and x not in members:
                    gain[x] = families.score(y, np.append(members, x).astype(np.int32)) - now
    return gaining, len(members)
