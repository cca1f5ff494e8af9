"""Baselines by their names: each is the settings that it stands for, in Python and on the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

import hccd
from hccd.choices import BASELINES
from hccd.cli.main import main
from hccd.errors import InvalidParameterError
from hccd.report.repeat import repetition
from hccd.run.named_baselines import NAMED


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 6))
    x[:, 2] += x[:, 0] + x[:, 1]
    x[:, 3] += x[:, 2]
    x[:, 5] += 0.4 * x[:, 3] + 0.4 * x[:, 4]
    return x


def test_every_name_has_its_settings():
    assert set(NAMED) == set(BASELINES)


@pytest.mark.parametrize(
    ("name", "rule"), [("cpc", "conservative"), ("majority-PC", "majority"), ("pc-max", "max-p-full")]
)
def test_variants_of_pc_are_rules_for_colliders(values, name, rule):
    named = hccd.discover(values, baseline=name)
    spelled = hccd.discover(values, colliders=rule, collider_order="none", scoring="none")
    assert named.graph == spelled.graph and named.tests == spelled.tests
    assert named.parameters["colliders"] == rule and named.score is None


def test_what_the_caller_says_comes_after_the_name(values):
    result = hccd.discover(values, baseline="cpc", scoring="bic", max_order=1)
    assert result.score is not None and result.parameters["baseline"]["max_order"] == 1
    assert result.parameters["colliders"] == "conservative"


def test_an_unknown_name_gets_a_suggestion(values):
    with pytest.raises(InvalidParameterError, match=r"baseline is 'pcmx'.*did you mean 'pc-max'"):
        hccd.discover(values, baseline="pcmx")


@pytest.mark.parametrize("name", BASELINES)
def test_a_run_is_repeated_by_the_name(values, name):
    result = hccd.discover(values, baseline=name)
    again = repetition(result.parameters)
    assert again is not None
    assert ("--baseline" in again.command) == (name != "pc")
    if name != "pc":
        assert f"--baseline {name}" in again.command and f"baseline={name!r}" in again.python
        assert "--scoring" not in again.command and "colliders" not in again.python


def test_on_the_command_line(values, tmp_path, capsys):
    np.savetxt(tmp_path / "t.csv", values, delimiter=",", header="a,b,c,d,e,f", comments="")
    assert main(["learn", str(tmp_path / "t.csv"), "--baseline", "CPC", "--out", str(tmp_path / "run")]) == 0
    graph = json.loads((tmp_path / "run" / "graph.json").read_text())
    assert graph["parameters"]["baseline"]["name"] == "cpc"
    assert main(["learn", str(tmp_path / "t.csv"), "--baseline", "fcj", "--out", str(tmp_path / "other")]) == 2
    assert capsys.readouterr().err.count("--baseline is 'fcj'") == 1
