from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch

class BlockSearch(LevelSearch):
    def __init__(
        self,
        correlation: NDArray[Any],
        first: NDArray[Any],
        n_rows: float,
        singular: float,
        critical: NDArray[Any],
        association: NDArray[Any],
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
    ) -> None: ...
