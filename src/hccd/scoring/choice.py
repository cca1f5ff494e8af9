"""Which score a run uses: asked for by name, or told from the data that its test has."""

from __future__ import annotations

from hccd.errors import InvalidParameterError
from hccd.independence import BoundCITest

#: How many others a variable chooses to be looked at with. More gain nothing on tables (and cost much), fewer than 32
#: lose edges of linear models of 200 variables and 5000 rows (docs/ACCURACY.md).
MOST_CANDIDATES = {"bic": 48, "bd": 16}

_DATA = {"bic": "continuous data and the test 'fisher-z'", "bd": "discrete data and the tests 'g', 'chi2' and 'mi'"}


def score_for(ci: BoundCITest, scoring: str) -> str | None:
    """Return the name of the score, or None if there is to be none; ``auto`` takes what fits the data, if any does."""
    if scoring == "none" or (scoring == "auto" and ci.score_name is None):
        return None
    if scoring not in ("auto", ci.score_name):
        raise InvalidParameterError(f"scoring is {scoring!r}, which is for {_DATA[scoring]}: choose 'auto' or 'none'")
    return ci.score_name
