from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch

class CallingSearch(LevelSearch):
    def __init__(
        self,
        test: Callable[..., Any],
        association: NDArray[Any],
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
    ) -> None: ...
