"""Compiled kernels, the same files run by Python, and the plain loop: same separators, p-values and counts."""

from __future__ import annotations

from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from inspect import isfunction
from itertools import product
from types import SimpleNamespace

import cython
import numpy as np
import pytest
from random_levels import assert_equal, random_level, reference

from hccd import ChiSquareTest, DegenerateGaussian, FisherZ, GTest, MutualInformation
from hccd._kernels.search import level
from hccd.baselines import PC
from hccd.clustering import ClusterTree, FixedK, SpectralSplitter, grow_tree
from hccd.independence import BoundCITest, CIResult, answer, degenerate_gaussian, fisher_z, protocol, tables
from hccd.wrapper import workers
from method_cases import discrete_net, linear_gaussian, mixed_columns
from reference_pc import ReferencePC
from uncompiled import compiled
from uncompiled import uncompiled as plain_kernel

wrapper = import_module("hccd.wrapper.backtrack")  # the name in the package is the function
SEARCH_KERNELS = (
    "candidates",
    "level",
    "calling",
    "correlation",
    "block_factor",
    "blocks",
    "coded_columns",
    "strata_sum",
    "bit_tables",
    "row_codes",
    "row_tables",
    "contingency",
    "ledger",
)
LEVEL, CALLING, CORRELATION, BLOCKS, COLUMNS, CONTINGENCY, LEDGER = (
    plain_kernel(name)
    for name in ("level", "calling", "correlation", "blocks", "coded_columns", "contingency", "ledger")
)
TABLE_TESTS = [GTest(0.05), ChiSquareTest(0.05), MutualInformation(0.02)]
MODES = [(live, by_strength) for live in (False, True) for by_strength in (True, False)]


def plain_columns(ci):
    """The columns of a bound test for the uncompiled kernels."""
    return COLUMNS.CodedColumns(*ci.data.for_kernels())


@pytest.fixture
def uncompiled(monkeypatch):
    """Answer through the uncompiled kernels for as long as the returned context is open."""

    class Switch:
        def __enter__(self):
            self.context = monkeypatch.context()
            patch = self.context.__enter__()
            patch.setattr(fisher_z, "CorrelationSearch", CORRELATION.CorrelationSearch)
            patch.setattr(degenerate_gaussian, "BlockSearch", BLOCKS.BlockSearch)
            patch.setattr(tables, "TableSearch", CONTINGENCY.TableSearch)
            patch.setattr(protocol, "CallingSearch", CALLING.CallingSearch)
            patch.setattr(wrapper, "Ledger", LEDGER.Ledger)
            patch.setattr(tables.BoundTableTest, "_columns", property(plain_columns))

        def __exit__(self, *error):
            self.context.__exit__(*error)

    return Switch


def test_one_side_is_compiled_and_the_other_is_not():
    assert not cython.compiled
    for name in SEARCH_KERNELS:
        assert compiled(name).__file__.endswith(tuple(EXTENSION_SUFFIXES))
        plain = plain_kernel(name)
        assert plain.__file__.endswith(".py")
        assert not plain.cython.compiled
    assert issubclass(CORRELATION.CorrelationSearch, LEVEL.LevelSearch)
    assert issubclass(CONTINGENCY.TableSearch, LEVEL.LevelSearch)
    assert not issubclass(CORRELATION.CorrelationSearch, level.LevelSearch)
    assert issubclass(CALLING.CallingSearch, LEVEL.LevelSearch)
    assert isfunction(LEVEL.LevelSearch.search)
    assert not isfunction(level.LevelSearch.search)


class Called(BoundCITest):
    """A test that answers through Python, as a user's own does."""

    def __init__(self, base):
        self.base = base

    @property
    def n_variables(self):
        return self.base.n_variables

    def test(self, x, y, given=()):
        return self.base.test(x, y, given)


def with_p_values(ci, outcome):
    fell = outcome.removed
    p_value = np.full(len(fell), np.nan)
    order = np.full(fell.sum(), outcome.given.shape[1], np.int32)
    p_value[fell] = ci.p_values(order, outcome.statistic[fell], outcome.freedom[fell])
    return outcome._replace(statistic=p_value)


