from typing import Any

from numpy.typing import NDArray

def cut_line(points: NDArray[Any], n: int, min_fraction: float, order: NDArray[Any], scratch: NDArray[Any]) -> int: ...
