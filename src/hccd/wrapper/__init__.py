"""The wrapper: Algorithm 1 around a baseline."""

from hccd.wrapper.backtrack import backtrack
from hccd.wrapper.learned import Learned, Removals, TestCounts
from hccd.wrapper.passes import ALL_STAGES, STAGES

__all__ = ["ALL_STAGES", "STAGES", "Learned", "Removals", "TestCounts", "backtrack"]
