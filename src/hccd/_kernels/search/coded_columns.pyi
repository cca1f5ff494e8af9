from typing import Any

from numpy.typing import NDArray

class CodedColumns:
    def __init__(self, data: NDArray[Any], states: NDArray[Any], n_log_n: NDArray[Any]) -> None: ...
