"""The check says what knowledge forbids and requires, and how it contradicts itself; a run says what it saved."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import InvalidDataError


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(300, 5))
    for i in range(1, 5):
        columns[:, i] += 0.8 * columns[:, i - 1]
    return dict(zip("abcde", columns.T, strict=True))


def test_what_is_known_is_one_line(data):
    known = hccd.Knowledge(
        forbidden=[("a", "c"), ("c", "a"), ("e", "d")], required=[("a", "b")], adjacent=[("b", "c")], roots=["a"]
    )
    check = hccd.check_data(data, knowledge=known)
    assert check.knowledge == (
        "of 10 pairs 1 has no edge (a -- c), 1 has an edge (b -- c), 1 is an arrow (a -> b) and 3 have only one "
        "possible direction (a -> d, a -> e, d -> e)"
    )
    assert ("knowledge", check.knowledge) in check.rows()
    assert check.to_dict()["knowledge"] == check.knowledge
    assert (
        hccd.check_data(data, tiers=[["a"], ["b"]]).knowledge
        == "of 10 pairs 1 has only one possible direction (a -> b)"
    )
    assert hccd.check_data(data).knowledge == ""


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        (hccd.Knowledge(required=[("b", "a")], roots=["a"]), "requires 'b' -> 'a', but 'a' is a root"),
        (hccd.Knowledge(required=[("a", "b"), ("b", "c"), ("c", "a")]), "the cycle 'a' -> 'b' -> 'c' -> 'a'"),
        (hccd.Knowledge(roots=["z"]), "there is no column 'z' to use in the knowledge"),
    ],
)
def test_contradictions_are_findings_beside_all_others(data, known, sentence):
    data["b"][3] = np.inf
    check = hccd.check_data(data, knowledge=known)
    assert [finding.kind for finding in check.of("error")] == ["infinite", "knowledge"]
    assert sentence in check.of("error")[1].sentence
    with pytest.raises(
        InvalidDataError, match=r"(?s)2 problems to fix:\n- the data have 1 infinite value.*\n- .*" + sentence
    ):
        check.raise_if_refused()


def test_pairs_that_knowledge_spared_are_those_that_depend_without_condition(data):
    plain = hccd.discover(data, scoring="none")
    known = hccd.Knowledge(forbidden=[("a", "c"), ("c", "a")], required=[("d", "e")])
    result = hccd.discover(data, scoring="none", knowledge=known)
    assert not plain.marginal.independent[0, 2]
    assert not plain.marginal.independent[3, 4]
    assert result.parameters["pairs_spared"] == 2
    assert result.tests.by_order[0] == plain.tests.by_order[0]
    assert result.tests.by_stage["leaf"][1] < plain.tests.by_stage["leaf"][1]
    rng = np.random.default_rng(1)
    alone = hccd.discover(
        {**data, "z": rng.normal(size=300)}, knowledge=hccd.Knowledge(forbidden=[("z", "a"), ("a", "z")])
    )
    assert alone.parameters["settled_pairs"] == {"absent": 1, "present": 0}
    assert alone.parameters["pairs_spared"] == 0


def test_copies_do_not_count_as_known(data):
    known = hccd.Knowledge(required=[("d", "e")])
    with pytest.warns(hccd.errors.DataWarning, match="copy is a copy of a"):
        result = hccd.discover({**data, "copy": data["a"]}, knowledge=known)
    assert result.parameters["settled_pairs"] == {"absent": 0, "present": 1}
    assert result.parameters["copies"] == {"copy": "a"}
    assert "because your knowledge leaves no other" in result.explain("d", "e")
    assert "you said" not in result.explain("copy", "d")
