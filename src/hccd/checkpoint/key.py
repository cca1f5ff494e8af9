"""Which search this is, as a short text: equal for the same data, test, clusters and settings, and for no other.

What does not change the skeleton does not enter: the number of workers, names, paths, and the order of columns, since
everything is in canonical numbers here. A test of the user's own is known by its name and its data, not by its code.
"""

from __future__ import annotations

import json
from hashlib import blake2b

import numpy as np

from hccd.clustering import ClusterTree
from hccd.independence import BoundCITest, Marginals
from hccd.version import __version__


def search_key(ci: BoundCITest, marginals: Marginals, tree: ClusterTree, *settings: object) -> str:
    """Digest what the search for a skeleton depends on; this reads all of the data."""
    digest = blake2b(digest_size=16)
    digest.update(json.dumps([__version__, ci.describe(), *settings], sort_keys=True, default=repr).encode())
    layout = tree.layout()
    content = ci.content() or (marginals.association,)
    for array in (*content, marginals.independent, layout.sequence, layout.stop, layout.height):
        values = np.ascontiguousarray(array)
        digest.update(f"{values.dtype.str}{values.shape}".encode())
        digest.update(values.data if values.size else b"")
    return digest.hexdigest()
