from typing import Any

from numpy.typing import NDArray

from hccd._kernels.search.blocks import BlockSearch
from hccd._kernels.search.effective_rows import EffectiveRows

class GapSearch(BlockSearch):
    def __init__(
        self,
        correlation: NDArray[Any],
        first: NDArray[Any],
        effective: EffectiveRows,
        singular: float,
        critical: NDArray[Any],
        association: NDArray[Any],
        outer: NDArray[Any],
        by_strength: bool,
        position: NDArray[Any],
    ) -> None: ...
