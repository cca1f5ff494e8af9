from typing import Any

from numpy.typing import NDArray

from hccd._kernels.clustering.second_eigenvector import SecondEigenvector

class Bisection(SecondEigenvector):
    def grow(self, min_size: int, max_depth: int, min_fraction: float) -> int: ...
    def result(self, count: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]: ...
