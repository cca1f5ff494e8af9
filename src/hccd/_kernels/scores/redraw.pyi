import numpy as np
from numpy.typing import NDArray

def redraw(
    data: NDArray[np.uint16],
    states: NDArray[np.int32],
    rows: NDArray[np.int32],
    first_row: NDArray[np.int64],
    parents: NDArray[np.int32],
    stride: NDArray[np.int64],
    first_parent: NDArray[np.int64],
    children: NDArray[np.int32],
    first_child: NDArray[np.int64],
    table: NDArray[np.float64],
    first_cell: NDArray[np.int64],
    uniform: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> None: ...