def agree(ci, asked, uncompiled, what):
    before = asked.neighbors.tolist(), asked.degree.tolist()
    compiled = answer(ci, asked)
    with uncompiled():
        plain = answer(ci, asked)
    assert_equal(compiled, plain, ("uncompiled", *what))
    # Whether other candidates can be left aside for a while or not makes no difference.
    unbounded = answer(ci, asked._replace(outer=np.full_like(asked.outer, np.inf)))
    assert_equal(compiled, unbounded, ("unbounded", *what))
    loop = reference(ci, asked)
    assert_equal(with_p_values(ci, compiled), loop, ("loop", *what))
    assert_equal(answer(Called(ci), asked), loop, ("called", *what))
    with uncompiled():
        assert_equal(answer(Called(ci), asked), loop, ("called, uncompiled", *what))
    assert before == (asked.neighbors.tolist(), asked.degree.tolist())
    return compiled


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_gaussian_levels(live, by_strength, order, uncompiled):
    removed = tested = 0
    for seed in range(4):
        rng = np.random.default_rng([1, order, seed])
        ci = FisherZ(0.05).bind(linear_gaussian(rng, 11, 3, 80))
        asked = random_level(
            rng, ci.marginals(), order, live=live, by_strength=by_strength, density=(0.7, 0.7, 0.55, 0.5)[order - 1]
        )
        outcome = agree(ci, asked, uncompiled, (order, seed))
        removed += outcome.removed.sum()
        tested += np.abs(outcome.tests).sum()
    assert removed > 10 and tested > 150


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_mixed_levels(live, by_strength, order, uncompiled):
    removed = tested = 0
    for seed in range(3):
        rng = np.random.default_rng([11, order, seed])
        ci = DegenerateGaussian(0.05).bind(mixed_columns(linear_gaussian(rng, 9, 3, 90)))
        asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
        outcome = agree(ci, asked, uncompiled, (order, seed))
        removed += outcome.removed.sum()
        tested += np.abs(outcome.tests).sum()
    assert removed > 10 and tested > 80


class Hashed(BoundCITest):
    """Answers that belong to no graph: any set may be the one that separates, the last as well as the first."""

    def __init__(self, n, share):
        self.n, self.share = n, share

    @property
    def n_variables(self):
        return self.n

    def test(self, x, y, given=()):
        p_value = (hash((x, y, *sorted(given))) % 9973) / 9973
        return CIResult(p_value < self.share, 0.0, p_value)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_many_candidates_of_equal_strength(live, by_strength, order, uncompiled):
    """More than 16 candidates are a heap and not a list; most of them have equals in strength, told by number."""
    late = []
    for seed in range(3):
        rng = np.random.default_rng([10, order, seed])
        n = 36
        strength = np.triu(rng.integers(1, 6, (n, n)) / 8.0, 1)
        strength += strength.T
        marginals = SimpleNamespace(association=strength, strength=strength)
        whole = random_level(rng, marginals, order, live=live, by_strength=by_strength, density=0.8)
        asked = whole.part(np.sort(rng.choice(len(whole.x), 80, replace=False)))
        assert np.mean(np.maximum(asked.degree[asked.x], asked.degree[asked.y]) > 20) > 0.9
        outcome = agree(Hashed(n, 0.05 / order**2), asked, uncompiled, (order, seed))
        late += outcome.tests[outcome.tests < -4].tolist()
    assert len(late) > 60 and np.count_nonzero(np.array(late) < -16) > 20


def singular_data(rng, rows):
    """Duplicates, opposites, sums, constants, and columns of very different scale."""
    data = linear_gaussian(rng, 12, 3, rows)
    data[:, 3] = data[:, 0]
    data[:, 4] = -2.0 * data[:, 1]
    data[:, 5] = data[:, 1] + data[:, 2]
    data[:, 6] = 7.5
    data[:, 7] = 1e9 * data[:, 7]
    data[:, 8] = 0.1
    data[:, 9] = data[:, 2] + 1e-7 * data[:, 9]
    return data


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
def test_gaussian_levels_of_singular_data(live, by_strength, order, uncompiled):
    for seed, rows in enumerate((60, 5, 400)):
        rng = np.random.default_rng([2, order, seed])
        ci = FisherZ(0.05).bind(singular_data(rng, rows))
        asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
        agree(ci, asked, uncompiled, (order, rows))


