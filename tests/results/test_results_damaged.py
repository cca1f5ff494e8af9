"""Any part of a saved result damaged in any way: the file is refused in one sentence, or read and usable."""

from __future__ import annotations

import copy
import json
from itertools import pairwise

import numpy as np
import pytest
from result_cases import in_first_form, results

import hccd
from hccd import HCCDResult
from hccd.errors import FileFormatError
from hccd.wrapper import ALL_STAGES

GONE = object()
REPLACEMENTS = [GONE, None, "nonsense", -1, 10**6, 0.5, [], {}, [None], True]


def places(value, path=()):
    """Every place in nested data; of a list its first and last item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1} if value else set()):
            yield from places(value[i], (*path, i))


def damaged(data, path, replacement):
    result = copy.deepcopy(data)
    part = result
    for key in path[:-1]:
        part = part[key]
    if replacement is GONE:
        del part[path[-1]]
    else:
        part[path[-1]] = replacement
    return result


def saved(kind, form="columns"):
    data = json.loads(json.dumps(results()[kind].to_dict()))
    return data if form == "columns" else in_first_form(data)


def refusal(data):
    """The sentence with which a damaged file is refused; None if it can be read."""
    try:
        HCCDResult.from_dict(data)
    except FileFormatError as error:
        return str(error)
    return None


@pytest.mark.parametrize("form", ["columns", "first"])
@pytest.mark.parametrize("kind", ["gaussian", "mi"])
def test_damage_is_told_in_one_sentence(kind, form):
    """No other error may escape, whatever part of the file is damaged."""
    data = saved(kind, form)
    told = [refusal(damaged(data, path, replacement)) for path in places(data) for replacement in REPLACEMENTS]
    sentences = [sentence for sentence in told if sentence is not None]
    assert len(sentences) > 300
    assert all("\n" not in sentence and len(sentence) > 20 for sentence in sentences)


@pytest.mark.parametrize(
    ("path", "replacement"),
    [
        (("nodes", 0), "X2"),
        (("edges", 0, "type"), "bidirected"),
        (("edges", 0, "target"), "X99"),
        (("separations", "x", 0), 99),
        (("separations", "given", -1), 18),
        (("separations", "given", 0), 0.5),
        (("separations", "stage", 0), len(ALL_STAGES)),
        (("separations", "stages", 0), "afterwards"),
        (("separations", "clusters", 0), "0.7.7"),
        (("marginal_p_values",), "bm90IHppcHBlZA=="),
        (("marginal_p_values",), "&&&"),
        (("marginal_p_values", "high"), "bm90IHppcHBlZA=="),
        (("marginal_p_values", "low"), "&&&"),
    ],
)
def test_what_refers_to_nothing_is_refused(path, replacement):
    with pytest.raises(FileFormatError):
        HCCDResult.from_dict(damaged(saved("gaussian"), path, replacement))


@pytest.mark.parametrize(
    ("path", "replacement"),
    [
        (("separations", 0, "pair", 0), "X99"),
        (("separations", 0, "stage"), "afterwards"),
        (("separations", 0, "cluster"), "0.7.7"),
        (("marginal_p_values",), "&&&"),
    ],
)
def test_what_refers_to_nothing_is_refused_in_the_first_form_too(path, replacement):
    with pytest.raises(FileFormatError):
        HCCDResult.from_dict(damaged(saved("gaussian", "first"), path, replacement))


INCONSISTENT = {
    "an edge is gone": (("edges", 0), GONE),
    "all separations are gone": (("separations",), []),
    "a cluster's count is gone": (("ci_tests", "by_cluster", "0"), GONE),
    "a count is no number": (("ci_tests", "by_stage", "leaf", 0), "many"),
    "a count is missing": (("ci_tests", "by_stage", "leaf", 0), None),
}
OF_ONE_FORM = {
    "columns": {
        "a set is gone": (("separations", "given"), []),
        "a number of a column is gone": (("separations", "p_value", 0), GONE),
        "a column is gone": (("separations", "order"), GONE),
        "a set is larger": (("separations", "order", 0), 9),
        "a pair is turned round": (("separations", "x", 0), 17),
        "half of the p-values is gone": (("marginal_p_values", "low"), "eJwDAAAAAAE="),
    },
    "first": {"a separation is gone": (("separations", 0), GONE)},
}


@pytest.mark.parametrize(
    ("form", "what"),
    [(form, what) for form, special in OF_ONE_FORM.items() for what in {**INCONSISTENT, **special}],
)
def test_parts_that_do_not_fit_together_are_refused(form, what):
    """Such a file would be read, and fail later with an error that says nothing about the file."""
    with pytest.raises(FileFormatError):
        HCCDResult.from_dict(damaged(saved("gaussian", form), *{**INCONSISTENT, **OF_ONE_FORM[form]}[what]))


def test_a_separation_that_is_gone_is_noticed():
    data = saved("gaussian")
    for column in ("x", "y", "p_value", "stage", "cluster"):
        del data["separations"][column][0]
    del data["separations"]["given"][: data["separations"]["order"].pop(0)]
    assert "do not fit" in refusal(data)


def test_sorted_keys_change_nothing(tmp_path):
    """Other programs write objects in another order: counts belong to clusters by name, not by place."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, 24))
    bounds = [0, 2, 5, 6, 8, 11, 12, 14, 15, 17, 20, 21, 24]
    nested = [list(range(a, b)) for a, b in pairwise(bounds)]
    result = hccd.discover(data, tree=nested)
    counts = {result.tree.path(i): count for i, count in enumerate(result.tests.by_cluster)}
    assert [counts[path] for path in sorted(counts)] != list(counts.values())
    again = hccd.HCCDResult.from_dict(json.loads(json.dumps(result.to_dict(), sort_keys=True)))
    assert again.tests == result.tests


def test_a_graph_that_is_none_is_refused():
    edges = [("a", "b"), ("b", "c"), ("c", "a")]
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    data = hccd.discover({"a": x, "b": x + rng.normal(size=300), "c": x + rng.normal(size=300)}).to_dict()
    listed = [{"source": a, "target": b, "type": "directed", "strength": 0.5} for a, b in edges]
    for bad in (listed, [listed[0], listed[0]]):
        with pytest.raises(FileFormatError):
            hccd.HCCDResult.from_dict({**data, "edges": bad, "separations": [], "marginal_p_values": None})
    with pytest.raises(FileFormatError, match="dictionary"):
        hccd.HCCDResult.from_dict([1])
