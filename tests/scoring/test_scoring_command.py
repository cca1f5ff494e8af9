"""``hccd learn --scoring``: what it writes, what it says, what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

from hccd.cli.main import main
from hccd.result import HCCDResult
from method_cases import discrete_net, linear_gaussian


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(71)
    numbers, states = linear_gaussian(rng, 9, 3, 150), discrete_net(rng, 9, 3, 300)
    for name, rows in (("numbers", numbers.tolist()), ("states", [[f"s{v}" for v in row] for row in states.tolist()])):
        lines = [",".join(f"c{i}" for i in range(9)), *(",".join(map(str, row)) for row in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def hccd(files, capsys):
    def run(*arguments):
        capsys.readouterr()
        return (main([str(argument) for argument in arguments]), *capsys.readouterr())

    return run


def row(out, name):
    """What the summary says under a heading."""
    return [line.split(maxsplit=1)[1] for line in out.splitlines() if line.split(maxsplit=1)[:1] == [name]]


@pytest.mark.parametrize(("table", "score"), [("numbers", "bic"), ("states", "bd")])
def test_scores_by_name(hccd, files, table, score):
    found = {}
    for asked in ("none", "auto", score, None):
        folder = f"run-{asked}"
        extra = () if asked is None else ("--scoring", asked)
        code, out, err = hccd("learn", f"{table}.csv", *extra, "--alpha", "0.2", "--out", folder)
        assert (code, err) == (0, "")
        result = found[asked] = HCCDResult.load(files / folder / "graph.json")
        if asked == "none":
            assert result.score is None and row(out, "score") == []
        else:
            assert row(out, "score") == [f"{score}: {result.score.changes(result.graph)}"]
        assert result.parameters["scoring"] == ("none" if asked == "none" else score)
        assert (files / folder / "report.html").exists()
    assert found["auto"].graph == found[score].graph == found[None].graph
    assert found["auto"].tested == found["none"].graph
    assert found["auto"].graph != found["none"].graph


def test_other_methods_have_none_unless_asked(hccd, files):
    assert row(hccd("learn", "numbers.csv", "--method", "pc", "--out", "pc")[1], "score") == []
    assert row(hccd("learn", "numbers.csv", "--method", "pc", "--scoring", "auto", "--out", "pc2")[1], "score")


@pytest.mark.parametrize(("table", "score"), [("numbers", "bd"), ("states", "bic"), ("states", "BIC"), ("states", "x")])
def test_refusals(hccd, files, table, score):
    code, out, err = hccd("learn", f"{table}.csv", "--scoring", score, "--out", "run")
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1 and "scoring" in err and "Traceback" not in err
    assert not (files / "run" / "graph.json").exists()


def test_explained(hccd, files):
    hccd("learn", "numbers.csv", "--alpha", "0.2", "--out", "run")
    result = HCCDResult.load(files / "run" / "graph.json")
    code, out, err = hccd("explain", "run")
    assert (code, err) == (0, "") and str(result.score.changes(result.graph)) in " ".join(out.split())
    code, out, err = hccd("explain", "run", "--json")
    assert code == 0 and json.loads(out)["score"] == {"name": "bic", **result.score.changes(result.graph)._asdict()}
    for x in range(9):
        for y in range(x):
            code, out, err = hccd("explain", "run", f"c{x}", f"c{y}", "--json")
            assert (code, err) == (0, "")
            said = json.loads(out)
            if said["adjacent"]:
                assert said["added_by_score"] == (not result.tested.skeleton().has_edge(x, y))


def test_the_report_says_how_to_repeat_it(hccd, files):
    for asked, expected in (("none", True), ("auto", False)):
        hccd("learn", "numbers.csv", "--scoring", asked, "--out", asked)
        page = (files / asked / "report.html").read_text(encoding="utf-8")
        assert ("--preset default --scoring none" in page) == expected
