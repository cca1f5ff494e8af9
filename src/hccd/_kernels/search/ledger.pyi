from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.level import LevelSearch

class Ledger:
    outer: NDArray[Any]
    alive: NDArray[Any]
    seen: NDArray[Any]
    home_start: NDArray[Any]
    home_stop: NDArray[Any]
    home_order: NDArray[Any]
    fell_order: NDArray[Any]
    fell_stage: NDArray[Any]
    fell_cluster: NDArray[Any]
    statistic: NDArray[Any]
    freedom: NDArray[Any]
    given_start: NDArray[Any]
    given: NDArray[Any]
    by_cluster: NDArray[Any]
    cluster_of: NDArray[Any]
    inside: NDArray[Any]
    asked: NDArray[Any]
    todo: NDArray[Any]
    tests: NDArray[Any]
    n_todo: int
    n_inside: int
    n_asked: int
    def __init__(
        self,
        n_variables: int,
        x: NDArray[Any],
        y: NDArray[Any],
        strength: NDArray[Any],
        order: NDArray[Any],
        start: NDArray[Any],
        stop: NDArray[Any],
        height: NDArray[Any],
        outer: NDArray[Any],
    ) -> None: ...
    def attach(self, search: LevelSearch) -> None: ...
    def open(self, height: int, everything: bool) -> int: ...
    def learn(
        self,
        searches: list[LevelSearch],
        stage: int,
        first: int,
        limit: int,
        live: bool,
        at_once: Callable[[Callable[..., Any], list[tuple[Any, ...]]], Any],
        report: Callable[[int, int, int, int], None] | None,
        begun: Callable[[], int] | None,
    ) -> list[int]: ...
    def close(self, limit: int) -> None: ...
