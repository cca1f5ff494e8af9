"""The embedded sample through the whole method: what a newcomer sees first must stay as good as it is."""

import hccd
from hccd.datasets.alarm import alarm_edges, alarm_path
from hccd.tables import read_table


def test_the_alarm_network_is_found():
    table = read_table(alarm_path())
    truth = {frozenset(edge) for edge in alarm_edges()}
    pc = hccd.discover(table, method="pc")
    wrapped = hccd.discover(table)
    for result in (pc, wrapped):
        learned = {frozenset(edge[:2]) for edge in result.edges()}
        assert len(learned & truth) >= 38
        assert len(learned - truth) <= 2
    assert wrapped.tests.total < pc.tests.total


def test_a_determined_column_does_not_make_the_search_explode():
    """Half of the columns are functions of the others: sets that determine an end must not keep every edge alive."""
    import numpy as np

    rng = np.random.default_rng(0)
    base = rng.integers(0, 3, (300, 12))
    derived = (base[:, :-1] + base[:, 1:]) // 2
    result = hccd.discover(np.column_stack([base, derived]), test="g")
    assert result.tests.total < 5_000
    assert result.skeleton.n_edges < 60
