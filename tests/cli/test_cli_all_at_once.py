"""Everything that is wrong with a table is said at once, with the options that go on; and with them it does."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

import hccd
from hccd.errors import InvalidDataError, InvalidParameterError, all_of


def written(path, columns):
    names = list(columns)
    lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n")
    return path


@pytest.fixture(name="run_cli")
def command_line(hccd):
    return hccd


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    return {name: [f"{value:.3f}" for value in rng.normal(size=80)] for name in "abcd"}


def refusal(run_cli, *arguments):
    """Return the lines on stderr, and the flags that they say would go on."""
    ran = run_cli(*arguments)
    assert ran.code == 2
    lines = ran.err.splitlines()
    assert all(line.startswith("error: ") for line in lines)
    flags = lines[-1].split("to continue: ")[1] if "to continue: " in lines[-1] else ""
    return lines, shlex.split(flags)


def test_several_flaws_are_a_list_and_the_flags_go_on(columns, tmp_path, run_cli):
    columns["b"][3] = ""
    columns["c"][5] = "inf"
    file = written(tmp_path / "t.csv", columns)
    for command in ("learn", "check"):
        out = ("--out", tmp_path / "out") if command == "learn" else ()
        lines, flags = refusal(run_cli, command, file, "--missing", "refuse", *out)
        assert "there are 2 problems to fix:" in lines[0]
        assert lines[1].startswith("error: - the data have 1 infinite value in 'c'")
        assert lines[2].startswith("error: - the data have 1 missing value in 'b'")
        assert flags == ["--drop", "c", "--missing", "auto"]
        assert run_cli(command, file, *out, *flags).code == 0


@pytest.mark.parametrize(
    ("change", "options"),
    [
        ({}, ["--transform", "log"]),
        ({"b": ["x", "y"] * 40}, ["--test", "fisher-z"]),
        ({}, ["--test", "g"]),
        ({"b": [f"t{i % 30}" for i in range(80)], "w": ["0.5", "1.5"] * 40}, ["--test", "g", "--weights", "w"]),
    ],
)
def test_one_refusal_is_one_line_whose_flags_go_on(columns, tmp_path, run_cli, change, options):
    file = written(tmp_path / "t.csv", columns | change)
    out = ("--out", tmp_path / "out")
    lines, flags = refusal(run_cli, "learn", file, *options, *out)
    assert len(lines) == 1
    assert flags
    kept = [word for i, word in enumerate(options) if options[i - i % 2] != flags[0]]
    assert run_cli("learn", file, *kept, *flags, *out).code == 0


def test_a_choice_that_cannot_be_made_goes_on_without_its_flag(columns, tmp_path, run_cli):
    file = written(tmp_path / "t.csv", columns)
    out = ("--out", tmp_path / "out")
    refused = run_cli("learn", file, "--alpha", "auto", "--price", "auto", *out)
    assert refused.code == 2
    assert refused.err.strip().endswith("give a number for one of them; to continue: without --alpha")
    assert run_cli("learn", file, "--price", "auto", *out).code == 0


def test_unknown_columns_are_named_at_once_with_what_was_meant(columns, tmp_path, run_cli):
    file = written(tmp_path / "t.csv", {"age": columns["a"], "bmi": columns["b"], "sex": columns["c"]})
    lines, _ = refusal(run_cli, "learn", file, "--drop", "agee", "--discrete", "BMI", "--out", tmp_path / "out")
    assert "there is no column 'agee' to drop: the columns are 'age', 'bmi' and 'sex' (did you mean 'age'?)" in lines[1]
    assert "there is no column 'BMI' to take as discrete" in lines[2]


def test_contradicting_knowledge_stands_beside_missing_values(columns, tmp_path, run_cli):
    columns["b"][3] = ""
    file = written(tmp_path / "t.csv", columns)
    tiers = ("--tier", "a", "--tier", "a,b")
    lines, flags = refusal(run_cli, "learn", file, "--missing", "refuse", *tiers, "--out", tmp_path / "out")
    assert [line.split()[1] for line in lines[1:]] == ["-", "-"]
    assert "the knowledge has 'a' in tier 1 and in tier 2" in lines[1]
    # Dropping rows mends one of the two only.
    assert not flags


def test_python_says_the_same_with_arguments(columns, tmp_path):
    columns["b"][3] = ""
    values = np.array([[float(cell or "nan") for cell in column] for column in columns.values()]).T
    with pytest.raises(InvalidDataError, match=r"; to continue: missing='auto'$"):
        hccd.discover(values, missing="refuse")
    values[3, 1] = 0.0
    with pytest.raises(InvalidDataError, match=r"; to continue: transform='normal-scores'$") as refused:
        hccd.discover(values, transform="log")
    assert hccd.discover(values, **refused.value.go_on).names
    frame = {"a": values[:, 0], "b": np.full(80, np.inf), "c": [[1]] * 80}
    with pytest.raises(InvalidDataError, match=r"^there are 2 problems to fix:\n- .*nested.*\n- .*infinite"):
        hccd.discover(frame)


def test_options_of_several_errors_are_put_together():
    one = InvalidDataError("first", go_on={"drop": ["a"], "test": "dg"})
    other = InvalidParameterError("second", go_on={"drop": ["b", "a"]})
    both = all_of([one, other])
    assert type(both) is InvalidDataError
    assert both.go_on == {"drop": ["a", "b"], "test": "dg"}
    assert str(both) == "there are 2 problems to fix:\n- first\n- second\nto continue: test='dg'"
    assert all_of([one]) is one
    assert all_of([one, InvalidDataError("third")]).go_on == {}
