"""Options are declared once: what users see of them in Python and on the command line is what was declared."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Literal, get_type_hints

import numpy as np
import pytest
from typer.main import get_command

import hccd
from hccd.cli.main import app, main
from hccd.errors import InvalidParameterError
from hccd.run.option import option_of, type_of
from hccd.run.options import CheckOptions, Options, SkeletonOptions

GROUPS = {"discover": Options, "learn_skeleton": SkeletonOptions, "check_data": CheckOptions, "HCCD": hccd.HCCD}
SOURCES = str(Path(__file__).parents[2] / "src")


@pytest.mark.parametrize("name", GROUPS)
def test_signatures_are_those_that_were_declared(name):
    taker, declared = getattr(hccd, name), fields(GROUPS[name])
    parameters = {**inspect.signature(taker).parameters}
    assert (parameters.pop("data", None) is None) == (name == "HCCD")
    assert list(parameters) == [each.name for each in declared]
    for each in declared:
        own = parameters[each.name]
        assert each.default is not MISSING and own.default is each.default and own.annotation == type_of(each)
        assert (own.kind is own.KEYWORD_ONLY) == (each.name != "test")


@pytest.mark.parametrize("name", GROUPS)
def test_types_can_be_asked_for(name):
    taker = getattr(hccd, name)
    hints = get_type_hints(taker.__init__ if name == "HCCD" else taker)
    assert hints.keys() - {"return", "data"} == {each.name for each in fields(GROUPS[name])}
    assert hints["alpha"] == float | Literal["auto"] | None
    assert hints["baseline"] == str | hccd.baselines.Baseline | None
    expected = {"discover": hccd.HCCDResult, "learn_skeleton": hccd.SkeletonResult, "check_data": hccd.DataCheck}
    assert hints["return"] == expected.get(name, type(None))


def entries(taker) -> dict[str, str]:
    """Return the section on parameters of a docstring: the text of each entry, heading and all."""
    section = re.search(r"Parameters\n-+\n(.*?)\n\n", inspect.getdoc(taker), re.DOTALL)[1]
    return {entry.split(" : ")[0]: " ".join(entry.split()) for entry in re.split(r"\n(?=\S)", section)}


@pytest.mark.parametrize("name", GROUPS)
def test_every_option_is_described(name):
    told = entries(getattr(hccd, name))
    told.pop("data", None)
    assert list(told) == [each.name for each in fields(GROUPS[name])]
    for each in fields(GROUPS[name]):
        said = option_of(each)
        assert f"{said.doc} {said.python}".strip() in told[each.name]
        assert (", default=None " in told[each.name]) == (each.default is None)
        if not said.kind:
            assert "{" + ", ".join(f'"{choice}"' for choice in said.choices) + "}" in told[each.name]
    assert max(map(len, inspect.getdoc(getattr(hccd, name)).splitlines())) <= 120


def test_defaults_are_told_as_they_are_written():
    told = entries(hccd.HCCD)
    assert told["method"].startswith('method : {"hccd", "pc", "flat", "tscb", "not-c", "score"}, default="hccd" ')
    assert told["discrete"].startswith("discrete : columns, default=() ")
    assert told["random_state"].startswith("random_state : int, RandomState, Generator or None, default=None ")


@pytest.mark.parametrize("name", ["discover", "learn_skeleton", "check_data"])
def test_calls_are_refused_as_by_any_function(name):
    taker = getattr(hccd, name)
    for sentence, call in (
        ("got an unexpected keyword argument 'alpa'", lambda: taker([[1.0]], alpa=0.1)),
        ("too many positional arguments", lambda: taker([[1.0]], "g", 0.1)),
        ("multiple values for argument 'test'", lambda: taker([[1.0]], "g", test="mi")),
        ("missing 1 required positional argument: 'data'", lambda: taker()),
    ):
        with pytest.raises(TypeError, match=rf"^{name}\(\) {re.escape(sentence)}$"):
            call()


def test_data_may_be_named_and_the_test_may_come_second():
    data = np.random.default_rng(0).normal(size=(60, 3))
    assert hccd.discover(data=data, alpha=0.02).parameters["test"] == {"name": "fisher-z", "alpha": 0.02}
    assert hccd.learn_skeleton(data, hccd.FisherZ(0.03)).parameters["test"]["alpha"] == 0.03
    assert hccd.check_data(np.round(data).astype(int), "chi2").test == "chi2"


WRONG = [
    ("test", "t", "choose one of auto, fisher-z, g, chi2, mi"),
    ("test", "fisher", "choose one of auto, fisher-z, g, chi2, mi, dg, regression, kci, pdcorr, cmiknn ('auto' chooses "
        "by the columns) (did you mean 'fisher-z'?)"),
    ("alpha", 1.0, "give a number between 0 and 1, for example 0.01, or 'auto'"),
    ("threshold", -1.0, "give an amount of information in nats, for example 0.015"),
    ("method", "ges", "choose one of hccd, pc, flat, tscb, not-c"),
    ("preset", "mine", "choose one of default, paper"),
    ("correction", "bonferroni", "choose one of none, fdr"),
    ("scoring", "aic", "choose one of auto, none, bic, bd"),
    ("bootstrap", -1, "give the number of resamples"),
    ("bootstrap", "all", "give the number of resamples"),
    ("transform", "sqrt", "choose one of auto, none, trim, trim-cells, normal-scores, ranks, log"),
    ("max_order", -1, "give a whole number from 0, or 'none' for no limit"),
    ("seed", -1, "give a whole number from 0"),
    ("n_jobs", 0, "give the number of workers, or -1 for one on each core"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "wanted"), WRONG)
def test_python_and_the_command_line_refuse_with_one_sentence(name, value, wanted, tmp_path, monkeypatch, capsys):
    data = np.random.default_rng(0).normal(size=(60, 3))
    for taker in (hccd.discover, hccd.learn_skeleton, hccd.check_data):
        if name in inspect.signature(taker).parameters:
            with pytest.raises(InvalidParameterError, match=re.escape(f"{name} is {value!r}; {wanted}")):
                taker(data, **{name: value})
    monkeypatch.chdir(tmp_path)
    flag = {"n_jobs": "--jobs"}.get(name, f"--{name.replace('_', '-')}")
    for command in ("learn", "check"):
        if any(flag in parameter.opts for parameter in get_command(app).commands[command].params):
            assert main([command, "nowhere.csv", flag, str(value)]) == 2
            assert capsys.readouterr().err.startswith(f"error: {flag} is {value!r}; {wanted}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("test", None), ("method", None), ("preset", None), ("seed", True), ("random_state", -1),
        ("random_state", "luck"),
        ("alpha", "0.1"),
        ("undirected", "lingham"),
        ("refine", "often"), ("colliders", "max"), ("conflicts", ()), ("inner_order", -1), ("inner_order", "all"),
        ("inner_order", 1.0), ("collider_order", -1), ("collider_order", "all"), ("correction", "bh"),
        ("dsep_order", -1), ("dsep_order", "all"), ("dsep_length", 0),
        ("baseline", "xx"), ("splitter", 2), ("progress", "yes"),
        ("verbose", "yes"), ("verbose", -1), ("discretize", 1), ("discretize", "4"),
        ("n_jobs", 1.5), ("tiers", "age"), ("knowledge", 1.5),
    ],
)  # fmt: skip
def test_values_without_meaning_are_refused(name, value):
    with pytest.raises(InvalidParameterError, match=f"^{name} is {re.escape(repr(value))}; (give|choose) "):
        hccd.discover(np.random.default_rng(0).normal(size=(60, 3)), **{name: value})


def test_a_largest_order_holds_whether_a_score_follows_or_not(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    data = rng.normal(size=(400, 1)) + rng.normal(size=(400, 8))

    def limits(**options):
        results = (
            hccd.discover(data, **options),
            hccd.learn_skeleton(data, **options),
            hccd.HCCD(**options).fit(data).result_,
        )
        # Directions may ask about one more, the middle of a collider.
        largest = [
            max(len(row) for stage, row in found.tests.by_stage.items() if stage != "colliders") - 1
            for found in results
        ]
        return [(found.parameters["baseline"]["max_order"], size) for found, size in zip(results, largest, strict=True)]

    assert limits(max_order=1) == [(1, 1)] * 3
    assert limits() == [(3, 3), (None, 5), (3, 3)]
    assert limits(max_order="none") == [(None, 5)] * 3
    assert limits(max_order=np.int64(4), method="pc") == [(4, 4)] * 3
    # A baseline has a limit of its own, or none; both at once would be two answers to one question.
    assert limits(baseline=hccd.PC(max_order=2)) == [(2, 2)] * 3
    for taker in (hccd.discover, hccd.learn_skeleton, hccd.check_data):
        with pytest.raises(InvalidParameterError, match=r"^max_order and baseline are both given: set the limit in"):
            taker(data, max_order=1, baseline=hccd.PC())
    monkeypatch.chdir(tmp_path)
    np.savetxt("data.csv", data, delimiter=",", header=",".join("abcdefgh"), comments="")
    for given, limit in (("1", 1), ("none", None)):
        assert main(["learn", "data.csv", "--max-order", given, "--out", given, "--quiet", "--no-report"]) == 0
        assert hccd.HCCDResult.load(f"{given}/graph.json").parameters["baseline"]["max_order"] == limit


def test_flags_are_those_that_were_declared():
    commands = get_command(app).commands
    for command, group in (("learn", Options), ("check", CheckOptions)):
        shown = {parameter.name: parameter for parameter in commands[command].params}
        for each in fields(group):
            said = option_of(each)
            if said.flag is None:
                continue
            parameter = shown[said.flag.name or each.name]
            assert parameter.help.replace('"', "") == said.doc.replace("``", "").replace('"', "")
            assert parameter.metavar == ("|".join(said.choices) if not said.flag.metavar else said.flag.metavar)
            assert parameter.default == (said.flag.default or (None if each.default is None else str(each.default)))
    # What a check says of a run, it says of the run that learn would make.
    taken = {parameter.name for parameter in commands["check"].params}
    concerned = {each.name for each in fields(CheckOptions)} & {
        parameter.name for parameter in commands["learn"].params
    }
    assert concerned - taken == set() and {"scoring", "max_order", "method", "preset"} <= concerned


def test_the_declaration_is_light():
    heavy = "import hccd.run.options, hccd.cli.main, sys; print({'numpy', 'scipy', 'sklearn'} & sys.modules.keys())"
    ran = subprocess.run(
        [sys.executable, "-c", heavy], env={"PYTHONPATH": SOURCES}, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "set()\n"
