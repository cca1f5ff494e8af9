"""Checks of the rows: found where they are not independent, silent where they are, and the same in all places."""

import json
import warnings

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning
from hccd.run.checks.rows import smallest_found
from hccd.tables import FindingKind, as_table
from uncompiled import uncompiled

ROWS = 300


def kinds(data, **options):
    return [finding.kind for finding in hccd.check_data(data, estimate=False, **options).findings]


def walks(rng, n=6):
    return np.cumsum(rng.normal(size=(ROWS, n)), axis=0)


def test_one_list_in_all_places(tmp_path):
    data = np.column_stack([walks(np.random.default_rng(0)), np.ones(ROWS)])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = hccd.discover(data)
    said = [str(each.message) for each in caught if each.category is DataWarning]
    assert said == list(result.warnings)
    # A check learns nothing, and knows nothing about residuals.
    before = [each for each in result.findings if each.kind not in (FindingKind.NON_LINEAR, FindingKind.UNEVEN)]
    assert [each.sentence for each in before] == [each.sentence for each in hccd.check_data(data).of("warning")]
    assert [each.kind.value for each in result.findings][:2] == ["time-order", "constant"]
    result.save(tmp_path / "graph.json")
    written = json.loads((tmp_path / "graph.json").read_text())["warnings"]
    assert [each["sentence"] for each in written] == said
    with pytest.warns(DataWarning):
        assert hccd.learn_skeleton(data).findings == tuple(before)
    with pytest.warns(DataWarning):
        assert hccd.HCCD().fit(data).result_.findings == result.findings
    page = result.to_html(data_check=hccd.check_data(data))
    assert page.count(json.dumps(said[0])) == 1


def test_sorted_rows_are_no_time_series():
    rng = np.random.default_rng(1)
    cause = rng.normal(size=ROWS)
    data = np.column_stack([cause, *(cause + rng.normal(size=ROWS) for _ in range(4))])
    order = np.argsort(cause)
    assert kinds(data) == kinds(data[order]) == []
    # Without the column they were sorted by nothing that the table has.
    assert kinds(data[order][:, 1:]) == ["time-order"]
    # Neither does it matter for states, and for blocks of a class.
    states = (data > 0.5).astype(int)
    assert "time-order" not in kinds(states[np.argsort(states[:, 0], kind="stable")])
    assert "time-order" not in kinds({"class": np.where(cause[order] > 0, "u", "a"), **dict(enumerate(data[order].T))})


def test_states_that_stay():
    rng = np.random.default_rng(2)
    assert "time-order" in kinds((walks(rng) > 0).astype(int))
    assert "time-order" not in kinds((rng.normal(size=(ROWS, 6)) > 0).astype(int))


def test_subjects_with_several_rows():
    rng = np.random.default_rng(3)
    subject = rng.permutation(np.arange(ROWS) // 5)
    own = rng.normal(size=(ROWS // 5, 4))[subject] + rng.normal(size=(ROWS, 4))
    columns = {f"x{j}": own[:, j] for j in range(4)}
    for name in (subject + 1000, [f"p{i}" for i in subject]):
        check = hccd.check_data({"patient": name, **columns}, estimate=False)
        (finding,) = [each for each in check.findings if each.kind == "grouped"]
        assert "'patient' has 60 values with typically 5 rows" in finding.sentence
    # An age is no subject, however much depends on it.
    age = rng.integers(20, 80, ROWS)
    assert "grouped" not in kinds({"age": age, **{f"x{j}": age * 0.1 + rng.normal(size=ROWS) for j in range(4)}})


def test_rows_that_are_copies():
    rng = np.random.default_rng(4)
    data = rng.normal(size=(ROWS, 5))
    assert kinds(data) == []
    assert kinds(np.vstack([data, data[:20]])) == ["repeated-rows"]
    assert kinds(np.round(data, 1)) == []


def test_the_smallest_correlation_is_found_half_of_the_time():
    rng = np.random.default_rng(5)
    smallest = smallest_found(100, 2, 0.01)
    x = rng.normal(size=(4000, 100))
    y = smallest * x + np.sqrt(1 - smallest**2) * rng.normal(size=(4000, 100))
    x, y = ((v - v.mean(1, keepdims=True)) / v.std(1, keepdims=True) for v in (x, y))
    z = np.arctanh((x * y).mean(1)) * np.sqrt(97)
    assert abs((np.abs(z) > 2.5758).mean() - 0.5) < 0.03


def test_states_are_counted_as_numpy_counts_them():
    rng = np.random.default_rng(6)
    values = np.column_stack([rng.integers(0, k, 90) for k in (2, 3, 7)]).astype(float)
    values[:5, 1] = np.nan
    coded = as_table(values, discrete=[0, 1, 2]).codes()
    expected = [np.bincount(coded.codes[:, i], minlength=n) for i, n in enumerate(np.diff(coded.first))]
    assert coded.counts.tolist() == np.concatenate(expected).tolist()
    counts = np.zeros_like(coded.counts)
    uncompiled("columns").count_states(coded.codes.T, coded.first, counts)
    assert counts.tolist() == coded.counts.tolist()


def test_experiments_one_below_the_other_are_noticed_beyond_the_first_rows():
    rng = np.random.default_rng(0)
    first, others = rng.normal(size=(2500, 4)), rng.normal(size=(5, 500, 4)) + 2.0 * rng.normal(size=(5, 1, 4))
    pooled = np.vstack([first, *others])
    for values, noticed in ((pooled, True), (rng.permutation(pooled), False), (first, False)):
        found = [each for each in hccd.check_data(values).findings if each.kind == "time-order"]
        assert bool(found) is noticed
        assert all("several experiments" in each.sentence for each in found)
