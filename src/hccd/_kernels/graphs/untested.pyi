from typing import Any

from numpy.typing import NDArray

class UntestedSets:
    def __init__(
        self,
        first: NDArray[Any],
        neighbors: NDArray[Any],
        pair_x: NDArray[Any],
        pair_y: NDArray[Any],
        row: NDArray[Any],
        limit: NDArray[Any],
        start: NDArray[Any],
        given: NDArray[Any],
        association: NDArray[Any],
        by_strength: bool,
        known: tuple[NDArray[Any], ...],
    ) -> None: ...
    def begin(self, order: int) -> None: ...
    def fill(self, pair: NDArray[Any], given: NDArray[Any]) -> int: ...

def count_votes(
    middle: NDArray[Any],
    pair: NDArray[Any],
    first: NDArray[Any],
    start: NDArray[Any],
    given: NDArray[Any],
    p_value: NDArray[Any],
    majority: bool,
    collider: NDArray[Any],
    decisive: NDArray[Any],
) -> None: ...
