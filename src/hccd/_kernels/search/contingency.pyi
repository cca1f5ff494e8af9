from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.answers import Answers
from hccd._kernels.search.coded_columns import CodedColumns
from hccd._kernels.search.level import LevelSearch

class TableSearch(LevelSearch):
    def __init__(
        self,
        kind: int,
        columns: CodedColumns,
        critical_values: Callable[[int], NDArray[Any]],
        association: NDArray[Any],
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
        answers: Answers | None = None,
    ) -> None: ...