def test_gaussian_questions(uncompiled):
    for seed, order in enumerate((0, 1, 2, 5)):
        rng = np.random.default_rng([3, seed])
        ci = FisherZ(0.05).bind(singular_data(rng, 50))
        asked = np.array([rng.permutation(12)[: order + 2] for _ in range(60)], np.int32)
        compiled = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        with uncompiled():
            plain = ci.test_many(asked[:, 0], asked[:, 1], asked[:, 2:])
        assert np.array_equal(compiled.independent, plain.independent)
        np.testing.assert_allclose(compiled.p_value, plain.p_value, rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("live", "by_strength"), MODES)
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels(spec, live, by_strength, order, uncompiled):
    rng = np.random.default_rng([4, order])
    ci = spec.bind(discrete_net(rng, 9, 3, 60, states=(2, 4)))
    asked = random_level(rng, ci.marginals(), order, live=live, by_strength=by_strength, density=0.6)
    outcome = agree(ci, asked, uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 10


def with_gaps(rng, data):
    """Data with an eighth of the cells missing in all columns but the last."""
    data = data.astype(float)
    data[:, :-1][rng.random((len(data), data.shape[1] - 1)) < 0.125] = np.nan
    return data


#: Gaps or not, and no weights, counts of equal rows, or sampling weights.
KINDS_OF_ROWS = {
    "gaps": (True, lambda rng, rows: None),
    "counts": (False, lambda rng, rows: rng.integers(0, 4, rows)),
    "gaps, counts": (True, lambda rng, rows: rng.integers(0, 4, rows)),
    "gaps, sampling weights": (True, lambda rng, rows: rng.gamma(2.0, size=rows)),
}


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("rows", KINDS_OF_ROWS)
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels_with_gaps_and_weights(spec, rows, order, uncompiled):
    rng = np.random.default_rng([12, order])
    gaps, weights = KINDS_OF_ROWS[rows]
    data = discrete_net(rng, 9, 3, 90, states=(2, 4))
    ci = spec.bind(with_gaps(rng, data) if gaps else data, weights(rng, 90))
    asked = random_level(rng, ci.marginals(), order, live=order == 2, by_strength=True, density=0.6)
    outcome = agree(ci, asked, uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 10


def awkward_data(rng, rows):
    """Hundreds of states, codes beyond one byte, a constant, a row number, a duplicate, and ordinary columns."""
    base = rng.integers(0, 3, rows)
    columns = [
        base,
        (base + (rng.random(rows) < 0.3)) % 3,
        rng.integers(0, 100, rows),
        (rng.integers(0, 100, rows) + base) % 100,
        np.zeros(rows, int),
        np.arange(rows),
        base * 130 + rng.integers(0, 130, rows),
        base,
        rng.integers(0, 2, rows),
    ]
    return np.column_stack(columns)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("live", [False, True], ids=["stable", "live"])
@pytest.mark.parametrize("spec", TABLE_TESTS, ids=lambda spec: type(spec).__name__)
def test_discrete_levels_of_awkward_data(spec, live, order, uncompiled):
    """With 320 rows strata soon outnumber rows, and codes go beyond 255."""
    rng = np.random.default_rng([5, order])
    ci = spec.bind(awkward_data(rng, 320))
    assert ci.codes.max() > 255 and ci.codes.dtype == np.uint16
    asked = random_level(
        rng, ci.marginals(), order, live=live, by_strength=order % 2 == 0, density=(0.5, 0.6, 0.6, 0.7)[order - 1]
    )
    few = np.flatnonzero(np.arange(len(asked.x)) % 3 == 0)
    outcome = agree(ci, asked.part(few), uncompiled, (order,))
    assert np.abs(outcome.tests).sum() > 3


def test_critical_values_are_found_for_any_degrees_of_freedom(uncompiled):
    """Tables of 100 by 100 states have thousands of degrees of freedom; the search comes back for more."""
    rng = np.random.default_rng(6)
    z = rng.integers(0, 2, 2500)
    wide = (rng.integers(0, 50, (2500, 2)) + 50 * z[:, None]) % 100
    other = (rng.integers(0, 60, (2500, 2)) + 40 * z[:, None]) % 100
    ci = GTest(0.05).bind(np.column_stack([wide, z, other]))
    assert len(ci._critical) < 2000
    for live in (False, True):
        asked = random_level(rng, ci.marginals(), 1, live=live, by_strength=True, density=1.0, homes=False)
        outcome = agree(ci, asked, uncompiled, (live,))
        assert outcome.removed.sum() >= 3


def test_table_questions(uncompiled):
    """Statistic, degrees of freedom and information, not only the decision."""
    rng = np.random.default_rng(7)
    data = awkward_data(rng, 200)
    kinds = [(data, None)]
    kinds += [(with_gaps(rng, data) if gaps else data, weights(rng, 200)) for gaps, weights in KINDS_OF_ROWS.values()]
    for spec, (rows, weights) in product(TABLE_TESTS, kinds):
        ci = spec.bind(rows, weights)
        for order in (0, 1, 2, 4):
            asked = np.array([rng.permutation(9)[: order + 2] for _ in range(12)], np.int32)
            compiled = ci._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:])
            with uncompiled():
                plain = ci._evaluate(asked[:, 0], asked[:, 1], asked[:, 2:])
            for one, other in zip(compiled, plain, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_an_end_without_neighbours_asks_nothing(uncompiled):
    rng = np.random.default_rng(8)
    ci = FisherZ(0.05).bind(rng.normal(size=(50, 4)))
    asked = random_level(rng, ci.marginals(), 1, live=False, by_strength=True, density=0.0)._replace(
        x=np.array([0], np.int32),
        y=np.array([1], np.int32),
        home_start=np.zeros(1, np.int32),
        home_stop=np.zeros(1, np.int32),
        home_order=np.full(1, -1, np.int32),
        first=np.array([0, 1, 2, 2], np.int64),
        neighbors=np.array([1, 0], np.int32),
        degree=np.array([1, 1, 0, 0], np.int32),
    )
    outcome = agree(ci, asked, uncompiled, ())
    assert outcome.tests.tolist() == [0] and not outcome.removed.any()


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
