from typing import Any

from numpy.typing import NDArray

def code_whole(
    values: NDArray[Any], low: NDArray[Any], width: NDArray[Any], codes: NDArray[Any], states: NDArray[Any]
) -> None: ...
def by_first_occurrence(codes: NDArray[Any], states: NDArray[Any], renamed: NDArray[Any]) -> None: ...
