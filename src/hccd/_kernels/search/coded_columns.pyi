from typing import Any

from numpy.typing import NDArray

class CodedColumns:
    def __init__(
        self,
        data: NDArray[Any],
        states: NDArray[Any],
        n_log_n: NDArray[Any],
        gaps: NDArray[Any] | None = None,
        weights: NDArray[Any] | None = None,
        unit: float = 1.0,
        alone: int = 1,
    ) -> None: ...
