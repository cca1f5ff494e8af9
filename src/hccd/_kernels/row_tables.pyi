from hccd._kernels.coded_columns import CodedColumns
from hccd._kernels.row_codes import RowCodes
from hccd._kernels.strata_sum import StrataSum

class RowTables(RowCodes):
    def __init__(self, columns: CodedColumns, strata_sum: StrataSum, dense_cells: int) -> None: ...
