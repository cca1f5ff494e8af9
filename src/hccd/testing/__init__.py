"""Checks for your own baseline, independence test or score; those of the package pass them.

Each ``check_...`` function returns None, or raises an ``AssertionError`` that states in one sentence which requirement
is not met. They take seconds, so you can call them in a test suite: ``def test_mine(): check_baseline(Mine())``.
"""

from hccd.testing.baseline import check_baseline
from hccd.testing.ci_test import check_ci_test
from hccd.testing.score import check_score

__all__ = ["check_baseline", "check_ci_test", "check_score"]
