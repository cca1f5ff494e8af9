from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch

class ForeseenSearch(LevelSearch):
    def __init__(
        self,
        known: dict[tuple[int, ...], tuple[float, int, bool]],
        wanted: dict[tuple[int, ...], None],
        count: Callable[[], None],
        association: NDArray[Any],
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
    ) -> None: ...
