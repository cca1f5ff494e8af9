"""The baselines that have a name, as changes of the settings of a method and preset.

A baseline of one's own is a value that is handed over; one that users know by a name is a line of this table. What the
caller says besides the name, of scores or colliders, is applied after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hccd.baselines import Baseline

#: An algorithm that is known by its own tests is not what it is called with a score after it.
_TESTS_ALONE = {"scoring": "none"}

NAMED: dict[str, dict[str, Any]] = {
    "pc": {},
    # Ramsey, Zhang and Spirtes 2006; Colombo and Maathuis 2014; Ramsey 2016: other rules for colliders.
    "cpc": {**_TESTS_ALONE, "colliders": "conservative", "collider_order": None},
    "mpc": {**_TESTS_ALONE, "colliders": "majority", "collider_order": None},
    "pc-max": {**_TESTS_ALONE, "colliders": "max-p-full", "collider_order": None},
    # Spirtes et al. 1999, Zhang 2008; Colombo et al. 2012: the skeleton of PC, and a last stage of their own. Two false
    # colliders make an edge with two arrowheads of one with none, so FCI asks more sets than PC does.
    "fci": {**_TESTS_ALONE, "pag": "fci", "colliders": "majority", "collider_order": 2},
    "rfci": {**_TESTS_ALONE, "pag": "rfci"},
}


def with_limit(baseline: Baseline, max_order: int | None) -> Baseline:
    """Return a baseline of this table that conditions on at most so many variables."""
    return replace(baseline, max_order=max_order)  # type: ignore[type-var]
