"""``demo``, ``version``, the help, and the parts that speak."""

from __future__ import annotations

import hashlib
import io
import os
import re
import signal
import threading

import pytest
from typer.main import get_command

from hccd import __version__
from hccd.cli.console import Console, Stream
from hccd.cli.interruptible import interruptible
from hccd.cli.main import app
from hccd.datasets import alarm_edges
from hccd.progress import Progress
from hccd.progress.words import described
from hccd.result import HCCDResult
from hccd.wording import one_line


def test_demo_shows_the_graph(hccd, tmp_path):
    ran = hccd("demo", "--out", "demo", "--force")
    assert (ran.code, ran.err) == (0, "")
    result = HCCDResult.load(tmp_path / "demo" / "graph.json")
    shown = re.findall(r"(\w+) (->|--) (\w+)", ran.out)
    kinds = {"->": "directed", "--": "undirected"}
    assert sorted((a, b, kinds[arrow]) for a, arrow, b in shown) == sorted(result.edges())
    assert "all 37 columns are discrete: G test, alpha 0.05" in ran.out
    assert "demo/graph.json" in ran.out and "alarm.csv.gz" in ran.out
    known = {frozenset(edge) for edge in alarm_edges()}
    found = sum(frozenset((a, b)) in known for a, b, _ in result.edges())
    assert found > 30
    assert f"{found} of the 46 true edges" in ran.out


def test_demo_may_be_quiet(hccd, tmp_path):
    assert hccd("demo", "--quiet") == (0, "", "")
    assert (tmp_path / "hccd-demo" / "graph.json").exists()


@pytest.mark.parametrize("arguments", [["version"], ["--version"]])
def test_version(hccd, arguments):
    assert hccd(*arguments) == (0, f"hccd {__version__}\n", "")


def test_help_documents_every_option(hccd):
    ran = hccd("learn", "--help")
    assert ran.code == 0 and ran.out.isascii() and ran.err == ""
    told = re.findall(r"^  (?:-\w, )?(--[a-z-]+)(.*(?:\n {10,}.*)*)", ran.out, flags=re.MULTILINE)
    accepted = {option for parameter in get_command(app).commands["learn"].params for option in parameter.opts}
    assert {name for name, _ in told} == {name for name in accepted if name.startswith("--")} | {"--help"}
    assert all(re.search(r"\w+ \w+ \w+", text) for _, text in told)
    assert "Examples:\n    hccd learn survey.csv\n" in ran.out
    whole = hccd("--help")
    assert whole.code == 0 and all(name in whole.out for name in ("learn", "demo", "version", "Examples:"))


def test_one_line_keeps_what_can_be_printed():
    assert one_line("naïve 变量 🙂") == "naïve 变量 🙂"
    assert one_line("a\nb\tc\x1b[0m\u2028\udc80") == r"a\nb\tc\x1b[0m\u2028\udc80"


def test_streams_that_know_ascii_only():
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    Stream(file).line("ß 🙂", label="naïve ")
    file.flush()
    assert raw.getvalue() == rb"na\xefve \xdf \U0001f642" + b"\n"


def test_closed_streams_are_no_failure(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    console = Console()
    console.result("unheard")
    console.error("unheard")
    console.flush()
    assert console.progress is None


def test_events_in_words():
    assert described(Progress("marginal")) == "pairwise tests"
    event = Progress("refine", height=1, heights=3, order=2, edges=1200, tests=34567)
    assert described(event) == "completeness pass, level 2 of 3, order 2: 1,200 edges; 34,567 tests"
    assert "level" not in described(Progress("leaf", order=1, edges=3, tests=9))
    assert described(Progress("something new")) == "something new"


def test_interrupts_do_not_wait_for_compiled_code():
    finished = []

    def work() -> None:
        # Compiled code that looks at no signals, for a second or more.
        hashlib.pbkdf2_hmac("sha256", b"", b"", 4_000_000)
        finished.append(True)

    timer = threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(work)
    assert not finished
    timer.join()


def test_work_in_a_thread_returns_and_raises():
    assert interruptible(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 / 0)
