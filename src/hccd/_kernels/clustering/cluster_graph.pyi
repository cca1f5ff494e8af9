from typing import Any

from numpy.typing import NDArray

class ClusterGraph:
    def __init__(self, first: NDArray[Any], columns: NDArray[Any], weights: NDArray[Any]) -> None: ...
