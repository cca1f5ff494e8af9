"""A look at the data before learning: what would be refused, what may surprise, what it will cost."""

from hccd.preflight.check import check_data, check_prepared
from hccd.preflight.data_check import CheckFinding, ColumnSummary, DataCheck, WorkEstimate

__all__ = ["CheckFinding", "ColumnSummary", "DataCheck", "WorkEstimate", "check_data", "check_prepared"]
