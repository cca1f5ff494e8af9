"""``hccd plot``: files that repeat, refusals in one sentence, nothing replaced unasked."""

from __future__ import annotations

import json

import pytest

from hccd.cli.main import main


@pytest.fixture
def run(alarm, tmp_path, monkeypatch):
    """Return a folder with a run in it, and go there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").mkdir()
    alarm.save(tmp_path / "run" / "graph.json")
    return tmp_path / "run"


def test_a_picture_is_written_beside_the_run(run, capsys) -> None:
    assert main(["plot", "run"]) == 0
    assert (run / "graph.png").read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.split() == ["written", "run/graph.png"]


def test_json_tells_the_file(run, capsys) -> None:
    assert main(["plot", "run", "--kind", "tests", "--out", "tests.svg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "tests.svg", "kind": "tests"}


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_files_repeat_and_hold_no_date(run, ending: str, start: bytes) -> None:
    for name in ("a", "b"):
        assert main(["plot", "run/graph.json", "--kind", "tests", "--out", name + ending, "-q"]) == 0
    first = (run.parent / f"a{ending}").read_bytes()
    assert first == (run.parent / f"b{ending}").read_bytes()
    assert first.startswith(start)
    assert b"Date" not in first
    assert b"<dc:date>" not in first


def test_a_part_of_a_graph(run) -> None:
    assert main(["plot", "run", "--around", "HR", "--out", "part.svg", "-q"]) == 0
    written = (run.parent / "part.svg").read_text(encoding="utf-8")
    assert "HREKG" in written
    assert "VENTLUNG" not in written


def test_a_file_is_replaced_only_by_force(run, capsys) -> None:
    kept = run.parent / "mine.png"
    kept.write_text("mine")
    assert main(["plot", "run", "--out", "mine.png"]) == 2
    assert kept.read_text() == "mine"
    assert capsys.readouterr().err == (
        "error: 'mine.png' exists already: move it, choose another --out, or replace it with --force\n"
    )
    assert main(["plot", "run", "--out", "mine.png", "--kind", "tests", "--force", "-q"]) == 0
    assert kept.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in run.parent.iterdir()) == ["mine.png", "run"]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["plot", "nowhere"], "'nowhere': there is no such file"),
        (["plot", "run", "--kind", "pie"], "--kind is 'pie'"),
        (["plot", "run", "--out", "picture.bmp"], "--out is 'picture.bmp'"),
        (["plot", "run", "--out", ""], "--out is ''"),
        (["plot", "run", "--out", "no/such/folder.png"], "there is no folder 'no/such'"),
        (["plot", "run", "--around", "nobody"], "there is no variable 'nobody'"),
        (["plot", "run", "--around", "HR", "--kind", "tests"], "--around"),
        (["plot", "run", "--distance", "-1"], "--distance is '-1'"),
        (["plot", "damaged.json"], "is not JSON"),
    ],
)
def test_refusals_are_one_sentence(run, capsys, arguments: list[str], what: str) -> None:
    (run.parent / "damaged.json").write_text("{")
    before = sorted(run.parent.rglob("*"))
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert what in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert sorted(run.parent.rglob("*")) == before
