import numpy as np
from numpy.typing import NDArray

class BlockFactor:
    def __init__(
        self, correlation: NDArray[np.float64], first: NDArray[np.int32], singular: float, targets: int
    ) -> None: ...
