"""What a run returns, its file format, and explanations of it."""

from hccd.result.hccd_result import HCCDResult
from hccd.result.removal import Removal

__all__ = ["HCCDResult", "Removal"]
