from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch

class CorrelationSearch(LevelSearch):
    def __init__(
        self,
        correlation: NDArray[Any],
        critical: NDArray[Any],
        singular: float,
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
    ) -> None: ...
