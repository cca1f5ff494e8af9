"""The paragraph on a run says what the run did."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hccd
from hccd.cli.main import main
from hccd.datasets import alarm_path

DOCUMENT = Path(__file__).parents[2] / "docs" / "REPORTING.md"


@pytest.fixture(scope="module")
def table():
    return hccd.read_table(alarm_path())


def test_the_document_shows_what_is_said(table):
    (shown,) = re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    result = hccd.discover(table, bootstrap=1)
    assert result.methods_text().replace("1 resample of", "100 resamples of") == " ".join(shown.split())


def test_what_was_not_done_is_not_said(table):
    plain = hccd.discover(table, method="pc", scoring="none", bootstrap="none", test="mi", correction="none")
    text = plain.methods_text()
    assert "by the algorithm PC" in text and "conditional mutual information (threshold 0.015)" in text
    for word in ("wrapper", "score", "resample", "false discovery", "knowledge"):
        assert word not in text
    known = hccd.discover(
        table, baseline="cpc", knowledge={"required": [("HYPOVOLEMIA", "LVEDVOLUME")]}, bootstrap="none"
    )
    assert "around the algorithm CPC" in known.methods_text() and "Background knowledge" in known.methods_text()


def test_on_the_command_line(table, tmp_path, capsys):
    result = hccd.discover(table, scoring="none", bootstrap="none")
    result.save(tmp_path / "graph.json")
    assert main(["cite", str(tmp_path / "graph.json")]) == 0
    out = capsys.readouterr().out
    assert out.startswith(result.methods_text() + "\n\n@inproceedings{nisimov2021hccd,")
    assert main(["cite"]) == 0
    assert capsys.readouterr().out.startswith("@inproceedings")
