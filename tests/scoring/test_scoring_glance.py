"""What the search over orders leaves out: candidates that are not near, and walks whose end is known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.independence.fisher_z import SINGULAR
from hccd.scoring import CandidateParents
from method_cases import linear_gaussian
from uncompiled import uncompiled

N, ROWS, ROOM, PRICE = 40, 150, 12, 2.0


def plain(seed):
    """Scores of a random table, in Python so that everything can be looked at."""
    data = linear_gaussian(np.random.default_rng([67, seed]), N, 4, ROWS)
    correlation = hccd.FisherZ(0.05).bind(data).correlation
    return uncompiled("gaussian_families").GaussianFamilies(correlation, ROWS - 3.0, SINGULAR, ROOM)


def plain_search(seed):
    order = np.random.default_rng([71, seed]).permutation(N).astype(np.int32)
    lists = CandidateParents.everybody(N, ROWS).lists()
    return uncompiled("permutation").PermutationSearch(plain(seed), *lists, order, PRICE, ROOM)


@pytest.mark.parametrize("least", [-1.0, 2.0])
def test_few_candidates_are_judged_as_all_are(least):
    families = plain(1)
    rng = np.random.default_rng(3)
    for _ in range(20):
        child, *members = rng.permutation(N)[:4].tolist()
        excluded = np.zeros(N, np.uint8)
        excluded[[child, *members]] = 1
        answers = []
        few = np.sort(rng.permutation(N)[: families.few - 1]).astype(np.int32)
        assert 0 < len(few) < families.few
        for others in (few, np.arange(N, dtype=np.int32)):
            found, gain = np.zeros(N, np.int32), np.zeros(N)
            families.begin(child, np.array(members, np.int32), 3)
            count = families.gaining(least, others, excluded, found, gain)
            answers.append(dict(zip(found[:count].tolist(), gain[:count].tolist(), strict=True)))
        by_few, by_all = answers
        assert not {child, *members} & by_all.keys()
        assert by_few == pytest.approx({x: gain for x, gain in by_all.items() if x in few})


def test_what_was_listed_at_a_glance_is_listed_anew():
    lists = CandidateParents.everybody(N, ROWS).lists()
    search = plain_search(2)
    nobody = np.zeros(N + 1, np.int64), np.zeros(0, np.int32)
    trees = uncompiled("grow_shrink").GrowShrink(plain(2), *lists, PRICE, ROOM, *nobody)
    trees.place[:] = search.trees.place
    with_parents = [y for y in range(N) if len(search.parents(y))]
    assert with_parents
    for y in with_parents:
        # Nobody is near anybody yet, so a glance finds nobody.
        trees.near_last[:] = -1
        trees.glance = True
        node = trees.walk(y, trees.place[y])
        assert trees.end_count[node] == 0 and trees.partial[node]
        trees.glance = False
        node = trees.walk(y, trees.place[y])
        ends = trees.ends[trees.end_first[node] : trees.end_first[node] + trees.end_count[node]]
        assert np.sort(ends).tolist() == search.parents(y).tolist() and not trees.partial[node]


@pytest.mark.parametrize("seed", range(2))
def test_places_that_do_not_matter_change_nothing(seed):
    search = plain_search(seed)
    while search.improve(N):
        pass
    search.look_ahead()
    trees, apart = search.trees, 0
    for y in range(N):
        own = trees.place[y]
        for x in set(range(N)) - {y}:
            if trees.does_matter(y, x):
                continue
            before = trees.place[x]
            for place in (-1, N):
                trees.place[x] = place
                assert trees.walk(y, own) == search.node[y]
                apart += 1
            trees.place[x] = before
        for limit in (0, own):
            node = trees.walk(y, limit)
            until = trees.until
            assert all(trees.walk(y, later) == node for later in range(limit, until + 1))
            if until < N:
                assert trees.walk(y, until + 1) != node
    assert apart > N * N / 2
