"""Columns of numbers that read as a tuple of named tuples.

At 5000 variables there are tens of thousands of triples, and most are never looked at. So they are kept as arrays, and
the named tuples are made when somebody first asks for one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.edges import sealed

Record = TypeVar("Record")


class Records(Sequence[Record]):
    """A sequence that compares, hashes and prints like the tuple it stands for; children are frozen dataclasses."""

    def __post_init__(self) -> None:
        for column in self._columns():
            sealed(column)

    @abstractmethod
    def _made(self) -> tuple[Record, ...]:
        """Make the named tuples."""

    @cached_property
    def _tuple(self) -> tuple[Record, ...]:
        return self._made()

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...

    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        return self._tuple[index]

    def __iter__(self) -> Iterator[Record]:
        return iter(self._tuple)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Records):
            return self._tuple == other._tuple
        return self._tuple == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._tuple)

    def __repr__(self) -> str:
        return repr(self._tuple)

    def __reduce__(self) -> tuple[Any, tuple[NDArray[Any], ...]]:
        # Through the constructor: an unpickled array would be writable, and the tuples need not travel.
        return type(self), self._columns()


def ordered_ends(
    x: NDArray[np.int32], y: NDArray[np.int32], order: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return both ends under new numbers, the smaller one first."""
    labels = order.astype(np.int32)
    new_x, new_y = labels[x], labels[y]
    return np.minimum(new_x, new_y), np.maximum(new_x, new_y)
