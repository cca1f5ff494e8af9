"""Scores of families against their formulas, written with scipy and numpy from counts and least squares."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from scipy.special import gammaln
from scoring_cases import ROOM, WEIGHTS, gaussian_score, members, table_score

import hccd
from hccd._kernels.scores import table_families
from hccd._kernels.search.coded_columns import CodedColumns
from hccd.independence.tables import EQUIVALENT_ROWS
from hccd.metrics import bdeu
from method_cases import discrete_net, linear_gaussian, random_dag
from uncompiled import uncompiled


def random_table(rng, n, rows, most):
    """Columns of 2 to ``most`` states, in part made from each other, all states present."""
    data = np.column_stack([rng.integers(0, rng.integers(2, most + 1), rows) for _ in range(n)])
    for v in range(1, n):
        kept = rng.random(rows) < 0.4
        data[kept, v] = data[kept, v - 1] % (data[:, v].max() + 1)
    return data


@pytest.mark.parametrize(("rows", "most"), [(1, 2), (30, 60), (200, 5), (500, 60), (2000, 3)])
def test_tables_by_the_formula(rows, most):
    """Few cells and many: counted into one array, and only what occurs."""
    dense = sparse = 0
    for seed in range(4):
        rng = np.random.default_rng([rows, most, seed])
        data = random_table(rng, 7, rows, most)
        families = hccd.GTest(0.05).bind(data).families(ROOM)
        widths = np.array([len(np.unique(column)) for column in data.T])
        for _ in range(25):
            child, *parents = rng.permutation(7)[: 1 + int(rng.integers(0, 5))].tolist()
            expected = table_score(data, child, sorted(parents))
            assert families.score(child, members(parents)) == pytest.approx(expected, rel=1e-10, abs=1e-8)
            codes = len(np.unique(data[:, parents], axis=0)) if parents else 1
            dense += np.prod(widths[parents], dtype=float) * widths[child] <= rows
            sparse += codes * widths[child] > 4 * rows + 256
    assert dense > 5 or rows in (1, 30)
    assert sparse > 5 or most < 60


@pytest.mark.parametrize("ess", [1.0, 10.0])
def test_bdeu_by_the_metric(ess):
    """What other packages maximise, as ``hccd.metrics`` computes it; all combinations of parents count."""
    for seed, (rows, most) in enumerate([(30, 20), (200, 5), (2000, 3)]):
        rng = np.random.default_rng([11, seed])
        data = random_table(rng, 6, rows, most)
        columns = CodedColumns(*hccd.GTest(0.05).bind(data).data.for_kernels())
        families = table_families.TableFamilies(columns, ess, ROOM, uniform=True)
        for _ in range(10):
            dag = random_dag(rng, 6, 0.4)
            total = sum(families.score(v, members(dag.parents(v))) for v in range(6))
            assert total == pytest.approx(bdeu(dag, data, ess=ess), rel=1e-10, abs=1e-8)


def test_tables_with_a_constant_column_and_copies():
    rng = np.random.default_rng(1)
    data = random_table(rng, 6, 120, 4)
    data[:, 2] = 3
    data[:, 4] = data[:, 1]
    families = hccd.GTest(0.05).bind(data).families(ROOM)
    for child in range(6):
        for parents in ([], [2], [4], [1, 4], [0, 1, 2, 4], [0, 1, 2, 3, 4, 5]):
            chosen = [p for p in parents if p != child]
            score = families.score(child, members(chosen))
            assert score == pytest.approx(table_score(data, child, chosen), rel=1e-10, abs=1e-8)
    assert families.score(0, members([1, 4])) == pytest.approx(families.score(0, members([1])), abs=1e-9)
    assert families.score(0, members([2])) <= families.score(0, members([])) + 1e-9


def test_more_rows_than_are_tabled():
    """The logarithms of counts beyond TABLED_BYTES are computed."""
    rng = np.random.default_rng(2)
    n, rows = 60, 20_000
    data = rng.integers(0, 3, (rows, n))
    data[:, 1] = (data[:, 0] + (rng.random(rows) < 0.05)) % 3
    tabled = table_families.TABLED_BYTES // (8 * len(WEIGHTS) * 3 * n)
    assert 0.95 * rows / 3 > 1.05 * tabled
    families = hccd.GTest(0.05).bind(data).families(ROOM)
    for child, parents in [(0, []), (1, [0]), (0, [1]), (1, [0, 2]), (59, []), (1, []), (1, [0])]:
        assert families.score(child, members(parents)) == pytest.approx(table_score(data, child, parents), rel=1e-10)
    few = hccd.GTest(0.05).bind(data[:, :4]).families(ROOM)
    gain = np.zeros(4)
    for y in range(4):
        few.gains(y, np.zeros(0, np.int32), gain)
        for x in range(4):
            if x != y:
                both = families.score(y, members([x])) - families.score(y, members([]))
                assert gain[x] == pytest.approx(both, abs=1e-7)


def plain_families(data):
    """The score uncompiled, of columns as the kernels want them."""
    codes = np.ascontiguousarray([np.unique(column, return_inverse=True)[1] for column in data.T], np.uint16)
    widths = codes.max(axis=1).astype(np.int32) + 1
    view = uncompiled("coded_columns").CodedColumns(codes, widths, np.zeros(1))
    return uncompiled("table_families").TableFamilies(view, EQUIVALENT_ROWS, 6)


@pytest.mark.parametrize("tabled", [0, 64 * 50])
def test_logarithms_are_tabled_or_not_with_the_same_scores(monkeypatch, tabled):
    data = discrete_net(np.random.default_rng(3), 4, 2, 40)
    everything = plain_families(data)
    monkeypatch.setattr(uncompiled("table_families"), "TABLED_BYTES", tabled)
    few = plain_families(data)
    assert everything.tabled == 40 > few.tabled
    for child, parents in [(0, []), (1, [0]), (0, [1, 2]), (1, []), (0, [1]), (3, [0, 1, 2]), (1, [0])]:
        score = few.score(child, members(parents))
        assert score == pytest.approx(everything.score(child, members(parents)), abs=1e-9)
        assert score == pytest.approx(table_score(data, child, parents), rel=1e-10)


@pytest.mark.parametrize(("room", "bits"), [(1 << 20, 12), (120, 12), (120, 2)])
def test_tables_from_memory(monkeypatch, room, bits):
    """A table of the same set or of a larger one gives the same scores, also where old tables make room for new."""
    tables = uncompiled("set_tables")
    monkeypatch.setattr(tables, "BYTES", 4 * room)
    monkeypatch.setattr(tables, "MEMORY_BITS", bits)
    calls = Counter()
    for owner, method in (
        (tables.SetTables, tables.SetTables.sum_over),
        (tables.SetMemory, tables.SetMemory.forget),
    ):

        def counted(self, *arguments, method=method):
            calls[method.__name__] += 1
            method(self, *arguments)

        monkeypatch.setattr(owner, method.__name__, counted)
    rng = np.random.default_rng(7)
    data = random_table(rng, 6, 402, 4)
    data[:, 3] = 1
    families = plain_families(data)
    asked = [(child, parents) for child in range(6) for k in (4, 3, 2, 1) for parents in combinations(range(6), k)]
    asked = [(child, parents) for child, parents in asked if child not in parents]
    for at in rng.permutation(len(asked)).tolist():
        child, parents = asked[at]
        score = families.score(child, members(parents))
        assert score == pytest.approx(table_score(data, child, parents), rel=1e-10), (child, parents)
    assert calls["sum_over"] > 3
    assert (calls["forget"] > 3) == (room == 120)


@pytest.mark.parametrize("kind", ["g", "fisher-z"])
def test_what_one_parent_gains(kind):
    rng = np.random.default_rng(4)
    data = random_table(rng, 8, 150, 9) if kind == "g" else linear_gaussian(rng, 8, 3, 150)
    score = table_score if kind == "g" else gaussian_score
    test = hccd.GTest(0.05) if kind == "g" else hccd.FisherZ(0.05)
    families = test.bind(data).families(ROOM)
    gain = np.full(8, np.nan)
    for y in range(8):
        families.gains(y, np.zeros(0, np.int32), gain)
        assert gain[y] == 0.0
        for x in range(8):
            if x == y:
                continue
            assert gain[x] == pytest.approx(score(data, y, [x]) - score(data, y, []), abs=1e-7)
            own = families.score(y, members([x])) - families.score(y, members([]))
            assert gain[x] == pytest.approx(own, abs=1e-9)


@pytest.mark.parametrize("rows", [12, 100, 3000])
def test_gaussian_families_by_least_squares(rows):
    for seed in range(5):
        rng = np.random.default_rng([5, rows, seed])
        data = linear_gaussian(rng, 9, 4, rows) * 10.0 ** rng.uniform(-3, 3, 9) + rng.normal(size=9)
        families = hccd.FisherZ(0.05).bind(data).families(ROOM)
        for _ in range(30):
            child, *parents = rng.permutation(9)[: 1 + int(rng.integers(0, 7))].tolist()
            expected = gaussian_score(data, child, sorted(parents))
            assert families.score(child, members(parents)) == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_gaussian_families_of_copies_and_constants():
    """A parent that the others determine costs its price and adds nothing; nothing is infinite or no number."""
    rng = np.random.default_rng(6)
    rows = 200
    data = linear_gaussian(rng, 5, 3, rows)
    data = np.column_stack([data, data[:, 0], -2 * data[:, 1] + 5, data[:, 2] + data[:, 3], np.full(rows, 7.0)])
    families = hccd.FisherZ(0.05).bind(data).families(ROOM)
    price = 0.5 * np.log(rows - 3)
    alone = families.score(4, members([0, 1]))
    for extra in ([5], [6], [8], [5, 6, 8]):
        assert families.score(4, members([0, 1, *extra])) == pytest.approx(alone - price * len(extra), abs=1e-6)
    spanned = families.score(4, members([2, 3]))
    assert families.score(4, members([2, 3, 7])) == pytest.approx(spanned - price, abs=1e-6)
    assert families.score(8, members([])) == 0.0
    assert families.score(8, members([0, 1])) == pytest.approx(-2 * price)
    gain = np.zeros(9)
    for child in range(9):
        families.gains(child, np.zeros(0, np.int32), gain)
        assert np.isfinite(gain).all()
        everybody = [v for v in range(9) if v != child]
        assert np.isfinite(families.score(child, members(everybody)))
        assert families.score(child, members(everybody)) <= rows / 2 * np.log(1e10)


def test_the_logarithm_of_the_gamma_function():
    log_gamma = uncompiled("log_gamma").log_gamma
    for x in np.concatenate([10.0 ** np.linspace(-8, 9, 400), np.arange(1, 60), [0.5, 7.999999, 8.0, 8.000001]]):
        assert log_gamma(float(x)) == pytest.approx(float(gammaln(x)), rel=1e-13, abs=2e-11)


def test_gains_beside_parents_and_what_is_remembered_of_them():
    """Asking what others gain must not change the score of any family that is asked for later."""
    rng = np.random.default_rng(12)
    data = discrete_net(rng, 6, 3, 80)
    families = hccd.GTest(0.05).bind(data).families(ROOM)
    for child in range(6):
        members = np.array([x for x in range(6) if x != child][:3], np.int32)
        gain = np.full(6, np.nan)
        families.gains(child, members, gain)
        for x in range(6):
            more = sorted({*members.tolist(), x} - {child})
            assert gain[x] == pytest.approx(
                table_score(data, child, more) - table_score(data, child, members), abs=1e-9
            )
        for x in members.tolist():
            fewer = np.array([w for w in members if w != x], np.int32)
            assert families.score(child, fewer) == pytest.approx(table_score(data, child, fewer), abs=1e-9)


@pytest.mark.parametrize("n_others", [20, 2])
def test_the_strongest_are_those_that_gain_most(n_others):
    """Asked for by shares of the variance, with and without all variables at once, they are those of every score."""
    rng = np.random.default_rng(4)
    data = linear_gaussian(rng, 20, 3, 60)
    data[:, 7] = data[:, 3]
    families = uncompiled("gaussian_families").GaussianFamilies(np.corrcoef(data.T), 60.0, 1e-10, ROOM)
    excluded, place = np.zeros(20, np.uint8), np.arange(20, dtype=np.int32)
    excluded[[0, 5, 9]] = 1
    others = np.arange(20, dtype=np.int32)[-n_others:]
    for least in (-100.0, 0.5):
        answers = []
        for strongest in (type(families).strongest, uncompiled("families").Families.strongest):
            families.begin(0, np.array([5, 9], np.int32), 2)
            found, gain = np.zeros(6, np.int32), np.zeros(6)
            count = strongest(families, least, others, excluded, place, 19, found, gain)
            answers.append((found[:count].tolist(), gain[:count]))
        assert answers[0][0] == answers[1][0] and answers[0][1] == pytest.approx(answers[1][1], abs=1e-9)
        assert len(answers[0][0]) > 0 if n_others == 20 else len(answers[0][0]) <= 1
