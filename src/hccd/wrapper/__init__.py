"""The wrapper: Algorithm 1 around a baseline."""

from hccd.wrapper.backtrack import backtrack
from hccd.wrapper.learned import Learned, Removals, TestCounts
from hccd.wrapper.passes import ALL_STAGES, BETWEEN, STAGES, Pass, passes_over

__all__ = [
    "ALL_STAGES",
    "BETWEEN",
    "STAGES",
    "Learned",
    "Pass",
    "Removals",
    "TestCounts",
    "backtrack",
    "passes_over",
]
