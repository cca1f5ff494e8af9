"""Mixed tables through every path: learning, names, columns in any order, files, explanations, the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError

RNG_ROWS = 600


def patients(seed=0, n_rows=RNG_ROWS):
    """Smoking and age make illness, illness makes fever and the ward; weight stands alone."""
    rng = np.random.default_rng(seed)
    age = rng.normal(50, 12, n_rows)
    smoker = rng.random(n_rows) < 0.4
    severity = 0.05 * (age - 50) + 1.2 * smoker + rng.normal(size=n_rows)
    ward = np.array(["home", "ward", "icu"], dtype=object)[
        np.searchsorted([0.0, 1.2], severity + rng.normal(size=n_rows))
    ]
    return pd.DataFrame(
        {
            "age": age,
            "smoker": smoker,
            "severity": severity,
            "ward": ward,
            "fever": 37 + 0.6 * severity + 0.4 * rng.normal(size=n_rows),
            "weight": rng.normal(75, 10, n_rows),
        }
    )


def edges(result):
    return {frozenset((a, b)) for a, b, _ in result.edges()}


TRUE = {
    frozenset(pair)
    for pair in (("age", "severity"), ("smoker", "severity"), ("severity", "ward"), ("severity", "fever"))
}


def test_mixed_table_is_learned():
    result = hccd.discover(patients())
    assert result.parameters["test"] == {"name": "dg", "alpha": 0.01}
    assert result.score is not None and result.score.name == "bic"
    assert edges(result) == TRUE
    directed = {(a, b) for a, b, kind in result.edges() if kind == "directed"}
    assert {("age", "severity"), ("smoker", "severity")} <= directed


@pytest.mark.parametrize("options", [{}, {"scoring": "none"}, {"method": "pc"}, {"preset": "paper"}, {"n_jobs": 2}])
def test_mixed_results_do_not_depend_on_order_names_of_columns_and_states(options):
    frame = patients(1)
    result = hccd.discover(frame, **options)
    names = {name: f"x{i}" for i, name in enumerate(reversed(frame.columns))}
    other = frame.assign(ward=frame["ward"].map({"home": "z", "ward": "a", "icu": "m"}), smoker=~frame["smoker"])
    other = other[["fever", "ward", "weight", "smoker", "age", "severity"]].rename(columns=names)
    found = hccd.discover(other, **options)
    assert {(names[a], names[b], kind) for a, b, kind in result.edges() if kind == "directed"} == {
        (a, b, kind) for a, b, kind in found.edges() if kind == "directed"
    }
    assert {frozenset(names[v] for v in edge) for edge in edges(result)} == edges(found)


def test_mixed_clusters_are_made_on_one_scale():
    frames = [patients(seed).add_suffix(f"_{seed}") for seed in range(4)]
    frame = pd.concat(frames, axis=1)
    result = hccd.discover(frame)
    assert len(result.tree.leaves()) > 1
    for seed in range(4):
        own = {
            frozenset(name[:-2] for name in edge)
            for edge in edges(result)
            if all(name.endswith(f"_{seed}") for name in edge)
        }
        assert len(own & TRUE) >= 3
    across = [edge for edge in edges(result) if len({name[-1] for name in edge}) > 1]
    assert len(across) <= 1


def test_mixed_results_are_saved_and_explained(tmp_path):
    result = hccd.discover(patients())
    result.save(tmp_path / "graph.json")
    again = hccd.HCCDResult.load(tmp_path / "graph.json")
    assert again.edges() == result.edges()
    assert again.parameters["test"]["name"] == "dg"
    assert "'age' and 'fever'" in str(again.explain("age", "fever"))
    page = tmp_path / "report.html"
    result.to_html(page)
    assert "degenerate Gaussian test" in page.read_text()


def test_mixed_ordinal_columns_have_more_power_than_nominal_ones():
    rng = np.random.default_rng(3)
    x = rng.normal(size=200)
    grade = np.searchsorted([-1.2, -0.5, 0.0, 0.5, 1.2], 0.25 * x + rng.normal(size=200))
    data = {"x": x, "grade": grade}
    p = [
        hccd.DegenerateGaussian().bind(hccd.tables.as_table(data, **said)).test(0, 1).p_value
        for said in ({"ordinal": ["grade"]}, {"discrete": ["grade"]})
    ]
    assert p[0] < p[1]


@pytest.mark.parametrize(
    ("word", "name"),
    [("fisherz", "fisher-z"), ("Fisher_Z", "fisher-z"), ("degenerate-gaussian", "dg"), ("gsq", "g"), ("chisq", "chi2")],
)
@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
def test_mixed_words_of_others_for_tests(word, name):
    rng = np.random.default_rng(0)
    data = {v: rng.integers(0, 3, 100) for v in "abc"}
    assert hccd.discover(data, test=word, scoring="none").parameters["test"]["name"] == name
    assert hccd.HCCD(word).fit(data).result_.parameters["test"]["name"] == name


def test_mixed_unknown_words_get_a_suggestion():
    with pytest.raises(
        InvalidParameterError, match=r"test is 'fischer-z'; choose one of .* \(did you mean 'fisher-z'\?\)"
    ):
        hccd.discover({"a": [0.5, 1.0, 2.0] * 9, "b": [1.5, 1.0, 2.0] * 9}, test="fischer-z")


def test_mixed_columns_of_hundreds_of_states():
    rng = np.random.default_rng(0)
    frame = patients().assign(city=[f"c{i}" for i in rng.integers(0, 150, RNG_ROWS)])
    with pytest.warns(DataWarning, match="'city' holds free text or identifiers"):
        assert "city" not in hccd.discover(frame).names
    codes = frame.assign(city=rng.integers(0, 150, RNG_ROWS))
    with pytest.raises(InvalidDataError, match=r"'city' has .* states, and the test 'dg' takes 100 at most"):
        hccd.discover(codes, discrete=["city"])


def test_mixed_dates_are_left_out():
    frame = patients().assign(admitted=pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(RNG_ROWS), "D"))
    with pytest.warns(DataWarning, match="column 'admitted' holds dates or times and is left out"):
        result = hccd.discover(frame)
    assert "admitted" not in result.names and edges(result) == TRUE
    check = hccd.check_data(frame)
    assert check.ok and [finding.kind for finding in check.of("warning")] == ["left-out"]


def test_mixed_transforms():
    frame = patients()
    skewed = frame.assign(
        age=np.exp(frame["age"] / 5), severity=np.exp(2 * frame["severity"]), fever=np.exp(3 * (frame["fever"] - 37))
    )
    with pytest.warns(DataWarning, match="normal scores"):
        result = hccd.discover(skewed)
    assert result.parameters["transform"] == "normal-scores"
    assert len(edges(result) & TRUE) >= 3
    logs = hccd.discover(skewed, transform="log")
    assert edges(logs) == TRUE
    with pytest.raises(InvalidParameterError, match="transform is 'ranks', which is for tables of continuous columns"):
        hccd.discover(frame, transform="ranks")


def test_mixed_check_says_how_columns_are_read():
    frame = patients().assign(children=np.arange(RNG_ROWS) % 4, visits=np.arange(RNG_ROWS) % 15)
    check = hccd.check_data(frame)
    assert check.ok and check.test == "dg" and check.estimate is not None
    assert "5 columns are continuous and 3 discrete: degenerate Gaussian test" in check.why
    readings = [finding for finding in check.findings if finding.kind == "reading"]
    assert [finding.columns for finding in readings] == [("children",), ("visits",)]
    corrected = hccd.check_data(frame, ordinal=["children"], continuous=["visits"])
    assert not [finding for finding in corrected.findings if finding.kind == "reading"]


def test_mixed_command_line(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from hccd.cli.main import app

    monkeypatch.chdir(tmp_path)
    frame = patients().assign(name=[f"p{i}" for i in range(RNG_ROWS)], stage=np.arange(RNG_ROWS) % 3)
    frame.to_csv("ward.csv", index=False)
    ran = CliRunner().invoke(app, ["learn", "ward.csv", "--ordinal", "stage", "--test", "degenerate-gaussian"])
    assert ran.exit_code == 0, ran.output
    assert "as requested: degenerate Gaussian test, alpha 0.01" in ran.output
    graph = json.loads((tmp_path / "hccd-out" / "graph.json").read_text())
    assert graph["parameters"]["reading"]["ordinal"] == ["stage"]
    assert "name" not in graph["nodes"]
