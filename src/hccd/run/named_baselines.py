"""The baselines that have a name, as changes of the settings of a method and preset.

A baseline of one's own is a value that is handed over; one that users know by a name is a line of this table. What the
caller says besides the name, of scores or colliders, is applied after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hccd.baselines import BRAI, MMPC, PC, RAI, Baseline, CausalLearnFCI, CausalLearnPC

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
    "rai": {**_TESTS_ALONE, "baseline": RAI()},
    "b-rai": {**_TESTS_ALONE, "baseline": BRAI()},
    "mmpc": {**_TESTS_ALONE, "baseline": MMPC()},
    # Max-min hill climbing (Tsamardinos, Brown and Aliferis 2006): a score chooses among the edges of MMPC.
    "mmhc": {"baseline": MMPC(), "scoring": "auto", "scored_order": None, "score_within_skeleton": True},
    # The search over DAGs without tests but those of order 0, which say how strongly variables depend on each other.
    "score": {"score_alone": True, "scoring": "auto", "baseline": PC(max_order=0), "scored_order": None},
    # Others' programs have limits of their own, whatever follows.
    "causal-learn-pc": {**_TESTS_ALONE, "baseline": CausalLearnPC(), "scored_order": None},
    "causal-learn-fci": {**_TESTS_ALONE, "baseline": CausalLearnFCI(), "scored_order": None},
}


def with_limit(baseline: Baseline, max_order: int | None) -> Baseline:
    """Return a baseline of this table that conditions on at most so many variables."""
    return replace(baseline, max_order=max_order)  # type: ignore[type-var]
