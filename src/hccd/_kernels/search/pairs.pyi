from typing import Any

from numpy.typing import NDArray

def find_pairs(
    n: int, independent: NDArray[Any], words: NDArray[Any], first: NDArray[Any], columns: NDArray[Any]
) -> int: ...
def read_pairs(
    matrix: NDArray[Any], first: NDArray[Any], columns: NDArray[Any], values: NDArray[Any], signed: bool
) -> bool: ...
