"""Partitions with an oracle: what the paper proves must come out exactly."""

from __future__ import annotations

import pytest

from hccd.studies.description import load_study
from hccd.studies.partition_runs import _partitions, measure_partitions


def measured(division, graph=1):
    rows = measure_partitions(load_study("partitions"), {"division": division, "graph": graph})
    return {row["method"]: row["values"] for row in rows}


def test_bell_numbers():
    for n, bell in enumerate([1, 1, 2, 5, 15, 52]):
        found = {tuple(sorted(tuple(sorted(part)) for part in each)) for each in _partitions(range(n))}
        assert len(found) == len(list(_partitions(range(n)))) == bell


def test_the_partition_that_loses_nothing():
    """Section 3."""
    assert {values["exact"] for values in measured("A > D < C > E < B: A + B + CDE").values()} == {1.0}


def test_the_partition_that_loses_an_independence():
    """Appendix A: D and E stay adjacent without line 18."""
    values = measured("A > D < C > E < B: DE + ABC")
    assert values["ClustCD"]["extra"] == values["ClustCD"]["inside"] == 1
    assert values["HCCD"]["exact"] == 1.0


def test_a_graph_without_a_good_partition():
    """Appendix A: whatever the clusters, something is lost without line 18, and nothing with it."""
    values = measured("A > BCDE > F: every")
    assert values["ClustCD"]["partitions"] == 20  # counted by hand
    assert values["ClustCD"]["exact"] == 0.0
    assert values["HCCD"]["exact"] == 1.0


@pytest.mark.parametrize("division", ["random 10: 1 and 9", "random 10: 5 and 5"])
def test_random_graphs(division):
    values = measured(division)
    assert values["HCCD"]["exact"] == 1.0
    assert values["ClustCD"]["missing"] == 0
    assert values["ClustCD"]["extra"] == values["ClustCD"]["inside"]
