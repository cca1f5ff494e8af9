"""Whole runs of FCI and RFCI on data: valid, the same for any order of columns, recorded, refused where they must."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.ancestral import is_valid_pag
from hccd.errors import InvalidParameterError
from hccd.graphs.pag import ARROW, CIRCLE, PAG, TAIL
from hccd.report.repeat import repetition
from hccd.wrapper import ALL_STAGES
from method_cases import discrete_net, linear_gaussian


def gaussian(seed, n=24, rows=400, hidden=4):
    return linear_gaussian(np.random.default_rng([6, seed]), n, 3, rows)[:, hidden:]


def named(result):
    """Everything by names."""
    names = result.names
    edges = {
        frozenset([(names[x], int(result.graph.marks[y, x])), (names[y], int(result.graph.marks[x, y]))])
        for x, y in result.skeleton.edges.tolist()
    }
    sets = {frozenset([names[x], names[y]]): {names[z] for z in given} for (x, y), given in result.separators.items()}
    why = {(names[x], names[y]): reason for (x, y), reason in result.reasons.items()}
    return edges, sets, why, result.tests.by_stage


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("colliders", [None, "separating-set"])
def test_the_pag_of_data_is_valid(seed, colliders):
    result = hccd.discover(gaussian(seed), baseline="fci", colliders=colliders)
    assert isinstance(result.graph, PAG) and is_valid_pag(result.graph)
    assert result.parameters["baseline"]["name"] == "fci"


def test_marks_of_separating_sets_contradict_each_other_sometimes():
    """The repair that makes PAGs valid has work to do, and what it overrules is listed."""
    assert (
        sum(
            len(hccd.discover(gaussian(seed), baseline="fci", colliders="separating-set").conflicts)
            for seed in range(4)
        )
        > 5
    )


@pytest.mark.parametrize("baseline", ["fci", "rfci"])
def test_the_order_of_columns_changes_nothing(baseline):
    data = gaussian(1)
    columns = {f"V{i:02}": data[:, i] for i in range(data.shape[1])}
    first = hccd.discover(columns, baseline=baseline)
    order = np.random.default_rng(0).permutation(list(columns)).tolist()
    again = hccd.discover({name: columns[name] for name in order}, baseline=baseline)
    assert named(first) == named(again)
    workers = hccd.discover(columns, baseline=baseline, n_jobs=2)
    assert workers.graph == first.graph and workers.tests == first.tests


@pytest.mark.parametrize("baseline", ["fci", "rfci"])
def test_discrete_data_with_copies(baseline):
    data = discrete_net(np.random.default_rng(3), 9, 3, 800)
    columns = {f"V{i}": data[:, i].astype(str) for i in range(9)} | {"copy": data[:, 2].astype(str)}
    with pytest.warns(hccd.errors.DataWarning):
        result = hccd.discover(columns, baseline=baseline)
    assert result.skeleton.neighbors(result.index("copy")) == (result.index("V2"),)


def test_what_is_recorded():
    result = hccd.discover(gaussian(2), baseline="fci", dsep_order=3, dsep_length=4)
    assert len(result.tests.by_stage["possible-d-sep"]) <= 4
    assert result.parameters["dsep_order"] == 3 and result.parameters["dsep_length"] == 4
    assert "dsep_order=3, dsep_length=4" in repetition(result.parameters).python
    assert "--baseline fci" in repetition(result.parameters).command
    assert set(result.reasons) == {(x, y) for x, y in np.argwhere(result.graph.marks > CIRCLE).tolist()}
    assert set(result.reasons.values()) <= {"collider", "forced", *(f"R{k}" for k in range(1, 11))}
    for (x, y), reason in result.reasons.items():
        if reason == "collider":
            assert result.graph.marks[x, y] == ARROW
            assert any(triple.z == y and x in (triple.x, triple.y) for triple in result.colliders)
    assert result.score is None and result.confidence is None and result.parameters["bootstrap"] == 0


def test_a_bound_of_zero_asks_nothing_and_longer_paths_ask_more():
    data = gaussian(2)
    counts = [
        sum(hccd.discover(data, baseline="fci", dsep_order=2, dsep_length=length).tests.by_stage["possible-d-sep"])
        for length in (1, 2, 3, None)
    ]
    # One edge leads to neighbours, and all sets of these have been asked about.
    assert counts[0] == 0 and counts == sorted(counts) and counts[1] < counts[-1]
    assert sum(hccd.discover(data, baseline="fci", dsep_order=0).tests.by_stage["possible-d-sep"]) == 0


def test_a_set_that_is_known_not_to_separate_is_not_asked_again():
    asked = []

    def remembering(data, x, y, given):
        asked.append((min(x, y), max(x, y), frozenset(given)))
        return bound.test(x, y, given).p_value

    data = gaussian(2)
    bound = hccd.FisherZ(0.01).bind(data)
    result = hccd.discover(data, test=remembering, baseline="fci", colliders="separating-set", conflicts="first")
    assert sum(result.tests.by_stage["possible-d-sep"]) > 20
    # A batch may go on beyond the set that separates.
    repeated = len(asked) - len(set(asked))
    assert repeated <= 64 * (result.removals.stage == ALL_STAGES.index("possible-d-sep")).sum()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"baseline": "fci", "scoring": "bic"}, "there is no score search with the baseline 'fci'"),
        ({"baseline": "fci", "tiers": [["V1"], ["V2"]]}, "knowledge cannot be used with the baseline 'fci'"),
        ({"baseline": "rfci", "bootstrap": 10}, "there is no resampling with the baseline 'rfci'"),
        ({"baseline": "rfci", "dsep_order": 2}, "dsep_order and dsep_length are for the baseline 'fci'"),
        ({"dsep_length": 2}, "dsep_order and dsep_length are for the baseline 'fci'"),
    ],
)
def test_what_does_not_go_together_is_refused(options, sentence):
    with pytest.raises(InvalidParameterError, match=sentence):
        hccd.discover(gaussian(0), **options)


def test_a_skeleton_without_marks_is_refused():
    with pytest.raises(InvalidParameterError, match=r"use discover\(...\).skeleton"):
        hccd.learn_skeleton(gaussian(0), baseline="fci")


def test_a_hidden_common_cause_is_seen():
    """a -> x <- hidden -> y <- b: FCI joins x and y by two arrowheads, with a tail nowhere."""
    rng = np.random.default_rng(5)
    hidden, a, b = rng.normal(size=(3, 3000))
    x, y = (cause + hidden + 0.5 * rng.normal(size=3000) for cause in (a, b))
    result = hccd.discover({"a": a, "b": b, "x": x, "y": y}, baseline="fci")
    assert ("x", "y", "bidirected") in [tuple(edge) for edge in result.edges()]
    assert not np.any(result.graph.marks == TAIL)
