"""The state of an interrupted run: what it is, which run it belongs to, and a folder to keep it in."""

from hccd.checkpoint.folder import CheckpointFolder
from hccd.checkpoint.protocol import Checkpoint, State
from hccd.checkpoint.state import SearchState

__all__ = ["Checkpoint", "CheckpointFolder", "SearchState", "State"]
