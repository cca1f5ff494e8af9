"""Pairs that are independent without any condition: nearly all pairs of a large table, so they are not listed.

The decision is one boolean matrix. P-values are looked up when somebody asks: computed from the strengths in a fresh
result, read from the file (with a relative error of at most 0.0005) in a loaded one.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.independence import Marginals


class PValues(Protocol):
    """Where p-values of a row of the matrix come from."""

    def row(self, x: int, y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the p-values of ``x`` with each of ``y``."""
        ...


@dataclass(frozen=True, eq=False)
class FreshPValues:
    """P-values of the tests just made; ``canonical[i]`` is the number that variable i had in them."""

    marginals: Marginals
    canonical: NDArray[np.int64]

    def row(self, x: int, y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute or look up."""
        return self.marginals.p_values(int(self.canonical[x]), self.canonical[y])


@dataclass(frozen=True, eq=False)
class StoredPValues:
    """P-values from a file: those of the separated pairs, row by row."""

    independent: NDArray[np.bool_]
    values: NDArray[np.float64]

    def row(self, x: int, y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Look up; nan for a pair that is not separated."""
        result = np.full(len(y), np.nan)
        counts = np.triu(self.independent, 1).sum(axis=1)
        starts = np.concatenate([[0], np.cumsum(counts)])
        for k, other in enumerate(y.tolist()):
            a, b = min(x, other), max(x, other)
            if self.independent[a, b]:
                place = starts[a] + np.count_nonzero(self.independent[a, a + 1 : b])
                result[k] = self.values[place]
        return result


@dataclass(frozen=True, eq=False)
class MarginalSeparations:
    """Which pairs are independent without condition, and with which p-value (None: the test has none)."""

    independent: NDArray[np.bool_]
    p_values: PValues | None

    def p_value(self, x: int, y: int) -> float:
        """Return the p-value of one pair; nan if there is none."""
        return float("nan") if self.p_values is None else float(self.p_values.row(x, np.array([y]))[0])

    def encoded(self) -> str | None:
        """Return the p-values of all separated pairs, row by row, as text: three digits each, deflated, base64."""
        if self.p_values is None:
            return None
        rows = []
        for x in range(len(self.independent)):
            others = x + 1 + np.flatnonzero(self.independent[x, x + 1 :])
            rows.append(_to_codes(self.p_values.row(x, others)).tobytes())
        return base64.b64encode(zlib.compress(b"".join(rows), 6)).decode("ascii")

    @classmethod
    def decoded(cls, independent: NDArray[np.bool_], text: str | None) -> MarginalSeparations:
        """Read what ``encoded`` wrote; ValueError if it does not fit."""
        if text is None:
            return cls(independent, None)
        codes = np.frombuffer(zlib.decompress(base64.b64decode(text)), "<u2")
        if len(codes) != np.count_nonzero(independent) // 2:
            raise ValueError("the p-values do not fit the edges and separations")
        return cls(independent, StoredPValues(independent, _from_codes(codes)))


#: Steps of the stored logarithm for each power of ten: a relative error of at most 0.0005, down to 1e-26.
_STEPS = 2500
_NOT_A_NUMBER = 65535


def _to_codes(p_value: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Return p-values as small whole numbers, on a scale of logarithms."""
    with np.errstate(divide="ignore"):
        steps = np.rint(-np.log10(p_value) * _STEPS)
    return np.where(np.isnan(steps), _NOT_A_NUMBER, np.clip(steps, 0, _NOT_A_NUMBER - 1)).astype("<u2")


def _from_codes(codes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return the p-values behind the codes."""
    return np.where(codes == _NOT_A_NUMBER, np.nan, 10.0 ** (codes / -float(_STEPS)))
