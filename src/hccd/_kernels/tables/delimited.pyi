from typing import Any

from numpy.typing import NDArray

def cut_cells(text: bytes, delimiter: int, start: NDArray[Any], stop: NDArray[Any], failure: NDArray[Any]) -> int: ...
def parse_numbers(
    text: bytes, source: bytes, start: NDArray[Any], stop: NDArray[Any], whole: NDArray[Any], real: NDArray[Any]
) -> int: ...
