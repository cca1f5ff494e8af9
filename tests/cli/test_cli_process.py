"""The command line as a process of its own: exit codes, streams, terminals, interrupts, what is imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hccd
from on_a_terminal import on_a_terminal

pytestmark = pytest.mark.slow

SOURCES = str(Path(__file__).parents[2] / "src")


def environment(**more: str) -> dict[str, str]:
    paths = [SOURCES, *filter(None, [os.environ.get("PYTHONPATH")])]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HCCD_", "PYTHONIO"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(paths), **more}


def call(*arguments: object, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hccd", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd, env=environment(**more), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )


def test_bad_input_ends_with_exit_code_2(tmp_path):
    ran = call("learn", "nowhere.csv", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "error: 'nowhere.csv': there is no such file: check the name and the folder\n"


def test_ascii_streams_and_no_stdin(write, tmp_path):
    rows = [[x * x % 17 / 3] * 2 for x in range(40)]
    table = write("naïve.csv", ["🙂", "変数"], rows)
    command = f"exec '{sys.executable}' -m hccd learn '{table.name}' --out größe <&-"
    ran = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert rb"\u5909\u6570 is a copy of '\U0001f642'" in ran.stderr and ran.stderr.startswith(b"warning: ")
    assert rb"gr\xf6\xdfe/graph.json" in ran.stdout
    assert (tmp_path / "größe" / "graph.json").exists()


def test_help_imports_nothing_heavy(tmp_path):
    code = (
        "import sys; from hccd.cli.main import main\n"
        "for arguments in ('--help', 'learn --help', 'version', 'learn x --alpha 2'): main(arguments.split())\n"
        "heavy = {'numpy', 'scipy', 'polars', 'sklearn', 'joblib', 'networkx', 'pandas'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_learning_with_one_worker_imports_no_more_than_it_needs(numbers, states, tmp_path):
    code = (
        "import sys; from hccd.cli.main import main\n"
        f"codes = [main(['learn', file, '--force']) for file in ({str(numbers)!r}, {str(states)!r})]\n"
        "unused = {'sklearn', 'joblib', 'networkx', 'pandas', 'polars', 'narwhals', 'pyarrow', 'scipy.stats'}\n"
        "unused &= set(sys.modules)\n"
        "sys.exit(str(unused) if unused else max(codes))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_interrupt_is_one_line_and_130(tmp_path):
    pipe = tmp_path / "data.csv"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "hccd", "learn", "data.csv", "--out", "run"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    # Opening for writing returns when the other side has opened for reading; it then waits for data that never come.
    with pipe.open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    # Older versions of typer write an empty line first.
    assert (process.returncode, out, err.lstrip("\n")) == (130, "", "error: interrupted\n")
    assert not (tmp_path / "run").exists()


#: Code that Python runs before ours, and that interrupts the process later.
MOMENTS = {
    "while the command line is imported": ("typer", "interrupt(); time.sleep(20)"),
    "while Python waits for threads": (
        "sitecustomize",
        "import threading\n"
        "def wait():\n"
        "    threading.main_thread().join()\n"
        "    interrupt()\n"
        "    time.sleep(1)\n"
        "threading.Thread(target=wait).start()",
    ),
    "while Python calls what is called at its end": ("sitecustomize", "import atexit; atexit.register(interrupt)"),
    "while Python takes itself apart": (
        "sitecustomize",
        "class Last:\n    def __del__(self, interrupt=interrupt):\n        interrupt()\nimport sys; sys.last = Last()",
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_before_the_first_line_of_a_command_or_after_the_last(moment, stop, tmp_path):
    """It ends the process, or comes too late; Python itself would show a traceback and die of the signal."""
    module, code = MOMENTS[moment]
    head = f"import time\ndef interrupt():\n    import os\n    os.kill(os.getpid(), {int(stop)})\n"
    (tmp_path / f"{module}.py").write_text(head + code)
    ran = subprocess.run(
        [sys.executable, "-m", "hccd", "version"],
        env=environment(PYTHONPATH=str(tmp_path)), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    out, err = ("", "error: interrupted\n") if module == "typer" else (f"hccd {hccd.__version__}\n", "")
    if "waits for threads" in moment:
        err = "error: interrupted\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (130 if err else 0, out, err)


def test_the_script_hears_interrupts_from_its_first_line_on():
    project = (Path(SOURCES).parent / "pyproject.toml").read_text()
    assert '\n[project.scripts]\nhccd = "hccd.__main__:main"\n' in project


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_terminal_shows_progress_and_colour(write, tmp_path):
    rows = [[i * i % 17 / 3, i * 7 % 13 / 3, 1] for i in range(40)]
    table = write("table.csv", ["x", "[red]y", "still"], rows)
    code, text = on_a_terminal(
        [sys.executable, "-m", "hccd", "learn", table.name],
        cwd=tmp_path, env=environment(TERM="xterm-256color", COLUMNS="120"),
    )  # fmt: skip
    assert code == 0
    assert "reading table.csv" in text
    assert "\x1b[33mwarning: \x1b[0m" in text and "'still'" in text
    assert "\x1b[1mwritten    \x1b[0mhccd-out/graph.json" in text
    # The line of progress is erased before the result is shown.
    assert text.rindex("\x1b[2K") < text.index("variables")


def test_a_reader_that_leaves_is_no_failure(tmp_path):
    command = f"'{sys.executable}' -m hccd demo; echo $? >code"
    ran = subprocess.run(
        ["/bin/sh", "-c", f"({command}) | true"], cwd=tmp_path, env=environment(), capture_output=True, timeout=60
    )
    assert ran.stderr == b""
    assert (tmp_path / "code").read_text() == "0\n"
    assert (tmp_path / "hccd-demo" / "graph.json").exists()
