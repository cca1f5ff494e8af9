"""How strongly the ends of a possible collider depend on each other given its middle.

A collider x -> z <- y implies two things: x and y are independent given a set, and dependent given that set and z. The
rules of ``colliders.py`` use the first only, which unrelated variables satisfy best whatever z is. So where colliders
contradict each other, the second decides. It takes one test for each collider.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hccd.independence import BoundCITest
from hccd.orientation.triples import COLLIDER, Triples


def with_dependence(triples: Triples, ci: BoundCITest) -> tuple[Triples, tuple[int, ...]]:
    """Return the triples with the p-values of colliders given the middle as well, and the tests made by order."""
    if not ci.has_p_values:
        return triples, ()
    claimed = np.flatnonzero(triples.collider == COLLIDER)
    sizes = np.diff(triples.start)[claimed] + 1
    counts = np.bincount(sizes)
    dependence = triples.dependence.copy()
    for order in np.flatnonzero(counts):
        rows = claimed[sizes == order]
        given = triples.given[triples.start[rows, None] + np.arange(order - 1)]
        given = np.column_stack([given, triples.z[rows]])
        dependence[rows] = ci.test_many(triples.x[rows], triples.y[rows], given).p_value
    return replace(triples, dependence=dependence), tuple(counts.tolist())
