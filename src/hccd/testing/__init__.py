"""Checks that a baseline, an independence test or a score of one's own must pass, and that those of the package do.

Each ``check_...`` function returns nothing, or raises an ``AssertionError`` that says in one sentence which promise is
broken. They take seconds, and fit into a test suite: ``def test_mine(): check_baseline(Mine())``.
"""

from hccd.testing.baseline import check_baseline
from hccd.testing.ci_test import check_ci_test
from hccd.testing.score import check_score

__all__ = ["check_baseline", "check_ci_test", "check_score"]
