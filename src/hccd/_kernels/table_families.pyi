from hccd._kernels.coded_columns import CodedColumns
from hccd._kernels.families import Families

WEIGHTS: tuple[float, ...]

class TableFamilies(Families):
    def __init__(self, columns: CodedColumns, ess: float, max_parents: int) -> None: ...
