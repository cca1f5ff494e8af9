from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.candidates import Candidates

class LevelSearch(Candidates):
    missing_freedom: int
    grain: int
    def enter(self, order: int, live: bool) -> None: ...
    def need_critical(self, freedom: int) -> None: ...
    def search(
        self,
        x: NDArray[Any],
        y: NDArray[Any],
        home_start: NDArray[Any],
        home_stop: NDArray[Any],
        home_order: NDArray[Any],
        tests: NDArray[Any],
        given: NDArray[Any],
        statistic: NDArray[Any],
        freedom: NDArray[Any],
    ) -> int: ...
    def all_pairs(self, statistic: NDArray[Any], freedom: NDArray[Any], information: NDArray[Any]) -> None: ...
    def statistics(
        self,
        x: NDArray[Any],
        y: NDArray[Any],
        given: NDArray[Any],
        statistic: NDArray[Any],
        freedom: NDArray[Any],
        information: NDArray[Any],
    ) -> None: ...
