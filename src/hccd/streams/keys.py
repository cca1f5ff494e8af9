"""Digests of streamed columns: the same as those of the columns in memory (``tables/keys.py``).

The first rows tell most columns apart, and the first batches most others. Those that are alike even there are digested
whole, in a pass over these columns alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.streams.look import Looked
from hccd.streams.passes import summed
from hccd.tables import column_keys
from hccd.tables.keys import STARTS, alike, digest_of_pieces, piece_of

#: Returns a column of a batch, as it is digested.
Content = Callable[[Any, str], NDArray[Any]]


def stream_keys(looked: Looked, names: list[str], content: Content) -> list[bytes]:
    """Digest columns."""
    start = [content(looked.head, name) for name in names]
    size = max(each.itemsize for each in start)
    keys = column_keys(np.array([each[: STARTS[0] // size] for each in start]).T)
    for digest in (_of_first_rows, _of_all_rows):
        shared = [names[i] for i in alike(keys)]
        if not shared:
            break
        told = digest(looked, shared, content, size)
        keys = [told.get(name, key) for name, key in zip(names, keys, strict=True)]
    return keys


def _of_first_rows(looked: Looked, names: list[str], content: Content, size: int) -> dict[str, bytes]:
    """Digest the rows of the first batches, which tell most columns apart."""
    found = {name: blake2b(digest_size=16) for name in names}
    left = STARTS[1] // size
    for batch in looked.source.batches(names):
        for name, digest in found.items():
            values = content(batch, name)[:left]
            digest.update(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).data)
        left -= batch.num_rows
        if left <= 0:
            break
    return {name: digest.digest() for name, digest in found.items()}


def _of_all_rows(looked: Looked, names: list[str], content: Content, _size: int) -> dict[str, bytes]:
    """Digest all rows."""
    piece = piece_of(looked.n_rows)
    whole = summed(looked.source, names, lambda _: Digests(names, content, piece), looked.n_jobs, piece)
    assert whole is not None
    return dict(zip(names, whole.digests(), strict=True))


@dataclass(eq=False)
class Digests:
    """Digests of the pieces of columns, and what is being digested."""

    names: list[str]
    content: Content
    piece: int
    pieces: list[list[bytes]] = field(default_factory=list)
    open: list[Any] = field(default_factory=list)

    def further(self) -> Digests:
        """Return those of no rows."""
        return Digests(self.names, self.content, self.piece)

    def add(self, start: int, batch: Any) -> None:
        """Digest the next rows."""
        columns = [self.content(batch, name) for name in self.names]
        done = 0
        while done < batch.num_rows:
            rows = min(batch.num_rows - done, self.piece - (start + done) % self.piece)
            self.open = self.open or [blake2b(digest_size=16) for _ in self.names]
            for digest, values in zip(self.open, columns, strict=True):
                own = values[done : done + rows]
                digest.update(np.ascontiguousarray(own, own.dtype.newbyteorder("<")).tobytes())
            done += rows
            if (start + done) % self.piece == 0:
                self._close()

    def merge(self, later: Digests) -> None:
        """Add those of the rows that follow."""
        self._close()
        self.pieces += later.pieces

    def digests(self) -> list[bytes]:
        """Return those of the columns."""
        self._close()
        return [digest_of_pieces(own) for own in zip(*self.pieces, strict=True)]

    def _close(self) -> None:
        if self.open:
            self.pieces.append([digest.digest() for digest in self.open])
            self.open = []

    def __getstate__(self) -> dict[str, Any]:
        # What leaves a worker ends with a piece, or with the rows.
        self._close()
        return self.__dict__
