"""A result written to a file and read back says the same; the file is complete or not there; values are frozen."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import stat
from itertools import combinations

import numpy as np
import pytest
from result_cases import KINDS, in_first_form, results

import hccd
from hccd import HCCDResult
from hccd.errors import FileFormatError, InvalidParameterError
from method_cases import linear_gaussian


def again(result, tmp_path):
    path = tmp_path / "graph.json"
    result.save(path)
    return HCCDResult.load(path)


def assert_same(one, other):
    assert other.names == one.names
    assert other.graph == one.graph
    assert other.skeleton == one.skeleton
    assert other.tree == one.tree
    assert dict(other.separators) == dict(one.separators)
    for field in ("pairs", "start", "given", "p_value"):
        a, b = (getattr(result.removals.separations, field) for result in (one, other))
        assert a.dtype == b.dtype
        assert np.array_equal(a, b, equal_nan=field == "p_value")
    assert np.array_equal(one.removals.stage, other.removals.stage)
    assert np.array_equal(one.removals.cluster, other.removals.cluster)
    assert np.array_equal(one.marginal.independent, other.marginal.independent)
    # repr, because nan is not equal to itself.
    assert repr(other.colliders) == repr(one.colliders)
    assert repr(other.conflicts) == repr(one.conflicts)
    assert dict(other.reasons) == dict(one.reasons)
    assert np.array_equal(one.strength, other.strength, equal_nan=True)
    assert other.tests.by_stage == one.tests.by_stage
    assert other.tests.by_cluster == one.tests.by_cluster
    assert other.tests == one.tests
    assert dict(other.seconds) == dict(one.seconds)
    assert json.dumps(other.parameters) == json.dumps(one.parameters, default=int)
    assert other.findings == one.findings
    assert repr(other) == repr(one)


def test_the_cases_have_everything():
    found = results()
    assert sorted(found) == sorted(KINDS)
    assert any(result.conflicts for result in found.values())
    assert any(result.warnings for result in found.values())
    assert {why for result in found.values() for why in result.reasons.values()} >= {"collider", "R1", "R2"}
    assert {"leaf", "between", "refine"} == {
        result.removal(x, y).stage for result in found.values() for x, y in result.separators
    }


def test_findings_of_older_and_of_newer_files_are_read():
    result = next(result for result in results().values() if any(each.columns for each in result.findings))
    data = json.loads(json.dumps(result.to_dict()))
    assert data["warnings"] == [
        {"kind": each.kind.value, "columns": [result.names[i] for i in each.columns], "sentence": each.sentence}
        for each in result.findings
    ]
    old = HCCDResult.from_dict({**data, "warnings": list(result.warnings)})
    assert old.warnings == result.warnings and {each.kind.value for each in old.findings} == {"other"}
    newer = [{**each, "kind": "not known yet"} for each in data["warnings"]]
    read = HCCDResult.from_dict({**data, "warnings": newer})
    assert [each._replace(kind=None) for each in read.findings] == [
        each._replace(kind=None) for each in result.findings
    ]
    with pytest.raises(FileFormatError):
        HCCDResult.from_dict({**data, "warnings": [{"kind": "wide", "columns": ["no column"], "sentence": ""}]})


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_gives_back_the_result(kind, tmp_path):
    assert_same(results()[kind], again(results()[kind], tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_form_of_the_evidence_is_still_read(kind, tmp_path):
    result = results()[kind]
    path = tmp_path / "first.json"
    data = in_first_form(result.to_dict())
    assert isinstance(data["separations"], list)
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    loaded, current = HCCDResult.load(path), again(result, tmp_path)
    assert_same(result, loaded)
    for x, y in combinations(range(len(result.names)), 2):
        assert loaded.explain(x, y) == current.explain(x, y)


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_file_is_the_same_to_the_byte(kind, tmp_path):
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    results()[kind].save(first)
    HCCDResult.load(first).save(second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_unconditional_p_values_keep_three_digits(kind, tmp_path):
    result = results()[kind]
    loaded = again(result, tmp_path)
    n = len(result.names)
    for x, y in combinations(range(n), 2):
        one, other = result.removal(x, y), loaded.removal(y, x)
        if one is None:
            assert other is None
            continue
        assert dataclasses.replace(other, p_value=0) == dataclasses.replace(one, p_value=0)
        if one.given:
            assert repr(other.p_value) == repr(one.p_value)
        else:
            assert other.p_value == pytest.approx(one.p_value, rel=5e-4, nan_ok=True)
            assert np.isnan(one.p_value) == (kind in {"mi", "oracle"})


def test_unconditional_p_values_are_those_of_the_test():
    data = linear_gaussian(np.random.default_rng(1), 10, 2, 100)
    ci = hccd.FisherZ(0.01).bind(data)
    result = hccd.discover(ci)
    marginal = [pair for pair, given in result.separators.items() if not given]
    assert len(marginal) > 5
    for x, y in marginal:
        assert result.removal(x, y).p_value == pytest.approx(ci.test(x, y).p_value, rel=1e-9)
        assert result.removal(y, x).p_value == result.removal(x, y).p_value


def test_small_p_values_keep_three_digits_too(tmp_path):
    """With a level of 1e-12 a p-value of 1e-7 speaks for independence; the file must not make it 0."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=300)
    data = np.column_stack([x, 0.3 * x + rng.normal(size=300), rng.normal(size=300)])
    result = hccd.discover(hccd.FisherZ(1e-12).bind(data))
    p = result.removal(0, 1).p_value
    assert 1e-12 < p < 1e-6
    assert again(result, tmp_path).removal(0, 1).p_value == pytest.approx(p, rel=5e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_is_plain_json_with_the_promised_parts(kind, tmp_path):
    result = results()[kind]
    path = tmp_path / "graph.json"
    result.save(path)

    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    data = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert data["format"] == "hccd-graph" and data["version"] == 1
    assert data["nodes"] == list(result.names)
    assert [(e["source"], e["target"], e["type"]) for e in data["edges"]] == result.edges()
    assert data["ci_tests"]["total"] == result.tests.total == sum(data["ci_tests"]["by_order"])
    assert sum(data["ci_tests"]["by_cluster"].values()) + sum(data["ci_tests"]["by_stage"]["colliders"]) == (
        result.tests.total
    )
    assert data["seconds"]["total"] > 0
    assert data == json.loads(json.dumps(result.to_dict()))
    assert HCCDResult.from_dict(data).graph == result.graph


def test_numbers_of_numpy_can_be_saved(tmp_path):
    """Settings may come from an array; the file must take them."""
    data = linear_gaussian(np.random.default_rng(3), 6, 2, 60)
    baseline = hccd.PC(max_order=np.int64(2))
    alpha = np.float64(0.05)
    result = hccd.discover(data, alpha=alpha, seed=np.int64(3), inner_order=np.int64(1), baseline=baseline)
    assert_same(result, again(result, tmp_path))


def test_a_result_can_be_pickled():
    for result in results().values():
        assert_same(result, pickle.loads(pickle.dumps(result)))


def test_a_result_is_frozen():
    result = results()["gaussian"]
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del result.graph
    with pytest.raises(ValueError, match="read-only"):
        result.graph.marks[0, 1] = 1
    with pytest.raises(TypeError):
        result.separators[0, 1] = ()


def test_a_file_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "graph.json"
    path.write_text("old")
    results()["pc"].save(path)
    assert HCCDResult.load(str(path)).graph == results()["pc"].graph
    assert [entry.name for entry in tmp_path.iterdir()] == ["graph.json"]


def test_a_file_has_the_usual_permissions(tmp_path):
    mask = os.umask(0o027)
    try:
        results()["two-variables"].save(tmp_path / "graph.json")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "graph.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("old", [None, "the old content"])
@pytest.mark.parametrize("failure", ["disk", "interrupt", "encoding", "data"])
def test_a_failure_leaves_nothing_behind(failure, old, tmp_path, monkeypatch):
    """Neither half of a file nor a temporary one, and an old file stays as it was."""
    path = tmp_path / "graph.json"
    if old is not None:
        path.write_text(old)
    result = results()["two-variables"]
    if failure == "encoding":
        # A lone surrogate cannot be written as UTF-8.
        result = dataclasses.replace(result, names=("a", "\ud800"))
    elif failure == "data":
        result = dataclasses.replace(result, parameters={"alpha": float("nan")})
    else:
        error = OSError("no space left") if failure == "disk" else KeyboardInterrupt()

        def fail(*_):
            raise error

        monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises((OSError, KeyboardInterrupt, ValueError)):
        result.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ([] if old is None else ["graph.json"])
    assert old is None or path.read_text() == old


def test_a_folder_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        results()["two-variables"].save(tmp_path / "nowhere" / "graph.json")


def test_networkx_has_the_same_edges():
    for result in results().values():
        graph = result.to_networkx()
        assert list(graph.nodes) == list(result.names)
        arcs = set()
        for source, target, kind in result.edges():
            arcs.add((source, target, kind))
            if kind == "undirected":
                arcs.add((target, source, kind))
        assert set(graph.edges(data="type")) == arcs


def test_variables_are_found_by_name_or_number():
    result = results()["gaussian"]
    assert result.index("X3") == result.index(2) == 2
    assert result.removal("X1", "X2") == result.removal(0, 1) == result.removal(1, 0)
    for wrong in ("X99", -1, 18, ""):
        with pytest.raises(InvalidParameterError, match="no variable"):
            result.index(wrong)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[1, 2]", "does not hold a graph"),
        (b"null", "does not hold a graph"),
        (b"{}", "not an hccd-graph file"),
        (b'{"format": "other"}', "'other'"),
        (b'{"format": "hccd-graph", "version": 2}', "version 2"),
        (b'{"format": "hccd-graph", "version": 1}', "nodes"),
    ],
)
def test_other_files_are_refused_in_one_sentence(content, text, tmp_path):
    path = tmp_path / "graph.json"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=text) as caught:
        HCCDResult.load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(FileFormatError, match="there is no such file"):
        HCCDResult.load(tmp_path / "none.json")
    with pytest.raises(FileFormatError, match="this is a folder"):
        HCCDResult.load(tmp_path)


def test_a_truncated_file_is_refused(tmp_path):
    path = tmp_path / "graph.json"
    results()["gaussian"].save(path)
    whole = path.read_bytes()
    for share in (0.1, 0.5, 0.9, 0.999):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(FileFormatError, match="not JSON"):
            HCCDResult.load(path)
