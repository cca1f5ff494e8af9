"""The wrapper: Algorithm 1 around a baseline."""

from hccd.wrapper.backtrack import backtrack
from hccd.wrapper.keeping import Keeping
from hccd.wrapper.state import Checkpoint, SearchState
from hccd.wrapper.trace import STAGES, Learned, Removals, TestCounts

__all__ = ["STAGES", "Checkpoint", "Keeping", "Learned", "Removals", "SearchState", "TestCounts", "backtrack"]
