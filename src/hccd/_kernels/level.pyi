from typing import Any

from numpy.typing import NDArray

class LevelSearch:
    def search(
        self,
        x: NDArray[Any],
        y: NDArray[Any],
        home_start: NDArray[Any],
        home_stop: NDArray[Any],
        home_order: NDArray[Any],
        removed: NDArray[Any],
        given: NDArray[Any],
        n_tests: NDArray[Any],
        statistic: NDArray[Any],
        freedom: NDArray[Any],
    ) -> int: ...
