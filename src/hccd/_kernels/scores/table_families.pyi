from hccd._kernels.scores.families import Families
from hccd._kernels.search.coded_columns import CodedColumns

WEIGHTS: tuple[float, ...]
MEMORY_BITS: int

class TableFamilies(Families):
    def __init__(self, columns: CodedColumns, ess: float, max_parents: int, uniform: bool = False) -> None: ...
