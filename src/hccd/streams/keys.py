"""Digests of streamed columns: the same as those of the columns in memory (``tables/keys.py``).

The first rows tell most columns apart. Those that begin alike are digested whole, in a pass over these columns alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.streams.look import Looked
from hccd.streams.passes import summed
from hccd.tables import column_keys
from hccd.tables.keys import START, digest_of_pieces, piece_of

#: Returns a column of a batch, as it is digested.
Content = Callable[[Any, str], NDArray[Any]]


def stream_keys(looked: Looked, names: list[str], content: Content) -> list[bytes]:
    """Digest columns."""
    start = [content(looked.head, name) for name in names]
    rows = START // max(each.itemsize for each in start)
    keys = column_keys(np.array([each[:rows] for each in start]).T)
    times = Counter(keys)
    shared = [name for name, key in zip(names, keys, strict=True) if times[key] > 1]
    if shared:
        piece = piece_of(looked.n_rows)
        whole = summed(looked.source, shared, lambda _: Digests(shared, content, piece), looked.n_jobs, piece)
        assert whole is not None
        told = dict(zip(shared, whole.digests(), strict=True))
        keys = [told.get(name, key) for name, key in zip(names, keys, strict=True)]
    return keys


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
