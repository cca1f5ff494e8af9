"""``check`` and ``sensitivity`` of streamed rows say what they say of the table in memory."""

import json

import numpy as np
import pytest
from stream_cases import mixed, states, written

import hccd
from hccd.cli.main import main


def run(capsys, *arguments):
    """Run the command; return its exit code, what it printed, and its errors."""
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


@pytest.mark.parametrize("make", [mixed, states])
def test_check_says_the_same_of_columns_rows_and_test(tmp_path, capsys, make):
    columns = make(70_000)
    gaps = np.arange(70_000) % 100 == 7
    columns["small"] = np.where(gaps, np.nan, columns["small"])
    file = written(tmp_path / "rows.parquet", columns)
    code, out, _ = run(capsys, "check", file, "--json", "--stream")
    far, here = json.loads(out), json.loads(run(capsys, "check", file, "--json")[1])
    assert code == 0 and far["ok"]
    for what in ("n_rows", "n_columns", "understood", "test", "columns"):
        assert far[what] == here[what]
    assert [each["missing"] for each in far["columns"] if each["name"] == "small"] == [700]
    said = [each["sentence"] for each in far["findings"] if each["kind"] == "streamed"]
    assert len(said) == 1 and "sample of 65," in said[0]
    assert far["estimate"]["tests"] == here["estimate"]["tests"]


def test_check_refuses_what_learn_refuses(tmp_path, capsys):
    file = written(tmp_path / "rows.parquet", {"one": np.arange(50.0)})
    code, _, said = run(capsys, "check", file, "--stream")
    assert code == 2 and said.count("\n") == 1
    assert said == run(capsys, "learn", file, "--stream", "--out", tmp_path / "run")[2]
    code, _, said = run(capsys, "check", tmp_path / "none.parquet", "--stream")
    assert code == 2 and "there is no such file" in said


def test_sensitivity_is_the_same(tmp_path, capsys):
    file = written(tmp_path / "rows.parquet", mixed(5_000))
    code, far, _ = run(capsys, "sensitivity", file, "--json", "--stream")
    here = run(capsys, "sensitivity", file, "--json")[1]
    assert code == 0 and json.loads(far) == json.loads(here)


def test_check_data_takes_what_discover_streams(tmp_path):
    file = written(tmp_path / "rows.parquet", mixed(3_000))
    assert hccd.check_data(hccd.stream(file)).columns == hccd.check_data(file).columns
