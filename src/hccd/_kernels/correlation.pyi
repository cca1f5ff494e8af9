from typing import Any

from numpy.typing import NDArray

from hccd._kernels.level import LevelSearch

class CorrelationSearch(LevelSearch):
    def __init__(
        self,
        correlation: NDArray[Any],
        critical: float,
        singular: float,
        order: int,
        live: bool,
        strength: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
        first: NDArray[Any],
        neighbors: NDArray[Any],
        degree: NDArray[Any],
    ) -> None: ...
    def partial_correlations(
        self, x: NDArray[Any], y: NDArray[Any], given: NDArray[Any], result: NDArray[Any]
    ) -> None: ...
