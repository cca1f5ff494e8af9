from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.coded_columns import CodedColumns

class StrataSum:
    def __init__(
        self, kind: int, columns: CodedColumns, critical_values: Callable[[int], NDArray[Any]], most_cells: int
    ) -> None: ...
    def need_critical(self, freedom: int) -> None: ...
