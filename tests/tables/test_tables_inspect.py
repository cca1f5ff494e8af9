"""Findings: what is suspicious is named, and nothing else is."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.tables import FindingKind, Kind, as_table, inspect_table

D, C = Kind.DISCRETE, Kind.CONTINUOUS


def measured(rows=200, columns=6, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, columns))


def found(values, kind=C, names=None, correlation=None):
    return inspect_table(as_table(values, names), kind, correlation)


def test_clean_data_give_nothing():
    assert found(measured()) == []
    assert found(np.random.default_rng(0).integers(0, 4, size=(200, 6)), D) == []


def test_strong_but_inexact_dependence_is_not_reported():
    values = measured()
    values[:, 5] = values[:, 0] + values[:, 1] + 1e-5 * values[:, 5]
    values[:, 4] = values[:, 2] * (1 + 1e-5 * values[:, 4])
    assert found(values) == []


def test_constants():
    values = measured()
    values[:, 1] = 7
    one = found(values, names=list("abcdef"))
    assert [f.columns for f in one] == [(1,)]
    assert one[0].kind is FindingKind.CONSTANT
    assert one[0].sentence == (
        "column 'b' has the same value in every row and can have no edges: drop constant columns"
    )
    values[:, 3] = 0
    values[::2, 4] = 0.1 * 3
    values[1::2, 4] = 0.3  # differs in the last bit
    many = found(values, names=list("abcdef"))
    assert [f.columns for f in many] == [(1, 3, 4)]
    assert many[0].sentence.startswith("columns 'b', 'd' and 'e' have the same value in every row")


def test_small_variation_around_a_large_value_is_no_constant():
    values = measured()
    values[:, 0] = 1e9 + values[:, 0] * 1e-3
    assert found(values) == []


def test_constants_of_discrete_data():
    values = np.random.default_rng(0).integers(0, 3, size=(50, 4))
    values[:, 2] = 5
    assert [(f.kind, f.columns) for f in found(values, D)] == [(FindingKind.CONSTANT, (2,))]


def test_duplicates():
    values = measured()
    values[:, 4] = values[:, 1]
    values[:, 5] = values[:, 1]
    findings = found(values, names=list("abcdef"))
    assert [(f.kind, f.columns) for f in findings] == [(FindingKind.DUPLICATE, (1, 4, 5))]
    assert findings[0].sentence == (
        "e and f are copies of b (they hold the same values): they have only one edge, to that column"
    )


def test_duplicates_of_discrete_data_need_not_have_the_same_names():
    rng = np.random.default_rng(0)
    sex = np.array(["m", "f"])[rng.integers(0, 2, 50)]
    data = {
        "sex": sex,
        "woman": sex == "f",
        "other": rng.integers(0, 2, 50),
        "code": np.where(sex == "m", 9, 4),
    }
    findings = found(data, D)
    assert [(f.kind, f.columns) for f in findings] == [(FindingKind.DUPLICATE, (0, 3, 1))]
    assert "code and woman are copies of sex (they have the same states under other names)" in findings[0].sentence


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_discrete_duplicates_are_equal_partitions(data):
    columns = data.draw(st.lists(st.lists(st.integers(0, 2), min_size=10, max_size=10), min_size=2, max_size=6))
    # Ten rows alone could be the same by chance.
    findings = [f for f in found(np.tile(columns, 12).T, D) if f.kind is FindingKind.DUPLICATE]
    groups = {}
    for i, column in enumerate(columns):
        if len(set(column)) > 1:
            groups.setdefault(tuple(column.index(v) for v in column), []).append(i)
    assert sorted(f.columns for f in findings) == sorted(tuple(g) for g in groups.values() if len(g) > 1)


def test_linear_functions_of_one_column():
    values = measured()
    values[:, 3] = 32 + 1.8 * values[:, 1]
    values[:, 5] = -4e8 * values[:, 1]
    findings = found(values, names=list("abcdef"))
    assert [(f.kind, f.columns) for f in findings] == [
        (FindingKind.COLLINEAR, (3, 1)),
        (FindingKind.COLLINEAR, (5, 1)),
    ]
    assert findings[0].sentence == (
        "d is a copy of b (d = 1.8 b + 32 in every row): it has only one edge, to that column"
    )


def test_collinear_sets_by_name():
    values = measured(columns=8)
    values[:, 2] = values[:, 0] - 3 * values[:, 5] + 10
    values[:, 7] = values[:, 1] + values[:, 3] + values[:, 4]
    findings = found(values, names=["a", "b", "c", "d", "e", "f", "g", "total"])
    assert [f.columns for f in findings] == [(5, 0, 2), (7, 1, 3, 4)]
    assert findings[0].sentence.startswith("a = c + 3 f - 10 in every row: ")
    assert findings[1].sentence.startswith("total = b + d + e in every row: ")


def test_indicator_columns_sum_to_one():
    state = np.arange(200) % 4
    values = np.column_stack([measured(), *(state == s for s in range(4))])
    assert [f.columns for f in found(values)] == [(9, 6, 7, 8)]


def test_chained_relations_use_earlier_columns_only():
    values = measured()
    values[:, 4] = values[:, 0] + values[:, 1]
    values[:, 5] = values[:, 4] + values[:, 2]
    assert [f.columns for f in found(values)] == [(4, 0, 1), (5, 0, 1, 2)]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), dependent=st.integers(0, 5), given_correlation=st.booleans())
def test_relations_against_least_squares(seed, dependent, given_correlation):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(60, 12)) * 10.0 ** rng.integers(-6, 6, size=12) + rng.normal(size=12)
    for column in rng.choice(12, size=dependent, replace=False):
        sources = rng.choice(np.delete(np.arange(12), column), size=3, replace=False)
        scale = values[:, sources].std(axis=0)
        values[:, column] = (values[:, sources] / scale) @ rng.uniform(0.5, 2, size=3)
    centred = values - values.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=0)
    correlation = np.corrcoef(values, rowvar=False) if given_correlation else None
    findings = [f for f in found(values, correlation=correlation) if f.kind is FindingKind.COLLINEAR]
    dependents = {f.columns[0] for f in findings}
    assert len(dependents) == len(findings)
    for column in range(12):
        earlier = centred[:, :column]
        residual = centred[:, column] - earlier @ np.linalg.lstsq(earlier, centred[:, column], rcond=None)[0]
        assert (column in dependents) == (np.linalg.norm(residual) < 1e-7)
    for finding in findings:
        others = centred[:, list(finding.columns[1:])]
        target = centred[:, finding.columns[0]]
        assert np.linalg.norm(target - others @ np.linalg.lstsq(others, target, rcond=None)[0]) < 1e-7


def test_many_names_are_cut_short():
    values = measured(columns=9)
    values[:, 8] = values[:, :8].sum(axis=1)
    sentence = found(values)[0].sentence
    assert "X9 = X1 + X2 + X3 + X4 + X5 + ... (3 more) in every row" in sentence


def test_huge_numbers_do_not_overflow():
    values = measured() * 1e200
    values[:, 5] = values[:, 0] + values[:, 1]
    assert [f.columns for f in found(values)] == [(5, 0, 1)]


def test_wide_tables():
    values = measured(rows=20, columns=30)
    values[:, 7] = 2 * values[:, 3]
    assert [(f.kind, f.columns) for f in found(values)] == [(FindingKind.COLLINEAR, (7, 3))]
    assert not found(np.random.default_rng(1).integers(0, 3, size=(20, 30)), D)


def test_identifiers():
    rng = np.random.default_rng(0)
    data = {
        "id": [f"p{i}" for i in range(50)],
        "near": [f"q{min(i, 40)}" for i in range(50)],
        "x": rng.integers(0, 2, 50),
    }
    findings = found(data, D)
    assert [(f.kind, f.columns) for f in findings] == [
        (FindingKind.IDENTIFIER, (0,)),
        (FindingKind.IDENTIFIER, (1,)),
    ]
    assert findings[1].sentence == (
        "column 'near' has 41 states in 50 rows and looks like an identifier: drop it or group its states"
    )


def test_a_given_correlation_matrix_is_used_and_not_changed():
    values = measured()
    values[:, 1] = 3.0
    values[:, 5] = values[:, 0] + values[:, 2]
    with np.errstate(invalid="ignore"):
        correlation = np.corrcoef(values, rowvar=False)  # not numbers where the constant is
    before = correlation.copy()
    assert found(values, correlation=correlation) == found(values)
    np.testing.assert_array_equal(correlation, before)
    # It is believed: an uncorrelated matrix hides the relation.
    assert [f.kind for f in found(values, correlation=np.eye(6))] == [FindingKind.CONSTANT]


@pytest.mark.parametrize("kind", list(Kind))
def test_a_large_table_is_quick(kind):
    rng = np.random.default_rng(0)
    table = as_table(rng.normal(size=(1000, 1000)) if kind is C else rng.integers(0, 4, size=(1000, 1000)))
    correlation = np.corrcoef(table.continuous(), rowvar=False)
    best = np.inf
    for _ in range(3):
        start = time.thread_time()
        inspect_table(table, kind, correlation)
        best = min(best, time.thread_time() - start)
    assert best < 0.25  # about 0.03 s on an idle machine; a quadratic loop in Python takes more than a second
