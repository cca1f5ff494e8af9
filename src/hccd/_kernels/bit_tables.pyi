from hccd._kernels.coded_columns import CodedColumns
from hccd._kernels.strata_sum import StrataSum

class BitTables:
    def __init__(self, columns: CodedColumns, strata_sum: StrataSum, most_cells: int) -> None: ...
