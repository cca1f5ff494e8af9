"""Whole runs: compiled kernels, the same files run by Python, tests in Python and on threads, and the plain loop."""

from importlib import import_module

import numpy as np
import pytest
from random_levels import Called

from hccd import FisherZ, GTest
from hccd.baselines import PC
from hccd.clustering import ClusterTree, FixedK, SpectralSplitter, grow_tree
from hccd.wrapper import workers
from method_cases import discrete_net, linear_gaussian
from reference_pc import ReferencePC

wrapper = import_module("hccd.wrapper.backtrack")  # the name in the package is the function


def assert_same_run(one, other):
    assert one.skeleton == other.skeleton
    assert one.tests == other.tests
    for a, b in zip(one.removals.separations, other.removals.separations, strict=True):
        assert (a.edge, a.given) == (b.edge, b.given)
        assert a.p_value == pytest.approx(b.p_value, rel=1e-9, abs=1e-15, nan_ok=True)
    for name in ("stage", "cluster"):
        assert np.array_equal(getattr(one.removals, name), getattr(other.removals, name))
    for name in ("home_start", "home_stop", "home_order"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("refine", ["each", "root", "never"])
@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("ordering", ["strength", "column"])
def test_whole_runs(refine, stable, ordering, uncompiled):
    """Passes in one piece: compiled, uncompiled, with a test in Python, and the reference cluster by cluster."""
    removed = 0
    for seed, (spec, inner) in enumerate([(FisherZ(0.05), None), (FisherZ(0.01), 1), (GTest(0.05), 2)]):
        rng = np.random.default_rng([8, seed])
        data = discrete_net(rng, 14, 3, 150) if isinstance(spec, GTest) else linear_gaussian(rng, 16, 4, 150)
        ci = spec.bind(data)
        marginals = ci.marginals()
        splitter = SpectralSplitter(rule=FixedK(2), min_size=3)
        grown = grow_tree(marginals.strength, splitter, bias=marginals.bias, independent=marginals.independent)
        for tree in (ClusterTree.single(data.shape[1]), grown):
            for max_order in (None, 1):

                def run(baseline, test, tree=tree, marginals=marginals, inner=inner):
                    return wrapper.backtrack(
                        tree, baseline, test, marginals, refine=refine, inner_order=inner, n_jobs=1
                    )

                pc = PC(stable=stable, ordering=ordering, max_order=max_order)
                compiled = run(pc, ci)
                assert_same_run(compiled, run(ReferencePC(stable, max_order, ordering), ci))
                assert_same_run(compiled, run(pc, Called(ci)))
                with uncompiled():
                    assert_same_run(compiled, run(pc, ci))
                removed += len(compiled.removals.stage)
    assert removed > 100


@pytest.mark.parametrize("stable", [True, False])
def test_a_run_comes_back_for_critical_values(stable, uncompiled, monkeypatch):
    """What was answered without them is void: the level is asked again, in the original PC from the first list on."""
    asked_for = []
    need = workers._Hands.need_critical
    monkeypatch.setattr(
        workers._Hands, "need_critical", lambda hands, most: asked_for.append(most) or need(hands, most)
    )
    rng = np.random.default_rng(6)
    half = rng.integers(0, 2, 3000)
    # Tables of 30 by 30 states in each of 30 strata; before them a chain of two states, which needs no more values.
    wide = [rng.integers(0, 15, 3000) + 15 * (half ^ (rng.random(3000) < 0.1)) for _ in range(3)]
    chain = [half ^ (rng.random(3000) < 0.2)]
    for _ in range(3):
        chain.append(chain[-1] ^ (rng.random(3000) < 0.2))
    data = np.column_stack([*chain, *wide])

    def run(baseline):
        ci = GTest(0.05).bind(data)
        return wrapper.backtrack(ClusterTree.single(7), baseline, ci, ci.marginals(), refine="each", n_jobs=1)

    expected = run(ReferencePC(stable))
    assert not asked_for and len(expected.removals.stage) >= 5
    assert_same_run(run(PC(stable=stable)), expected)
    with uncompiled():
        assert_same_run(run(PC(stable=stable)), expected)
    assert len(asked_for) >= 2


@pytest.mark.parametrize("spec", [FisherZ(0.01), GTest(0.05)], ids=lambda spec: type(spec).__name__)
def test_pairs_dealt_out_to_threads(spec):
    """Enough pairs for several hands, and as many as there are threads: the same run, to the last count."""
    rng = np.random.default_rng(9)
    n = 130
    data = linear_gaussian(rng, n, 6, 300)
    ci = spec.bind(data if isinstance(spec, FisherZ) else np.digitize(data, [-1.0, 1.0]))
    marginals = ci.marginals()
    assert np.count_nonzero(~marginals.independent) > 4 * 2 * 256
    runs = [
        wrapper.backtrack(ClusterTree.single(n), PC(max_order=3), ci, marginals, refine="each", n_jobs=jobs)
        for jobs in (1, 2, 5)
    ]
    for run in runs[1:]:
        assert_same_run(runs[0], run)
    assert len(runs[0].removals.stage) > 256
