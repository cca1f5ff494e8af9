from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.clustering import Cluster, ClusterTree
from hccd.errors import InvalidParameterError


@st.composite
def trees(draw, most=14):
    """Any valid tree, some with eigenvalues."""
    n = draw(st.integers(1, most))

    def grow(variables):
        values = tuple(draw(st.lists(st.floats(0, 2), max_size=2)))
        if len(variables) == 1 or draw(st.booleans()):
            return Cluster(tuple(sorted(variables)), (), values)
        k = draw(st.integers(2, min(4, len(variables))))
        cuts = sorted(draw(st.lists(st.integers(1, len(variables) - 1), min_size=k - 1, max_size=k - 1, unique=True)))
        parts = [variables[a:b] for a, b in zip([0, *cuts], [*cuts, len(variables)], strict=True)]
        return Cluster(tuple(sorted(variables)), tuple(map(grow, parts)), values)

    return ClusterTree(grow(draw(st.permutations(range(n)))))


def chain(n):
    """As deep as can be: one variable splits off at each level."""
    node = Cluster((n - 1,))
    for v in range(n - 2, -1, -1):
        node = Cluster(tuple(range(v, n)), (Cluster((v,)), node))
    return ClusterTree(node)


@settings(deadline=None)
@given(trees(), st.randoms())
def test_round_trips(tree, random):
    assert ClusterTree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    names = [f"v{i}" for i in range(tree.n_variables)]
    random.shuffle(names)
    assert ClusterTree.from_dict(json.loads(json.dumps(tree.to_dict(names))), names) == tree
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree
    assert hash(again) == hash(tree)
    assert copy.deepcopy(tree) == tree


@settings(deadline=None)
@given(trees(), st.randoms())
def test_relabelling_and_back(tree, random):
    order = list(range(tree.n_variables))
    random.shuffle(order)
    other = tree.relabelled(order)
    np.testing.assert_array_equal(other.labels()[order], tree.labels())
    back = np.argsort(order)
    assert other.relabelled(back) == tree
    assert [len(c.children) for c in other.clusters()] == [len(c.children) for c in tree.clusters()]


@settings(deadline=None)
@given(trees())
def test_walks(tree):
    order = list(tree.bottom_up())
    preorder = list(tree.clusters())
    assert {id(c) for c in order} == {id(c) for c in preorder}
    assert len(order) == len(preorder)
    place = {id(c): i for i, c in enumerate(order)}
    assert all(place[id(child)] < place[id(c)] for c in order for child in c.children)
    assert preorder[0] is tree.root is order[-1]
    assert [c for c in order if not c.children] == list(tree.leaves())

    def height(cluster):
        return 1 + max(map(height, cluster.children)) if cluster.children else 0

    groups = tree.by_height()
    assert len(groups) == tree.depth + 1 == height(tree.root) + 1
    assert all(height(c) == h for h, group in enumerate(groups) for c in group)
    assert sum(map(len, groups)) == len(preorder)
    for group in groups:
        members = [v for c in group for v in c.variables]
        assert len(members) == len(set(members))
    for number, leaf in enumerate(tree.leaves()):
        assert np.flatnonzero(tree.labels() == number).tolist() == list(leaf.variables)


@settings(deadline=None)
@given(trees())
def test_layout(tree):
    layout = tree.layout()
    n = tree.n_variables
    clusters = tree.clusters()
    assert layout.n_clusters == len(clusters)
    assert sorted(layout.position.tolist()) == list(range(n))
    np.testing.assert_array_equal(layout.sequence[layout.position], np.arange(n))
    paths = {}
    for i, cluster in enumerate(clusters):
        inside = (layout.start[i] <= layout.position) & (layout.position < layout.stop[i])
        assert np.flatnonzero(inside).tolist() == list(cluster.variables)
        assert layout.variables(i).tolist() == list(cluster.variables)
        assert [clusters[j] for j in layout.children(i)] == list(cluster.children)
        assert all(layout.parent[j] == i for j in layout.children(i))
        paths[tree.path(i)] = cluster
        node = tree.root
        for step in tree.path(i).split(".")[1:]:
            node = node.children[int(step)]
        assert node is cluster
    assert len(paths) == len(clusters)
    assert layout.parent[0] == -1
    assert tree.path(0) == "0"
    for array in (layout.position, layout.sequence, layout.start, layout.stop, layout.parent, layout.height):
        assert not array.flags.writeable


