from typing import Any

from numpy.typing import NDArray

class EffectiveRows:
    def __init__(
        self,
        correlation: NDArray[Any],
        place: NDArray[Any],
        start: NDArray[Any],
        size: NDArray[Any],
        lost: NDArray[Any],
        weight: NDArray[Any],
        singular: float,
    ) -> None: ...
    def make_room(self, order: int) -> None: ...
    def rows_of(self, x: int, y: int, given: NDArray[Any]) -> float: ...
