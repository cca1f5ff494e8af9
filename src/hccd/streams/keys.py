"""Digests of streamed columns: the same as those of the columns in memory (``tables/keys.py``).

The first rows tell most columns apart. Those that begin alike are digested whole, in a pass over these columns alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.streams.source import Source
from hccd.tables import column_keys
from hccd.tables.keys import START

#: Returns a column of a batch, as it is digested.
Content = Callable[[Any, str], NDArray[Any]]


def stream_keys(source: Source, head: Any, names: list[str], content: Content) -> list[bytes]:
    """Digest columns; ``head`` are the first rows."""
    start = [content(head, name) for name in names]
    rows = START // max(each.itemsize for each in start)
    keys = column_keys(np.array([each[:rows] for each in start]).T)
    times = Counter(keys)
    shared = [name for name, key in zip(names, keys, strict=True) if times[key] > 1]
    if shared:
        whole = {name: blake2b(digest_size=16) for name in shared}
        for batch in source.batches(shared):
            for name, digest in whole.items():
                values = content(batch, name)
                digest.update(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).tobytes())
        keys = [whole[name].digest() if name in whole else key for name, key in zip(names, keys, strict=True)]
    return keys
