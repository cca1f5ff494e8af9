"""Which score a run uses: asked for by name, or told from the data that its test has; and what it looks at."""

from __future__ import annotations

from dataclasses import replace

from hccd._kernels.scores.block_families import BlockFamilies
from hccd._kernels.scores.families import Families
from hccd._kernels.scores.gaussian_families import GaussianFamilies
from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.graphs.skeleton import Skeleton
from hccd.independence import BoundCITest, Marginals
from hccd.scoring.candidate_parents import CandidateParents

#: How many others a discrete variable chooses to be looked at with: more gain nothing and cost much (docs/ACCURACY.md).
MOST_CANDIDATES = 16

_DATA = {
    "bic": "continuous or mixed data and the tests 'fisher-z' and 'dg'",
    "bd": "discrete data and the tests 'g', 'chi2' and 'mi'",
}


def score_for(ci: BoundCITest, scoring: str, needed: bool = False) -> str | None:
    """Return the name of the score, or None if there is to be none; ``auto`` takes what fits the data, if any does."""
    if needed and ci.score_name is None:
        raise InvalidParameterError(
            f"the method 'score' needs a score, and there is none for the test {str(ci.describe()['name'])!r}: "
            "choose 'auto', 'fisher-z', 'dg', 'g', 'chi2' or 'mi'"
        )
    if scoring == "none" or (scoring == "auto" and ci.score_name is None):
        return None
    if scoring not in ("auto", ci.score_name):
        raise InvalidParameterError(f"scoring is {scoring!r}, which is for {_DATA[scoring]}: choose 'auto' or 'none'")
    return ci.score_name


def candidates_for(
    families: Families,
    marginals: Marginals,
    learned: PDAG,
    constraints: Constraints | None = None,
    price: float | None = None,
    within: Skeleton | None = None,
) -> CandidateParents:
    """Return whom each variable may have as parents under a score, and what an edge has to gain: ``price`` if given.

    With ``within`` only pairs of a skeleton are looked at, and ``constraints`` allow no others.
    """
    if isinstance(families, GaussianFamilies | BlockFamilies):
        found = CandidateParents.everybody(learned.n, families.n_rows, constraints)
        if within is not None:
            # So few pairs are climbed over first: orders alone get stuck where a variable may not have any parent.
            found = replace(found, rows=within.rows)
    else:
        found = CandidateParents.of(
            families, marginals.uncorrected, learned, MOST_CANDIDATES, marginals.independent, constraints
        )
    return found if price is None else replace(found, price=price)
