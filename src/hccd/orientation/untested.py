"""The sets that a collider rule still has to test: those that the skeleton search did not test.

The search visits sets in a known order (see ``_kernels/search/candidates.py``), and neighbourhoods only shrink. So
whether a set among the final neighbours of a separated pair was tested follows from where the pair was separated, by
which set, and in which home; no record of single tests is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hccd._kernels.graphs.untested import UntestedSets
from hccd.graphs.rows import Rows
from hccd.graphs.separators import Separations
from hccd.independence import Marginals

#: Questions that are asked at once.
_BATCH = 50_000


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the skeleton search knows about separated pairs, as columns along ``separations``.

    A set is known to be dependent if it lies in the pair's earlier home (positions ``home_start`` to
    ``home_stop - 1``, at most ``home_order`` variables), or if the pass over the cluster (``cluster_start`` to
    ``cluster_stop - 1``) that removed the pair came to it before the separating set.
    """

    separations: Separations
    position: NDArray[np.int32]
    home_start: NDArray[np.int32]
    home_stop: NDArray[np.int32]
    home_order: NDArray[np.int32]
    cluster_start: NDArray[np.int32]
    cluster_stop: NDArray[np.int32]


class SeparatedPairs(NamedTuple):
    """Separated pairs with common neighbours, as columns.

    ``row`` is the pair's row among the separations, -1 if it was separated without any condition; ``p_value`` is that
    of the separating set.
    """

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    row: NDArray[np.int64]
    p_value: NDArray[np.float64]


def untested_sets(
    rows: Rows,
    pairs: SeparatedPairs,
    limit: NDArray[np.int32],
    evidence: Evidence,
    marginals: Marginals,
    by_strength: bool,
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """List the sets among the neighbours of x or of y, up to the pair's limit, that were not tested yet.

    They come in batches of one size, smaller sizes first: the numbers of the pairs, and one row for each set.
    """
    walk = UntestedSets(
        rows.first, rows.neighbors, pairs.x, pairs.y, pairs.row, limit,
        evidence.separations.start, evidence.separations.given,
        np.ascontiguousarray(marginals.association, np.float64), by_strength,
        (
            evidence.position, evidence.home_start, evidence.home_stop, evidence.home_order,
            evidence.cluster_start, evidence.cluster_stop,
        ),
    )  # fmt: skip
    # The empty set was asked for every pair, so sizes begin at 1.
    for order in range(1, int(np.max(limit, initial=0)) + 1):
        walk.begin(order)
        count = _BATCH
        while count == _BATCH:
            pair, given = np.empty(_BATCH, np.int32), np.empty((_BATCH, order), np.int32)
            count = walk.fill(pair, given)
            if count:
                yield pair[:count], given[:count]
