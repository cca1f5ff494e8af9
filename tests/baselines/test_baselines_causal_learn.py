"""causal-learn's searches as Alg: its skeleton where it must be the same, fewer tests in the wrapper, refusals."""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import pytest

import hccd
from hccd.baselines import CausalLearnFCI, CausalLearnPC, PassContext
from hccd.errors import InvalidParameterError, NotInstalledError
from hccd.graphs import DSeparation, Skeleton
from method_cases import discrete_net, linear_gaussian, random_dag, random_tree

pytestmark = pytest.mark.filterwarnings("ignore")


def theirs(data, alpha, test):
    from causallearn.search.ConstraintBased.PC import pc

    graph = pc(data, alpha, test, show_progress=False).G.graph
    return Skeleton.from_adjacency(graph != 0)


@pytest.mark.parametrize("seed", range(3))
def test_on_one_cluster_it_is_their_pc(seed):
    data = linear_gaussian(np.random.default_rng([3, seed]), 20, 3, 500)
    options = {"test": hccd.FisherZ(0.01), "method": "pc", "correction": "none"}
    own = hccd.learn_skeleton(data, baseline=CausalLearnPC(), **options)
    assert own.skeleton == theirs(data, 0.01, "fisherz")
    assert own.skeleton == hccd.learn_skeleton(data, baseline=hccd.PC(ordering="column"), **options).skeleton


def test_tables_as_well():
    data = discrete_net(np.random.default_rng(4), 15, 2, 800)
    own = hccd.learn_skeleton(data, test=hccd.GTest(0.05), baseline="causal-learn-pc", method="pc", correction="none")
    assert own.skeleton == theirs(data, 0.05, "gsq")


@pytest.mark.parametrize("baseline", ["causal-learn-pc", "causal-learn-fci"])
def test_the_wrapper_saves_tests(baseline):
    data = linear_gaussian(np.random.default_rng(5), 40, 3, 500)
    alone = hccd.learn_skeleton(data, baseline=baseline, method="pc", max_order=3)
    wrapped = hccd.learn_skeleton(data, baseline=baseline, max_order=3)
    assert wrapped.tests.total < alone.tests.total
    assert wrapped.parameters["baseline"] == {"name": baseline, "max_order": 3}


class Hidden(hccd.BoundCITest):
    """The truth about some variables of a graph."""

    has_p_values = False

    def __init__(self, dag, seen):
        self.truth, self.seen = DSeparation(dag), seen

    @property
    def n_variables(self):
        return len(self.seen)

    def test(self, x, y, given=()):
        free = self.truth.separated(self.seen[x], self.seen[y], [self.seen[z] for z in given])
        return hccd.CIResult(free, 1.0 - free)


#: 2 and 4 are separated by sets of variables only that are no neighbours of either; all others are as PC has them.
BEYOND = hccd.PDAG.from_edges(
    12,
    directed=[
        (1, 2), (3, 4), (3, 7), (3, 9), (5, 0), (6, 5), (6, 7), (6, 11), (7, 2), (7, 9), (8, 0), (10, 1),
        (10, 9), (10, 11), (11, 0), (11, 4),
    ],
)  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_fci_finds_sets_beyond_neighbours(seed):
    """With hidden common causes PC does not find all that separates."""
    ci = Hidden(BEYOND, [2, 4, 6, 7, 8, 9, 11])
    tree = random_tree(np.random.default_rng(seed), 7)
    pc = hccd.learn_skeleton(ci, baseline=CausalLearnPC(), tree=tree)
    fci = hccd.learn_skeleton(ci, baseline=CausalLearnFCI(), tree=tree)
    assert pc.skeleton.has_edge(0, 1)
    assert not fci.skeleton.has_edge(0, 1)
    assert fci.skeleton.n_edges == pc.skeleton.n_edges - 1
    for (x, y), given in fci.separators.items():
        assert ci.test(x, y, given).independent


@pytest.mark.parametrize("seed", range(30))
def test_fci_leaves_what_nothing_separates(seed):
    rng = np.random.default_rng([6, seed])
    ci = Hidden(random_dag(rng, 9, 0.3), np.sort(rng.permutation(9)[:6]).tolist())
    found = hccd.learn_skeleton(ci, baseline=CausalLearnFCI(), tree=random_tree(rng, 6))
    for x, y in combinations(range(6), 2):
        others = [z for z in range(6) if z not in (x, y)]
        sets = [given for size in range(5) for given in combinations(others, size)]
        assert found.skeleton.has_edge(x, y) == (not any(ci.test(x, y, given).independent for given in sets))


class Told(hccd.BoundCITest):
    """0 and 3 have the common neighbour 4, and three sets of one variable separate them."""

    n_variables = 5
    alpha = 0.1

    def test(self, x, y, given=()):
        adjacent = {x, y} in ({0, 2}, {0, 4}, {1, 3}, {3, 4}, {0, 3})
        p = {(2,): 0.2, (1,): 0.9, (4,): 0.5}.get(tuple(given), 0.0) if {x, y} == {0, 3} else float(not adjacent)
        return hccd.CIResult(p >= self.alpha, 1.0 - p, p)


def test_what_it_has_asked_is_known_and_nothing_else():
    """It asks about (2,) before (1,), other than PC, whose order verdicts on colliders must not take for granted."""
    result = hccd.discover(Told(), baseline="causal-learn-pc", method="pc", colliders="max-p-full", correction="none")
    assert result.separators[0, 3] == (2,)
    assert [(t.x, t.z, t.y, t.given, t.p_value) for t in result.colliders if t.z == 4] == [(0, 4, 3, (1,), 0.9)]


def test_only_the_edges_that_are_to_be_learned_are_asked_about():
    dag = hccd.PDAG.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    asked = []

    class Watched(hccd.BoundCITest):
        has_p_values = False
        n_variables = 4
        truth = hccd.Oracle(dag).bind()

        def test(self, x, y, given=()):
            asked.append((x, y, given))
            return self.truth.test(x, y, given)

    ci = Watched()
    marginals = ci.marginals()
    asked.clear()
    edges = np.array([False, True, False, False, False, False])
    found = CausalLearnPC().learn(
        np.arange(4, dtype=np.int32), Skeleton.complete(4), edges, ci, PassContext(marginals, None, None)
    )
    assert {question[:2] for question in asked} == {(0, 2)}
    assert [(s.edge, s.given) for s in found.separations] == [((0, 2), (1,))]
    # One question, and none after the answer, though causal-learn goes on with the level.
    assert found.tests.tolist() == [[0, 1]]


def test_nothing_is_printed(capsys):
    hccd.learn_skeleton(linear_gaussian(np.random.default_rng(7), 10, 3, 300), baseline="causal-learn-fci")
    assert capsys.readouterr() == ("", "")


def test_a_limit_without_meaning_is_refused():
    with pytest.raises(InvalidParameterError, match="max_order is -1"):
        hccd.discover(np.random.default_rng(0).normal(size=(50, 3)), baseline=CausalLearnPC(max_order=-1))


def test_without_the_package_it_says_what_to_install(monkeypatch):
    from hccd.baselines import causal_learn

    causal_learn._registered.cache_clear()
    for module in [each for each in sys.modules if each.split(".")[0] == "causallearn"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "causallearn", None)
    with pytest.raises(NotInstalledError, match=r"causal-learn, .*: pip install 'hccd\[causal-learn\]'"):
        hccd.discover(np.random.default_rng(0).normal(size=(50, 3)), baseline="causal-learn-pc")
    causal_learn._registered.cache_clear()
