"""Orientation: colliders from separating sets, conflicts, Meek's rules."""

from hccd.choices import COLLIDER_RULES, CONFLICT_POLICIES, ColliderRule, ConflictPolicy
from hccd.orientation.colliders import judge_triples
from hccd.orientation.conflicts import ArrowReasons, Conflict, Conflicts
from hccd.orientation.dependence import with_dependence
from hccd.orientation.excluded import with_excluded
from hccd.orientation.follow import follow
from hccd.orientation.orient import Oriented, orient
from hccd.orientation.triples import Triple, Triples
from hccd.orientation.untested import Evidence

__all__ = [
    "COLLIDER_RULES",
    "CONFLICT_POLICIES",
    "ArrowReasons",
    "ColliderRule",
    "Conflict",
    "ConflictPolicy",
    "Conflicts",
    "Evidence",
    "Oriented",
    "Triple",
    "Triples",
    "follow",
    "judge_triples",
    "orient",
    "with_dependence",
    "with_excluded",
]
