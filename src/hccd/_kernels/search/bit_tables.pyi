from hccd._kernels.search.coded_columns import CodedColumns
from hccd._kernels.search.strata_sum import StrataSum

class BitTables:
    def __init__(self, columns: CodedColumns, strata_sum: StrataSum, most_cells: int) -> None: ...
