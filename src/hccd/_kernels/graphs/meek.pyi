from typing import Any

from numpy.typing import NDArray

class MeekClosure:
    def __init__(
        self,
        first: NDArray[Any],
        neighbors: NDArray[Any],
        mirror: NDArray[Any],
        owner: NDArray[Any],
        mark: NDArray[Any],
        reason: NDArray[Any],
    ) -> None: ...
    def close(self, arrows: NDArray[Any], why: NDArray[Any]) -> None: ...
