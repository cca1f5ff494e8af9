"""Pairs that are independent without any condition: nearly all pairs of a large table, so they are not listed.

The decision is one boolean matrix. P-values are looked up when somebody asks: computed from the strengths in a fresh
result, read from the file (with a relative error of at most 0.0005) in a loaded one.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hccd.independence import Marginals


class PValues(Protocol):
    """Where p-values of separated pairs come from."""

    def of(self, x: int, y: int) -> float:
        """Return the p-value of one pair; nan if there is none."""
        ...

    def codes(self, independent: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Return the p-values of all separated pairs above the diagonal, row by row, as codes."""
        ...


@dataclass(frozen=True, eq=False)
class FreshPValues:
    """P-values of the tests just made; ``canonical[i]`` is the number that variable i had in them."""

    marginals: Marginals
    canonical: NDArray[np.int64]

    def of(self, x: int, y: int) -> float:
        """Compute or look up."""
        return float(self.marginals.p_values(int(self.canonical[x]), self.canonical[[y]])[0])

    def codes(self, independent: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Compute row by row, so that no second matrix is needed."""
        rows = []
        for x in range(len(independent)):
            others = self.canonical[x + 1 :][independent[x, x + 1 :]]
            rows.append(_to_codes(self.marginals.p_values(int(self.canonical[x]), others)))
        return np.concatenate(rows)


@dataclass(frozen=True, eq=False)
class StoredPValues:
    """P-values from a file: codes of the separated pairs above the diagonal, row by row."""

    independent: NDArray[np.bool_]
    stored: NDArray[np.uint16]

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each row starts."""
        counts = [np.count_nonzero(self.independent[x, x + 1 :]) for x in range(len(self.independent))]
        return np.concatenate([[0], np.cumsum(counts)])

    def of(self, x: int, y: int) -> float:
        """Look up; nan for a pair that is not separated."""
        a, b = min(x, y), max(x, y)
        if not self.independent[a, b]:
            return float("nan")
        place = self._starts[a] + np.count_nonzero(self.independent[a, a + 1 : b])
        return float(_from_codes(self.stored[[place]])[0])

    def codes(self, independent: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Return what is stored."""
        return self.stored


@dataclass(frozen=True, eq=False)
class MarginalSeparations:
    """Which pairs are independent without condition, and with which p-value (None: the test has none).

    ``matrix`` may list the variables in another order: variable i has its row ``rows[i]``.
    """

    matrix: NDArray[np.bool_]
    p_values: PValues | None
    rows: NDArray[np.int64] | None = None

    @cached_property
    def independent(self) -> NDArray[np.bool_]:
        """The decisions as a matrix, read-only; put in order when first asked for."""
        if self.rows is None:
            return self.matrix
        ordered = self.matrix.take(self.rows, 0).take(self.rows, 1)
        ordered.flags.writeable = False
        return ordered

    def p_value(self, x: int, y: int) -> float:
        """Return the p-value of one pair; nan if there is none."""
        return float("nan") if self.p_values is None else self.p_values.of(x, y)

    def encoded(self) -> dict[str, str] | None:
        """Return the p-values of all separated pairs, row by row, as text: three digits each.

        They are codes of 16 bits; the upper and the lower eight are packed apart (deflate, base64), since only the
        upper ones can be made smaller.
        """
        if self.p_values is None:
            return None
        codes = self.p_values.codes(self.independent)
        return {"high": _packed((codes >> 8).astype(np.uint8)), "low": _packed(codes.astype(np.uint8))}

    @classmethod
    def decoded(cls, independent: NDArray[np.bool_], data: Mapping[str, str] | str | None) -> MarginalSeparations:
        """Read what ``encoded`` wrote, or the codes unparted as one text, as first files have them.

        ValueError if they do not fit.
        """
        if data is None:
            return cls(independent, None)
        if isinstance(data, str):
            codes = np.frombuffer(zlib.decompress(base64.b64decode(data)), "<u2").astype(np.uint16)
        else:
            high, low = (np.frombuffer(zlib.decompress(base64.b64decode(data[part])), np.uint8) for part in _PARTS)
            codes = high.astype(np.uint16) * np.uint16(256)
            codes += low
        if len(codes) != np.count_nonzero(independent) // 2:
            raise ValueError("the p-values do not fit the edges and separations")
        return cls(independent, StoredPValues(independent, codes))


_PARTS = ("high", "low")

#: Steps of the stored logarithm for each power of ten: a relative error of at most 0.0005, down to 1e-26.
_STEPS = 2500
_NOT_A_NUMBER = 65535


def _packed(part: NDArray[np.uint8]) -> str:
    """Deflate without looking for repetitions, of which p-values have none: four times as fast, and smaller."""
    deflate = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)
    return base64.b64encode(deflate.compress(part.tobytes()) + deflate.flush()).decode("ascii")


def _to_codes(p_value: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Return p-values as small whole numbers, on a scale of logarithms."""
    with np.errstate(divide="ignore"):
        steps = np.log10(p_value)
    steps *= -_STEPS
    np.rint(steps, out=steps)
    np.clip(steps, 0, _NOT_A_NUMBER - 1, out=steps)
    steps[np.isnan(steps)] = _NOT_A_NUMBER
    return steps.astype(np.uint16)


def _from_codes(codes: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return the p-values behind the codes."""
    return np.where(codes == _NOT_A_NUMBER, np.nan, 10.0 ** (codes / -float(_STEPS)))
