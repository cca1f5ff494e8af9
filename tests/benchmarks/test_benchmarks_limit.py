"""The plain C programs make the tests that our PC makes, and find its edges: else they are no yardstick."""

import warnings

import numpy as np
import pytest

import hccd
from benchmarks.limit import programs
from benchmarks.workloads import gaussian
from hccd.studies.discrete_networks import sample_discrete_network

pytestmark = [pytest.mark.slow, pytest.mark.skipif(programs.compiler() is None, reason="no C compiler here")]


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    return tmp_path_factory.mktemp("programs")


def ours(data, test, ordering):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = hccd.discover(
            test.bind(data),
            method="pc",
            colliders="separating-set",
            correction="none",
            baseline=hccd.PC(ordering=ordering),
        )
    counts = [counts for stage, counts in result.tests.by_stage.items() if stage != "colliders"]
    return [sum(row) for row in zip(*_padded(counts), strict=True)], result.skeleton.edges


def _padded(rows):
    width = max(map(len, rows))
    return [[*row, *[0] * (width - len(row))] for row in rows]


def agrees(found, expected):
    tests, edges = expected
    assert found.tests == tests
    assert np.array_equal(found.pairs, edges)
    assert 0 < found.cpu < 10


@pytest.mark.parametrize("ordering", ["strength", "column"])
@pytest.mark.parametrize(("n", "connectivity", "seed"), [(8, 3, 1), (30, 3, 1), (60, 5, 2), (150, 4, 3)])
def test_gaussian(build, n, connectivity, seed, ordering):
    data, _ = gaussian(n, connectivity, seed).make()
    found = programs.gaussian_skeleton(data, 0.01, build, 2, ordering)
    agrees(found, ours(data, hccd.FisherZ(0.01), ordering))
    assert n < 30 or len(found.tests) > 3


def test_gaussian_with_collinear_columns(build):
    rng = np.random.default_rng(0)
    base = rng.normal(size=(200, 6))
    data = np.column_stack([base, base[:, 0] + base[:, 1], base[:, 2], rng.normal(size=200) + base[:, 0]])
    agrees(programs.gaussian_skeleton(data, 0.05, build), ours(data, hccd.FisherZ(0.05), "strength"))


def test_gaussian_with_few_rows(build):
    """The last orders have no degrees of freedom, and call nothing independent."""
    rng = np.random.default_rng(1)
    data = rng.normal(size=(9, 1)) + 0.2 * rng.normal(size=(9, 9))
    agrees(programs.gaussian_skeleton(data, 0.01, build), ours(data, hccd.FisherZ(0.01), "strength"))


@pytest.mark.parametrize("ordering", ["strength", "column"])
@pytest.mark.parametrize(
    ("n", "most_states", "n_rows"),
    [
        (12, 2, 1000),  # small tables: bits
        (30, 4, 2000),  # larger ones: rows
        (15, 12, 150),  # wider than the data: strata
        (20, 30, 60),
    ],
)
def test_discrete(build, n, most_states, n_rows, ordering):
    data, _ = sample_discrete_network(n, 3, most_states, n_rows, seed=3)
    found = programs.discrete_skeleton(data, 0.05, build, 2, ordering)
    agrees(found, ours(data, hccd.GTest(0.05), ordering))
    assert len(found.tests) > 1


def test_discrete_with_a_constant_a_copy_and_row_numbers(build):
    data, _ = sample_discrete_network(8, 3, 3, 90, seed=5)
    data = np.column_stack([data, np.zeros(90, int), data[:, 2], np.arange(90)])
    agrees(programs.discrete_skeleton(data, 0.05, build), ours(data, hccd.GTest(0.05), "strength"))


def test_many_states_need_wider_codes(build):
    rng = np.random.default_rng(2)
    wide = rng.permutation(400) % 300
    data = np.column_stack([wide, wide // 64, rng.integers(0, 3, 400)])
    agrees(programs.discrete_skeleton(data, 0.05, build), ours(data, hccd.GTest(0.05), "strength"))


def test_what_a_program_refuses_is_said(build):
    data = np.column_stack([np.arange(5000), np.arange(5000) % 2])
    with pytest.raises(ValueError, match="a column has 5000 states"):
        programs.discrete_skeleton(data, 0.05, build)
