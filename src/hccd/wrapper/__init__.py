"""The wrapper: Algorithm 1 around a baseline."""

from hccd.wrapper.backtrack import Learned, Refine, backtrack
from hccd.wrapper.trace import STAGES, Removals, TestCounts

__all__ = ["STAGES", "Learned", "Refine", "Removals", "TestCounts", "backtrack"]
