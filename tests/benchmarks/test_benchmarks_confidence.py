"""What resamples cost: the cells of the tables."""

from __future__ import annotations

import hccd
from benchmarks.confidence import cost_cells, ratio_cells
from benchmarks.implementations import IMPLEMENTATIONS, WITH_RESAMPLES, WITHOUT, tiny


def test_runs_are_compared_by_what_they_say_and_by_the_larger_memory():
    runs = [{"cpu_s": s, "peak_mb": m, "outcome": "a"} for s, m in ((1.0, 100.0), (3.0, 120.0), (3.5, 150.0))]
    assert cost_cells(*runs) == ["1.00", "3.00", "2.00", "3.50", "100", "120", "150", "1.50", "yes"]
    assert cost_cells(*runs[:2], {**runs[2], "outcome": "b"})[-1] == "NO"


def test_a_package_is_judged_by_a_hundred_of_its_runs():
    assert ratio_cells(2.0, 60.0, 4.0) == ["2.00", "200", "4.00", "50"]
    assert ratio_cells(None, 60.0, 4.0) == ["> 60.00", "> 6000", "4.00", "> 1500"]
    assert ratio_cells("not installed", 60.0, 4.0) == ["not installed", "", "4.00", ""]


def test_the_outcome_is_all_but_times():
    data = tiny("continuous", 4)
    found = {name: IMPLEMENTATIONS[name] for name in (WITHOUT, *WITH_RESAMPLES)}
    results = {name: each.learn(data, "continuous") for name, each in found.items()}
    without, one, two = (found[name].read(result)["outcome"] for name, result in results.items())
    assert one == two != without
    assert [getattr(result.confidence, "resamples", 0) for result in results.values()] == [0, 100, 100]
    other = hccd.discover(data, bootstrap=100, n_jobs=1, seed=1, continuous=range(4))
    assert found[WITHOUT].read(other)["outcome"] != one
