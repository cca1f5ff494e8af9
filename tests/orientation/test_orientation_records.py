"""Triples, conflicts and reasons as the user meets them: tuples and a dictionary, made only when looked at."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

import hccd
from hccd.graphs import Skeleton
from hccd.orientation import ArrowReasons, Conflict, Conflicts, Triple, Triples, orient
from method_cases import linear_gaussian

LISTED = (
    Triple(0, 2, 3, True, (1, 4), 0.25, 0.125),
    Triple(1, 2, 3, None, (), 0.5, 0.0),
    Triple(0, 4, 5, False, (4,), 1.0, 0.5),
)


def result():
    return hccd.discover(linear_gaussian(np.random.default_rng(5), 20, 3, 300))


def test_triples_read_as_the_tuple_they_were_made_of():
    triples = Triples.of(LISTED)
    assert len(triples) == 3 and list(triples) == list(LISTED)
    assert triples == LISTED and triples == Triples.of(list(LISTED)) and triples != LISTED[:2]
    assert triples != list(LISTED)
    assert hash(triples) == hash(LISTED) and repr(triples) == repr(LISTED)
    assert triples[0] is triples[0] and triples[-1] == LISTED[-1] and triples[1:] == LISTED[1:]
    assert LISTED[1] in triples and triples.index(LISTED[2]) == 2
    with pytest.raises(IndexError):
        triples[3]
    assert isinstance(triples, Sequence) and not isinstance(triples, tuple)
    assert [type(value) for value in triples[0]] == [int, int, int, bool, tuple, float, float]
    assert Triples.of(triples) is triples
    assert Triples.of([]) == () and not Triples.of([])


def test_rows_can_be_taken_and_renamed():
    triples = Triples.of(LISTED)
    assert triples.taken(np.array([2, 0])) == (LISTED[2], LISTED[0])
    assert triples.taken(np.array([], int)) == ()
    order = np.array([5, 0, 4, 3, 1, 2])
    assert triples.relabelled(order) == (
        Triple(3, 4, 5, True, (0, 1), 0.25, 0.125),
        Triple(0, 4, 3, None, (), 0.5, 0.0),
        Triple(2, 1, 5, False, (1,), 1.0, 0.5),
    )


def test_conflicts_and_reasons_are_renamed_alike():
    skeleton = Skeleton.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    triples = [Triple(0, 1, 2, True, (), 0.9), Triple(1, 2, 3, True, (), 0.3)]
    oriented = orient(skeleton, triples, "strongest")
    order = np.array([3, 2, 1, 0])
    reason = "stronger evidence gives one of its edges the other direction"
    assert oriented.conflicts == (Conflict("dropped", 1, 2, 3, 0.3, reason),)
    assert oriented.conflicts.relabelled(order) == (Conflict("dropped", 0, 1, 2, 0.3, reason),)
    assert oriented.reasons == {(0, 1): "collider", (2, 1): "collider"}
    assert oriented.reasons.relabelled(order) == {(3, 2): "collider", (1, 2): "collider"}
    assert repr(oriented.reasons) == repr(dict(oriented.reasons))
    assert oriented.reasons.get((1, 0), "none") == "none" and len(oriented.reasons) == 2


def test_a_run_makes_no_tuples_until_somebody_looks():
    found = result()
    for records, kind in ((found.colliders, Triples), (found.conflicts, Conflicts), (found.reasons, ArrowReasons)):
        assert isinstance(records, kind)
        assert len(records) > 0
        assert not {"_tuple", "_reasons"} & vars(records).keys()
        assert next(iter(records))
        assert {"_tuple", "_reasons"} & vars(records).keys()
    assert isinstance(found.reasons, Mapping)


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_are_equal_and_nothing_can_be_changed(clone):
    found = result()
    for records in (found.colliders, found.conflicts, found.reasons):
        again = clone(records)
        assert type(again) is type(records) and again == records
        column = again.code if isinstance(again, ArrowReasons) else again.x
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
        with pytest.raises(AttributeError):
            again.x = column
