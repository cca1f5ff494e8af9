"""Which score a run uses: asked for by name, or told from the data that its test has."""

from __future__ import annotations

from hccd.errors import InvalidParameterError
from hccd.independence import BoundCITest

_DATA = {"bic": "continuous data and the test 'fisher-z'", "bd": "discrete data and the tests 'g', 'chi2' and 'mi'"}


def score_for(ci: BoundCITest, score: str) -> str | None:
    """Return the name of the score, or None if there is to be none; ``auto`` takes what fits the data, if any does."""
    if score == "none" or (score == "auto" and ci.score_name is None):
        return None
    if score not in ("auto", ci.score_name):
        raise InvalidParameterError(f"score is {score!r}, which is for {_DATA[score]}: choose 'auto' or 'none'")
    return ci.score_name
