from typing import Any

from numpy.typing import NDArray

class Extension:
    gone: Any
    def __init__(
        self, first: NDArray[Any], neighbors: NDArray[Any], mirror: NDArray[Any], into: NDArray[Any]
    ) -> None: ...
    def claim(self, x_slot: NDArray[Any], y_slot: NDArray[Any]) -> None: ...
    def run(self, free_only: bool, parent: NDArray[Any]) -> int: ...
