import numpy as np
from numpy.typing import NDArray

from hccd._kernels.scores.families import Families

class BlockFamilies(Families):
    def __init__(
        self,
        correlation: NDArray[np.float64],
        first: NDArray[np.int32],
        own: NDArray[np.int32],
        entropy: NDArray[np.float64],
        n_rows: float,
        singular: float,
        max_parents: int,
    ) -> None: ...
    @property
    def n_rows(self) -> float: ...
