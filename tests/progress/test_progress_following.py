"""``progress`` and ``verbose`` from Python: a bar on terminals and in notebooks, lines elsewhere."""

from __future__ import annotations

import os
import re
import sys

import numpy as np
import pytest

import hccd
from hccd.progress import Progress
from hccd.progress.words import ProgressLine, bar
from hccd.wording import STAGES
from on_a_terminal import on_a_terminal

CALL = """
import numpy as np, hccd
a, b = np.random.default_rng(0).normal(size=(2, 500))
data = {"a": a, "b": b, "c": a + b}
data["c"] = data["c"] + np.random.default_rng(1).normal(size=500)
"""


def table():
    own: dict = {}
    exec(CALL, own)
    return own["data"]


def plain(result):
    return {**result.to_dict(), "seconds": None}


@pytest.mark.parametrize("taker", [hccd.discover, hccd.learn_skeleton, hccd.sensitivity])
def test_verbose_prints_a_line_for_each_stage(taker, capsys):
    taker(table(), verbose=True, **({"bootstrap": 2} if taker is hccd.discover else {}))
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == "" and all(re.match(r" +[0-9]+\.[0-9]{2} s  \S", line) for line in lines)
    told = [line.split(" s  ")[1] for line in lines]
    assert told[0] == STAGES["marginal"] and told[-1] == "done"
    if taker is hccd.discover:
        assert [text.split(";")[0].split(":")[0].split(",")[0] for text in told] == [
            *map(STAGES.get, ("marginal", "clustering", "leaf", "orientation", "score", "bootstrap")), "done",
        ]  # fmt: skip


def test_silence_is_the_default_and_nothing_changes_the_result(capsys):
    results = [hccd.discover(table(), **given) for given in ({}, {"progress": False, "verbose": 0}, {"progress": True})]
    assert capsys.readouterr() == ("", "")
    results.append(hccd.discover(table(), progress=True, verbose=2))
    results.append(hccd.HCCD(verbose=True, progress=True).fit(table()).result_)
    assert len({repr(plain(result)) for result in results}) == 1


def test_a_function_and_lines_go_together(capsys):
    stages = []
    hccd.discover(table(), progress=lambda event: stages.append(event.stage), verbose=True)
    assert stages[0] == "marginal" and "done" in capsys.readouterr().out


def test_a_run_that_fails_is_not_done(capsys):
    def stop(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hccd.discover(table(), progress=stop, verbose=True)
    assert "done" not in capsys.readouterr().out


def shown(code: str, stdout=None) -> tuple[int, str]:
    terminal = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    return on_a_terminal([sys.executable, "-c", code], stdout, env=terminal)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_terminal_shows_a_bar_that_goes(tmp_path):
    code, text = shown(CALL + "print(len(hccd.discover(data, progress=True, bootstrap=300).edges()), 'edges')")
    assert code == 0
    assert re.search(r"\[#*\.+\] [0-9]+ s, about [0-9]+ s left: resampling: [0-9]+ of 300", text)
    # It is erased before anything else is said.
    assert text.rindex("\x1b[2K") < text.index("2 edges")
    # What goes to a file goes there, a bar or not.
    with (tmp_path / "out").open("w") as file:
        code, text = shown(CALL + "hccd.discover(data, progress=True, verbose=True)", file)
    assert code == 0 and "done" not in text
    assert (tmp_path / "out").read_text().splitlines()[-1].endswith(" s  done")


@pytest.mark.slow
def test_a_notebook_shows_a_bar_below_the_cell():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    cell = nbformat.v4.new_code_cell(CALL + "result = hccd.discover(data, progress=True, bootstrap=3000)")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    seen = []

    class Watching(nbclient.NotebookClient):
        def process_message(self, message, *args, **kwargs):
            if message["msg_type"] in ("display_data", "update_display_data"):
                seen.append(message["content"]["data"])
            return super().process_message(message, *args, **kwargs)

    Watching(notebook, timeout=120).execute()
    assert any(re.match(r"<div><progress value='0\.[0-9]+'></progress> [0-9]+ s, about", d["text/html"]) for d in seen)
    # One place below the cell, which is left with how long it took.
    (output,) = notebook.cells[0].outputs
    assert re.fullmatch(r"[0-9.]+ s", output["data"]["text/plain"])


def test_the_share_of_a_run_never_goes_back():
    now = [0.0]
    line = ProgressLine(lambda: now[0])
    line.expect({"tests": 10.0, "bootstrap": 30.0})
    line.hear(Progress("marginal"))
    shares = []
    for second in range(1, 60):
        now[0] = float(second)
        if second >= 15:
            line.hear(Progress("bootstrap", edges=100, done=2 * (second - 15)))
        shares.append(line.share())
    assert shares == sorted(shares) and shares[0] == pytest.approx(1 / 40) and shares[-1] > 0.8
    unknown = ProgressLine(lambda: now[0])
    unknown.hear(Progress("marginal"))
    assert unknown.share() is None
    assert bar(0.0) == f"[{'.' * 20}]" and bar(1.0) == f"[{'#' * 20}]" and np.char.count(bar(0.5), "#") == 10
