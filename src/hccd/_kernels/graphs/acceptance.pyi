from typing import Any

from numpy.typing import NDArray

class Acceptance:
    def __init__(
        self, first: NDArray[Any], neighbors: NDArray[Any], mirror: NDArray[Any], into: NDArray[Any]
    ) -> None: ...
    def assume(self, owner: NDArray[Any], slots: NDArray[Any]) -> None: ...
    def accept(
        self,
        owner: NDArray[Any],
        x_slot: NDArray[Any],
        y_slot: NDArray[Any],
        contested: NDArray[Any],
        refusal: NDArray[Any],
    ) -> None: ...
