"""``--transform`` on the command line, in hccd.toml and in the report."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hccd
from hccd.cli.main import main
from hccd.report.repeat import repetition


@pytest.fixture
def skewed(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    a = rng.normal(size=300)
    b = a + 0.5 * rng.normal(size=300)
    c = b + 0.5 * rng.normal(size=300)
    monkeypatch.chdir(tmp_path)
    np.savetxt(
        "skewed.csv",
        np.exp(np.column_stack([a, b, c, *rng.normal(size=(2, 300)) + c])),
        delimiter=",",
        header="a,b,c,d,e",
        comments="",
    )
    return "skewed.csv"


def learned(capsys, *arguments):
    assert main(["learn", *arguments, "--force", "--out", "run"]) == 0
    return capsys.readouterr(), hccd.HCCDResult.load("run/graph.json")


def test_learn_says_and_records_it(skewed, capsys):
    said, result = learned(capsys, skewed)
    assert "alpha 0.01, on normal scores of ranks" in said.out
    assert said.err.startswith("warning: ranks are more strongly correlated than values")
    assert result.parameters["transform"] == "normal-scores"
    page = Path("run/report.html").read_text(encoding="utf-8")
    assert "on normal scores of ranks" in page and "--transform normal-scores" in page
    said, result = learned(capsys, skewed, "--transform", "log")
    assert "alpha 0.01, on logarithms" in said.out and said.err == ""
    assert result.parameters["transform"] == "log"


def test_the_same_run_again(skewed, capsys):
    """What the report says gives the same graph, whether auto chose or the user."""
    for asked in ("auto", "none", "ranks"):
        _, result = learned(capsys, skewed, "--transform", asked)
        again = repetition(result.parameters)
        words = again.command.replace("hccd learn DATA", "").split()
        _, repeated = learned(capsys, skewed, *words)
        assert repeated.graph == result.graph
        assert repeated.parameters == result.parameters
        assert f"transform={result.parameters['transform']!r}" in again.python


def test_check_and_the_config_file(skewed, capsys):
    Path("hccd.toml").write_text('[check]\ntransform = "ranks"\n', encoding="utf-8")
    assert main(["check", skewed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["why"].endswith("on ranks")
    assert main(["check", skewed, "--transform", "none"]) == 0
    out = capsys.readouterr().out
    assert "skewed (skewness up to" in out and "on ranks" not in out


def test_a_refusal_is_one_sentence(skewed, capsys):
    np.savetxt("signed.csv", np.random.default_rng(0).normal(size=(50, 2)), delimiter=",", header="x,y", comments="")
    assert main(["learn", "signed.csv", "--transform", "log"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("error: 'signed.csv': columns 'x' and 'y' have zero or negative values")
