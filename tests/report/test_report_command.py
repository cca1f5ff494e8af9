"""``hccd report``, and the reports of ``learn`` and ``demo``: where they go, and what they never replace."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from hccd.cli.main import main
from hccd.cli.tasks import learn as run_module
from hccd.discovery import discover
from hccd.preflight import check_data
from hccd.report import MARK
from hccd.result import HCCDResult
from hccd.tables import read_table


@pytest.fixture
def hccd(tmp_path, monkeypatch, capsys):
    """Run a command in a folder with a table; returns the exit code and what was said."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(2, 300))
    table = np.column_stack([a, b, a + b + 0.5 * rng.normal(size=300)])
    np.savetxt("data.csv", table, delimiter=",", header="a,b,c", comments="")

    def run(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_learn_writes_it_and_says_where(hccd, tmp_path):
    code, out, err = hccd("learn", "data.csv", "--out", "run")
    assert (code, err) == (0, "")
    page = tmp_path / "run" / "report.html"
    assert out.splitlines()[-1].split() == ["report", "run/report.html"]
    html = page.read_text(encoding="utf-8")
    assert html == HCCDResult.load("run/graph.json").to_html()
    # The run says of the table what a check says, apart from why the test was chosen.
    found = check_data(read_table("data.csv"))
    assert f"300 rows and 3 columns: {found.understood}" in html


def test_command_and_python_record_the_same(hccd, tmp_path):
    for options in ({}, {"test": "fisher-z"}, {"transform": "ranks", "alpha": 0.05}):
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        assert hccd("learn", "data.csv", *words, "--out", "run", "--force")[0] == 0
        made = json.loads((tmp_path / "run" / "graph.json").read_text(encoding="utf-8"))
        own = discover(read_table("data.csv"), **options).to_dict()
        made["parameters"].pop("reading", None)
        assert {**made, "seconds": None} == {**own, "seconds": None}


def test_report_of_a_folder_or_a_file(hccd, tmp_path):
    hccd("learn", "data.csv", "--out", "run")
    # What learn saw in the data is not lost when the page is written again.
    expected = (tmp_path / "run" / "report.html").read_bytes()
    assert b"300 rows and 3 columns: 3 continuous" in expected
    (tmp_path / "run" / "report.html").unlink()
    for words in (
        ["run"],
        ["run/graph.json"],
        ["run", "--out", "deep/er/page.html"],
        ["run", "--out", "run/report.html"],
    ):
        code, out, _ = hccd("report", *words)
        assert code == 0
        written = tmp_path / out.split()[-1]
        assert written.read_bytes() == expected
    assert hccd("report", "run", "--quiet") == (0, "", "")


def test_a_check_of_the_data_is_shown(hccd, tmp_path):
    hccd("learn", "data.csv", "--out", "run")
    (tmp_path / "check.json").write_text('{"title": "Looked at", "lines": ["all rows"]}')
    assert hccd("report", "run", "--check", "check.json")[0] == 0
    assert '"check":{"title":"Looked at"' in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    code, _, err = hccd("report", "run", "--check", "nothing.json")
    assert code == 2 and "'nothing.json': there is no such file" in err


def test_it_tells_the_version_that_made_the_graph(hccd, tmp_path):
    hccd("learn", "data.csv", "--out", "run")
    file = tmp_path / "run" / "graph.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "software": {"hccd": "0.0.9", "other": "1"}}))
    assert hccd("report", "run")[0] == 0
    assert '"software":{"hccd":"0.0.9","other":"1"}' in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_without_a_report(hccd, tmp_path):
    code, out, err = hccd("learn", "data.csv", "--out", "run", "--no-report")
    assert (code, err) == (0, "") and "report" not in out
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["graph.json"]
    (tmp_path / "run" / "report.html").write_text(MARK)
    code, _, err = hccd("learn", "data.csv", "--out", "run", "--no-report")
    assert code == 0 and "'run/report.html' is of an earlier run" in err
    assert (tmp_path / "run" / "report.html").read_text() == MARK


def test_large_results_get_one_when_asked(hccd, tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "LARGEST_BY_DEFAULT", 2)
    code, out, err = hccd("learn", "data.csv", "--out", "run")
    assert code == 0 and "report" not in out and "more than 2 variables: add --report" in err
    assert not (tmp_path / "run" / "report.html").exists()
    assert hccd("learn", "data.csv", "--out", "run", "--report")[0] == 0
    assert (tmp_path / "run" / "report.html").exists()


@pytest.mark.parametrize("command", [["learn", "data.csv", "--out", "run"], ["report", "run"]])
def test_a_page_of_somebody_else_is_replaced_by_force_only(hccd, tmp_path, command):
    hccd("learn", "data.csv", "--out", "run", "--no-report")
    page = tmp_path / "run" / "report.html"
    page.write_text("<!DOCTYPE html><p>my own notes")
    code, out, err = hccd(*command)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "'run/report.html' was not written by hccd" in err and "--force" in err
    assert page.read_text() == "<!DOCTYPE html><p>my own notes"
    assert hccd(*command, "--force")[0] == 0
    assert page.read_text(encoding="utf-8").startswith(MARK)
    assert hccd(*command)[0] == 0


def test_what_is_no_run_is_refused_in_one_sentence(hccd, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.json").write_text("{}")
    (tmp_path / "folder.html").mkdir()
    hccd("learn", "data.csv", "--out", "run")
    for words, phrase in (
        (["nowhere"], "'nowhere': there is no such file"),
        (["empty"], "holds no graph.json"),
        (["bad.json"], "not an hccd-graph"),
        (["run", "--out", ""], "--out is empty"),
        (["~nobody-of-this-name/run"], "there is no such file"),
        (["run", "--out", "folder.html"], "is not a file"),
        (["run", "--out", "data.csv/page.html"], "cannot be written"),
    ):
        code, out, err = hccd("report", *words)
        assert (code, out, err.count("\n")) == (2, "", 1), (words, err)
        assert phrase in err, err


def test_the_report_of_alarm_costs_little():
    """What the whole of ``hccd learn`` must not notice: CPU seconds of a report, the best of three."""
    from report_cases import alarm

    taken = []
    for _ in range(3):
        start = time.process_time()
        alarm().to_html()
        taken.append(time.process_time() - start)
    assert min(taken) < 0.25, taken


def test_help_does_not_load_it():
    program = (
        "import sys; from hccd.cli.main import main; main(['report', '--help']); "
        "print('numpy' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False" and "RUN" in done.stdout


def test_what_is_said_to_be_typed_reads_the_table_as_before(hccd, tmp_path):
    assert (
        hccd("learn", "data.csv", "--drop", "b", "--discretize", "c=3", "--discretize", "a=2", "--out", "run")[0] == 0
    )
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    command = page[page.index("hccd learn DATA") :].split('"', 1)[0].replace("DATA", "data.csv")
    assert hccd(*shlex.split(command)[1:], "--out", "again")[0] == 0
    one, other = (HCCDResult.load(tmp_path / folder / "graph.json") for folder in ("run", "again"))
    assert one.names == other.names == ("a", "c")
    assert one.parameters == other.parameters


def test_a_check_must_be_one(hccd):
    hccd("learn", "data.csv", "--out", "run")
    code, _, err = hccd("report", "run", "--check", "run/graph.json", "--out", "page.html")
    assert code == 2 and "not a check of a table" in err and not Path("page.html").exists()


def test_a_graph_without_evidence_is_called_so(hccd):
    hccd("learn", "data.csv", "--out", "run")
    assert hccd("convert", "run", "bare.json")[0] == 0
    for command in ("report", "explain", "plot"):
        code, _, err = hccd(command, "bare.json")
        assert code == 2 and "without the evidence" in err
