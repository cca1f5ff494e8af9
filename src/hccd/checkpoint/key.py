"""Which run this is, as a short text: equal for the same data, test and settings, and for no other.

What does not change the result does not enter: the number of workers, names, paths, and the order of columns, since
everything is in canonical numbers here. A test of the user's own is known by its name and its data, not by its code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.graphs import PDAG
from hccd.graphs.constraints import Constraints
from hccd.independence import BoundCITest, Marginals
from hccd.version import __version__


def search_key(ci: BoundCITest, marginals: Marginals, tree: ClusterTree, *settings: object) -> str:
    """Digest what the search for a skeleton depends on; this reads all of the data."""
    layout = tree.layout()
    return _digest(ci, marginals, settings, (layout.sequence, layout.stop, layout.height))


def score_key(
    ci: BoundCITest,
    marginals: Marginals,
    start: PDAG,
    constraints: Constraints | None,
    tree: ClusterTree,
    *settings: object,
) -> str:
    """Digest what the search by a score depends on, the graph to start from included; this reads all of the data."""
    layout = tree.layout()
    known = () if constraints is None else (constraints.forbidden, constraints.adjacent)
    return _digest(
        ci,
        marginals,
        settings,
        (marginals.uncorrected, start.directed_edges(), layout.sequence, layout.stop, layout.height, *known),
    )


def _digest(ci: BoundCITest, marginals: Marginals, settings: Iterable[object], arrays: Iterable[NDArray[Any]]) -> str:
    """Digest the data and whatever else decides."""
    digest = blake2b(digest_size=16)
    digest.update(json.dumps([__version__, ci.describe(), *settings], sort_keys=True, default=repr).encode())
    content = ci.content() or (marginals.association,)
    for array in (*content, marginals.independent, *arrays):
        values = np.ascontiguousarray(array)
        digest.update(f"{values.dtype.str}{values.shape}".encode())
        digest.update(values.data if values.size else b"")
    return digest.hexdigest()
