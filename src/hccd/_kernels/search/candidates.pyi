from typing import Any

from numpy.typing import NDArray

class Candidates:
    def attach(
        self, first: NDArray[Any], neighbors: NDArray[Any], degree: NDArray[Any], strength: NDArray[Any]
    ) -> None: ...