def test_nested_lists_with_names():
    tree = ClusterTree.from_nested([["B", "A"], ["C", ["E", "D"]]], names=["A", "B", "C", "D", "E"])
    assert [leaf.variables for leaf in tree.leaves()] == [(0, 1), (2,), (3, 4)]
    assert tree.depth == 2
    assert [tree.path(i) for i in range(5)] == ["0", "0.0", "0.1", "0.1.0", "0.1.1"]
    assert tree == ClusterTree.from_nested([[0, 1], [2, [3, 4]]])
    assert tree != ClusterTree.from_nested([[2, [3, 4]], [0, 1]])
    assert ClusterTree.from_nested([2, 0, 1]) == ClusterTree.single(3)


def test_single_and_flat():
    assert ClusterTree.single(3).depth == 0
    tree = ClusterTree.flat(["b", "a", "b", "c"])
    assert [leaf.variables for leaf in tree.leaves()] == [(0, 2), (1,), (3,)]
    assert tree.labels().tolist() == [0, 1, 0, 2]
    assert tree.depth == 1
    assert ClusterTree.flat(np.zeros(4, int)) == ClusterTree.single(4)
    assert ClusterTree.flat(tree.labels()) == tree


def test_repr_is_short():
    assert repr(ClusterTree.single(1000)) == "ClusterTree(n_variables=1000, depth=0, n_leaves=1)"
    assert len(repr(ClusterTree.single(1000).root)) < 80


def test_equality_sees_everything():
    leaf = Cluster((0, 1))
    assert leaf == Cluster((0, 1))
    assert leaf != Cluster((0, 2))
    assert leaf != Cluster((0, 1), (Cluster((0,)), Cluster((1,))))
    assert leaf != Cluster((0, 1), (), (0.0, 0.5))
    assert leaf != "leaf"


@pytest.mark.parametrize(
    ("root", "text"),
    [
        (Cluster(()), "no variables"),
        (Cluster((1, 2)), "1 stands where 0 should"),
        (Cluster((0, 2, 1)), "1 follows 2"),
        (Cluster((0, 0, 1)), "0 follows 0"),
        (Cluster((0, 1), (Cluster((0, 1)),)), "single child"),
        (Cluster((0, 1, 2), (Cluster((0, 1)), Cluster((1, 2)))), "variable 1 is in more than one child"),
        (Cluster((0, 1, 2), (Cluster((0,)), Cluster((2,)))), "variable 1 of .* in none of its children"),
        (Cluster((0, 1), (Cluster((0,)), Cluster((1, 7)))), "variable 7 is in a child"),
        (Cluster((0, 1), (Cluster((0, 1)), Cluster(()))), "no variables"),
    ],
)
def test_invalid_trees_name_the_offender(root, text):
    with pytest.raises(InvalidParameterError, match=text):
        ClusterTree(root)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ClusterTree.from_nested([["A"], ["B"]]), "'A'; pass names="),
        (lambda: ClusterTree.from_nested([["A"], ["X"]], names="AB"), "'X' is not among the 2 names"),
        (lambda: ClusterTree.from_nested([[0], [1]], names="AA"), "distinct"),
        (lambda: ClusterTree.from_nested([[0, 1], []]), "no variables"),
        (lambda: ClusterTree.from_nested([[0, 1], [1, 2]]), "variable 1 is in more than one"),
        (lambda: ClusterTree.from_nested([]), "no variables"),
        (lambda: ClusterTree.from_dict({}), "either 'children' or 'variables'"),
        (
            lambda: ClusterTree.from_dict({"children": [], "variables": [0]}),
            "either 'children' or 'variables'",
        ),
        (lambda: ClusterTree.from_dict({"children": []}), "empty list of children"),
        (lambda: ClusterTree.single(0), "at least one variable"),
        (lambda: ClusterTree.flat([]), "at least one variable"),
        (lambda: ClusterTree.single(3).relabelled([0, 1, 1]), r"each of 0, ..., 2 once, got \[0 1 1\]"),
    ],
)
def test_unusable_input(make, text):
    with pytest.raises(InvalidParameterError, match=text):
        make()


def test_chain_as_deep_as_two_thousand():
    tree = chain(2001)
    assert tree.depth == 2000
    assert len(tree.leaves()) == 2001
    assert next(iter(tree.bottom_up())).variables == (0,)
    assert tree.path(4000) == "0" + ".1" * 2000
    assert tree == chain(2001)
    assert hash(tree) == hash(chain(2001))
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert ClusterTree.from_dict(tree.to_dict()) == tree
    assert len(tree.by_height()) == 2001
    reverse = np.arange(2001)[::-1]
    assert tree.relabelled(reverse).relabelled(reverse) == tree
    nested = [2000]
    for v in range(1999, -1, -1):
        nested = [v, nested]
    assert ClusterTree.from_nested(nested) == tree
    repr(tree)
    copy.deepcopy(tree)
