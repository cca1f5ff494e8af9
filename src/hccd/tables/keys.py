"""Digests of columns: an order of the variables that comes from what they hold and from nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from hccd.tables.columns import Array
from hccd.tables.weights import drawn_rows

#: Columns are told by so many bytes, if these are their own; or by so many; or by all.
STARTS = (256, 1 << 16)
#: A column of more rows is told by the digests of its pieces, of so many rows, so that several workers can make them.
LONG, PIECE = 1 << 16, 1 << 13


def column_keys(values: Array, weights: NDArray[np.float64] | None = None) -> list[bytes]:
    """Digest each column of a two-dimensional array (blake2b, 16 bytes, the same on every machine).

    Neither the names nor the order of the columns enter. Within one array, columns of equal content have equal keys,
    and others have not. A column is told by its first 256 bytes where no other column starts with the same ones,
    then by its first 65,536, and by all of it otherwise: for measurements that is a few rows. With weights it is told
    by the rows that stand for all, so that counts give the order of repeated rows.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = column_keys(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> column_keys(np.array([[1.0, 0.0], [3.0, 2.0]])) == [b, a]
    True
    """
    columns = values.T if weights is None else values[drawn_rows(weights)].T
    rows = [max(1, start // values.itemsize) for start in STARTS]
    keys = _digests(columns[:, : rows[0]])
    for most in (rows[1], columns.shape[1]):
        shared = alike(keys)
        if not shared:
            break
        for i, longer in zip(shared, _digests(columns[shared, :most]), strict=True):
            keys[i] = longer
    return keys


def alike(keys: Sequence[bytes]) -> list[int]:
    """Return the places of keys that occur more than once."""
    times = Counter(keys)
    return [] if len(times) == len(keys) else [i for i, key in enumerate(keys) if times[key] > 1]


def piece_of(n_rows: int) -> int:
    """Return how many rows of a column are digested by themselves."""
    return PIECE if n_rows > LONG else LONG


def digest_of_pieces(pieces: Sequence[bytes]) -> bytes:
    """Put the digests of the pieces of a column together."""
    return pieces[0] if len(pieces) == 1 else blake2b(b"".join(pieces), digest_size=16).digest()


def _digests(rows: Array) -> list[bytes]:
    """Digest each row of an array, as little-endian numbers."""
    size = piece_of(rows.shape[1])
    pieces = [_digests_of_piece(rows[:, start : start + size]) for start in range(0, max(rows.shape[1], 1), size)]
    return [digest_of_pieces(own) for own in zip(*pieces, strict=True)]


def _digests_of_piece(rows: Array) -> list[bytes]:
    content = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder("<")).tobytes()
    size = len(content) // max(1, len(rows))
    return [blake2b(content[i * size : (i + 1) * size], digest_size=16).digest() for i in range(len(rows))]
