from hccd._kernels.search.coded_columns import CodedColumns
from hccd._kernels.search.row_codes import RowCodes
from hccd._kernels.search.strata_sum import StrataSum

class RowTables(RowCodes):
    def __init__(self, columns: CodedColumns, strata_sum: StrataSum, dense_cells: int) -> None: ...
