"""Completion in real shells: set up as the documents say, typed on a terminal, and run.

What counts is what the program gets when the line is entered: a program of the same name writes it down.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SOURCES = Path(__file__).parents[2] / "src"
COLUMNS = ["patient", "heart rate", "cost$", "n(x)", "a:b", "temp"]
#: Asked for completions it answers, called otherwise it writes down with what.
PROGRAM = f"""#!/bin/sh
if [ -n "$_HCCD_COMPLETE" ]; then exec '{sys.executable}' -m hccd "$@"; fi
printf '%s\\n' "$@" >called.part
mv called.part called
"""
#: What is typed before the tabulator, and what the program gets.
TYPED = {
    "hccd lea": ["learn"],
    "hccd learn wa": ["learn", "ward.csv"],
    "hccd learn ward.csv --test fish": ["learn", "ward.csv", "--test", "fisher-z"],
    "hccd learn ward.csv --drop pa": ["learn", "ward.csv", "--drop", "patient"],
    "hccd learn ward.csv --alpha 0.1 --drop temp --index he": [
        "learn", "ward.csv", "--alpha", "0.1", "--drop", "temp", "--index", "heart rate",
    ],
    "hccd learn ward.csv --drop heart\\ r": ["learn", "ward.csv", "--drop", "heart rate"],
    "hccd learn ward.csv --drop co": ["learn", "ward.csv", "--drop", "cost$"],
    "hccd learn ward.csv --drop n": ["learn", "ward.csv", "--drop", "n(x)"],
    "hccd learn ward.csv --drop a": ["learn", "ward.csv", "--drop", "a:b"],
    "hccd plot run --around pa": ["plot", "run", "--around", "patient"],
    "hccd explain run te": ["explain", "run", "temp"],
    "hccd explain run temp he": ["explain", "run", "temp", "heart rate"],
}  # fmt: skip
#: In fish a quotation mark that is open stays open.
QUOTED = {'hccd explain run temp "heart r': ["explain", "run", "temp", "heart rate"]}


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request, tmp_path):
    """A shell on a terminal, in which completion was installed."""
    pexpect = pytest.importorskip("pexpect")
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "hccd"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "PYTHONPATH": str(SOURCES),
        "TERM": "dumb", "LANG": "C.UTF-8",
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "hccd", "--install-completion", name],
        env={**environment, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    place = tmp_path / "work"
    (place / "run").mkdir(parents=True)
    (place / "ward.csv").write_text(",".join(COLUMNS) + "\n")
    (place / "run" / "graph.json").write_text(json.dumps({"nodes": COLUMNS}))
    started = pexpect.spawn(name, ["-i"], cwd=place, env=environment, encoding="utf-8", timeout=60)
    started.place = place
    # zsh takes the first tabulator for a blank.
    entered(started, "hccd version")
    yield started
    started.close(force=True)


def entered(shell, line: str) -> list[str]:
    """Type a line, ask for completion, enter it, and return what the program was called with."""
    called = shell.place / "called"
    called.unlink(missing_ok=True)
    shell.send(f"{line}\t\r")
    end = time.monotonic() + 60
    while not called.exists():
        assert time.monotonic() < end, f"{line}: nothing was called"
        try:
            shell.read_nonblocking(4096, timeout=0.05)
        except Exception as error:
            # What the terminal shows does not matter; that the shell is gone does.
            assert "Timeout" in str(error), error
    return called.read_text().splitlines()


def test_names_are_completed(shell):
    typed = TYPED | ({} if "fish" in str(shell.command) else QUOTED)
    got = {line: entered(shell, line) for line in typed}
    assert got == typed
