from typing import Any

from numpy.typing import NDArray

def code_objects(cells: list[Any], position: dict[str, int], codes: NDArray[Any]) -> int: ...
def code_slices(
    text: NDArray[Any] | bytes, start: NDArray[Any], stop: NDArray[Any], codes: NDArray[Any], first: NDArray[Any]
) -> int: ...
