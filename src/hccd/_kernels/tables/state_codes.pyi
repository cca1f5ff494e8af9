from typing import Any

from numpy.typing import NDArray

def code_states(
    values: NDArray[Any], low: int, places: NDArray[Any], unknown: int, codes: NDArray[Any], times: NDArray[Any]
) -> bool: ...
