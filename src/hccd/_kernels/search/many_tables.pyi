from typing import Any

from numpy.typing import NDArray

def count_tables(
    codes: NDArray[Any],
    widths: NDArray[Any],
    bits: NDArray[Any],
    where: NDArray[Any],
    members: NDArray[Any],
    first: NDArray[Any],
    cells: NDArray[Any],
    start: NDArray[Any],
) -> int: ...
