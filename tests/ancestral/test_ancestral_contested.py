"""Claims that put two arrowheads on an edge: whom FCI believes."""

from __future__ import annotations

import math

import pytest

from hccd.ancestral import claims_to_follow, orient_pag
from hccd.graphs import Skeleton
from hccd.graphs.pag import ARROW
from hccd.orientation import Triple, Triples

#: The chain 0 - 1 - 2 - 3, whose inner edge is claimed in both directions.
CHAIN = Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3)])


def claims(first, second):
    """1 is a collider between 0 and 2, and 2 one between 1 and 3; ends depend on each other by these p-values."""
    return Triples.of([Triple(0, 1, 2, True, (), 0.5, first), Triple(1, 2, 3, True, (), 0.5, second)])


@pytest.mark.parametrize(
    ("first", "second", "level", "stand"),
    [
        (1e-9, 1e-3, 0.01, [0, 1]),  # both are seen
        (1e-9, 0.3, 0.01, [0]),  # the second is not
        (0.4, 1e-9, 0.01, [1]),
        (0.4, 0.3, 0.01, [1]),  # neither is: the better one stands, since nothing contradicts it then
        (math.nan, 0.3, 0.01, [1]),
        (math.nan, math.nan, 0.01, [0, 1]),  # an oracle has no p-values
        (0.4, 0.3, None, [0, 1]),
    ],
)
def test_a_second_arrowhead_needs_evidence_of_its_own(first, second, level, stand):
    assert claims_to_follow(claims(first, second), level).tolist() == stand


def test_what_is_not_believed_is_a_conflict():
    triples = claims(1e-9, 0.3)
    oriented = orient_pag(CHAIN, triples, lambda x, y: (), 0.01)
    assert oriented.graph.marks[2, 1] == ARROW and oriented.graph.marks[1, 2] != ARROW
    assert [(c.kind, c.x, c.z, c.y) for c in oriented.conflicts] == [("dropped", 1, 2, 3)]
    assert "stronger evidence" in oriented.conflicts[0].reason
    assert oriented.followed.tolist() == [0]
    both = orient_pag(CHAIN, claims(1e-9, 1e-3), lambda x, y: (), 0.01)
    assert both.graph.marks[2, 1] == both.graph.marks[1, 2] == ARROW and not both.conflicts
