"""Which of pgmpy's Bayesian networks fits the data of a run: one for numbers, one for states, none for both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hccd.errors import InvalidParameterError
from hccd.tables import Kind

if TYPE_CHECKING:
    from hccd.result.hccd_result import HCCDResult

#: The kind of data that a test is for; others take both.
_TESTS = {"fisher-z": Kind.CONTINUOUS, "g": Kind.DISCRETE, "chi2": Kind.DISCRETE, "mi": Kind.DISCRETE}


def network_kind(result: HCCDResult) -> Literal["network", "linear-gaussian"]:
    """Return what ``to_pgmpy`` calls the network; refuse columns of both kinds."""
    name = dict(result.parameters.get("test", {})).get("name")
    kinds = set(() if result.table is None else result.table.kinds)
    if name in _TESTS:
        kinds = {_TESTS[name]}
    if len(kinds) != 1:
        what = (
            "this table has columns of both kinds"
            if kinds
            else f"the test {name!r} does not show which kind these data are"
        )
        raise InvalidParameterError(
            f"pgmpy has networks for discrete and for continuous data, but {what}: choose kind 'dag' or 'pdag', or "
            "group the numbers into classes (discretize=4)"
        )
    return "linear-gaussian" if kinds == {Kind.CONTINUOUS} else "network"
