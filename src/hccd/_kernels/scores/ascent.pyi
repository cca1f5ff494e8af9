from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families

class Ascent:
    edge: NDArray[np.uint8]
    n_moves: int

    def __init__(
        self,
        families: Families,
        first: NDArray[np.int64],
        other: NDArray[np.int32],
        mirror: NDArray[np.int32],
        edge: NDArray[np.uint8],
        price: float,
        max_parents: int,
        barred: NDArray[np.uint8] | None = None,
    ) -> None: ...
    def record(self) -> dict[str, NDArray[Any]]: ...
    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None: ...
    def total(self) -> float: ...
    def climb(self) -> None: ...
    def shake(self, start: int, stop: int) -> int: ...
