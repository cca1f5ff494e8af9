"""Which search this is, as a short text: equal for the same data, test, clusters and settings, and for no other.

What does not change the skeleton does not enter: the number of workers, names, paths, and the order of columns, since
everything is in canonical numbers here. A test of the user's own is known by its name and its data, not by its code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from hashlib import blake2b

import numpy as np

from hccd.clustering import ClusterTree
from hccd.independence import BoundCITest, Marginals
from hccd.run.settings import Settings
from hccd.version import __version__


def search_key(ci: BoundCITest, marginals: Marginals, tree: ClusterTree, settings: Settings) -> Callable[[], str]:
    """Return a function that digests what the search for a skeleton depends on, the first time that it is called."""

    @cache
    def key() -> str:
        digest = blake2b(digest_size=16)
        described = [__version__, ci.describe(), settings.baseline.describe(), settings.refine, settings.inner_order]
        digest.update(json.dumps(described, sort_keys=True, default=repr).encode())
        layout = tree.layout()
        content = ci.content() or (marginals.independent, marginals.ties)
        for array in (*content, layout.order, layout.stop, layout.height):
            values = np.ascontiguousarray(array)
            digest.update(f"{values.dtype.str}{values.shape}".encode())
            digest.update(values.data if values.size else b"")
        return digest.hexdigest()

    return key
