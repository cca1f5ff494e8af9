from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families

class VariableOrder:
    def __init__(
        self,
        families: Families,
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        other: NDArray[np.int32],
        sequence: NDArray[np.int32],
        price: float,
        max_parents: int,
        musts: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]] | None = None,
    ) -> None: ...
    @property
    def trees(self) -> Any: ...
    @property
    def sequence(self) -> Any: ...
    @property
    def work(self) -> int: ...
    def begin(self, sequence: NDArray[np.int32]) -> None: ...
    def lead(self, y: int, members: NDArray[np.int32]) -> bool: ...
    def total(self) -> float: ...
    def parents(self, y: int) -> NDArray[np.int32]: ...
