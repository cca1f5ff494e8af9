from typing import Any

from numpy.typing import NDArray

from hccd._kernels.level import LevelSearch

class TableSearch(LevelSearch):
    def __init__(
        self,
        kind: int,
        data: NDArray[Any],
        states: NDArray[Any],
        critical: NDArray[Any],
        n_log_n: NDArray[Any],
        order: int,
        live: bool,
        strength: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
        first: NDArray[Any],
        neighbors: NDArray[Any],
        degree: NDArray[Any],
    ) -> None: ...
    def statistics(
        self,
        x: NDArray[Any],
        y: NDArray[Any],
        given: NDArray[Any],
        statistic: NDArray[Any],
        freedom: NDArray[Any],
        information: NDArray[Any],
    ) -> None: ...
