"""Digests of streamed columns: the same as those of the columns in memory (``tables/keys.py``).

The first rows tell most columns apart, and the first batches most others. Those that are alike even there are digested
whole, in a pass over these columns alone.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.streams.source import Source
from hccd.tables import column_keys
from hccd.tables.keys import STARTS, alike

#: Returns a column of a batch, as it is digested.
Content = Callable[[Any, str], NDArray[Any]]


def stream_keys(source: Source, head: Any, names: list[str], content: Content) -> list[bytes]:
    """Digest columns; ``head`` are the first rows."""
    start = [content(head, name) for name in names]
    size = max(each.itemsize for each in start)
    keys = column_keys(np.array([each[: STARTS[0] // size] for each in start]).T)
    # Most are told apart by a few batches.
    for most in (STARTS[1] // size, None):
        shared = [names[i] for i in alike(keys)]
        if not shared:
            break
        longer = _digests(source, shared, content, most)
        keys = [longer.get(name, key) for name, key in zip(names, keys, strict=True)]
    return keys


def _digests(source: Source, names: list[str], content: Content, most: int | None) -> dict[str, bytes]:
    """Digest the first rows of columns, or all of them."""
    found = {name: blake2b(digest_size=16) for name in names}
    left = most
    for batch in source.batches(names):
        for name, digest in found.items():
            values = content(batch, name)[:left]
            digest.update(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).data)
        left = None if left is None else left - batch.num_rows
        if left is not None and left <= 0:
            break
    return {name: digest.digest() for name, digest in found.items()}
