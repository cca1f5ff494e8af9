from typing import Any

from numpy.typing import NDArray

def sort_pairs(x: NDArray[Any], y: NDArray[Any], n: int, order: NDArray[Any]) -> None: ...
def find_pairs(pairs: NDArray[Any], x: NDArray[Any], y: NDArray[Any], rows: NDArray[Any]) -> None: ...
def fill_rows(edges: NDArray[Any], first: NDArray[Any], neighbors: NDArray[Any], mirror: NDArray[Any]) -> None: ...
def find_slots(
    first: NDArray[Any], neighbors: NDArray[Any], v: NDArray[Any], u: NDArray[Any], slots: NDArray[Any]
) -> None: ...
def walk_unshielded(
    first: NDArray[Any],
    neighbors: NDArray[Any],
    mirror: NDArray[Any],
    kept: NDArray[Any],
    write: bool,
    place: NDArray[Any],
    x_slot: NDArray[Any],
    y_slot: NDArray[Any],
    pair: NDArray[Any],
    pair_x: NDArray[Any],
    pair_y: NDArray[Any],
) -> int: ...
