from typing import Any

from numpy.typing import NDArray

class LevelSearch:
    missing_freedom: int
    grain: int
    def attach(self, first: NDArray[Any], neighbors: NDArray[Any], degree: NDArray[Any], tie: NDArray[Any]) -> None: ...
    def enter(self, order: int, live: bool) -> None: ...
    def need_critical(self, freedom: int) -> None: ...
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
