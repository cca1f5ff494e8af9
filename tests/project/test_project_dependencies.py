"""What `pip install hccd` brings is enough for a run; what else is needed is named in one sentence."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Of extras, or nobody's: none of these is there after `pip install hccd`.
ABSENT = ("polars", "networkx", "pyarrow", "pandas")


def name_of(requirement: str) -> str:
    return re.match(r"[\w-]+", requirement)[0].lower()


def run_without(packages: tuple[str, ...], code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process in which the packages cannot be imported."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({packages!r}))\n{code}"
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", blocked],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def table(tmp_path: Path) -> pd.DataFrame:
    """Four columns, a -> c <- b and c -> d, as a frame and as the file ``t.csv``."""
    a, b, *noise = np.random.default_rng(3).normal(size=(4, 400))
    c = a + b + 0.5 * noise[0]
    frame = pd.DataFrame({"a": a, "b": b, "c": c, "d": c + noise[1]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    return frame


def test_absent_packages_are_no_dependencies() -> None:
    assert not set(ABSENT) & {name_of(one) for one in PROJECT["dependencies"]}
    assert {name_of(one) for one in PROJECT["optional-dependencies"]["parquet"]} == {"pyarrow"}
    # Tests compare with all of them.
    assert set(ABSENT) <= {name_of(one) for one in PROJECT["optional-dependencies"]["dev"]}


def test_a_run_needs_dependencies_only(table: pd.DataFrame, tmp_path: Path) -> None:
    code = """
from hccd.cli.main import main
for command in (
    "check t.csv",
    "learn t.csv --out run",
    "plot run --out graph.svg",
    "report run --out report.html",
    "explain run a d",
    "simulate alarm --rows 30 --out truth",
    "compare truth/truth.json truth/cpdag.json",
    "convert run graph.gml",
):
    assert main(command.split()) == 0, command
import hccd, numpy as np
result = hccd.discover({name: column for name, column in zip("abcd", np.random.default_rng(0).normal(size=(4, 100)))})
result.save("again.json")
hccd.HCCD().fit(np.random.default_rng(0).normal(size=(100, 4)))
"""
    ran = run_without(ABSENT, code, tmp_path)
    assert ran.returncode == 0, ran.stderr
    for made in ("run/graph.json", "run/report.html", "graph.svg", "report.html", "truth/data.csv", "graph.gml"):
        assert (tmp_path / made).stat().st_size > 0


@pytest.mark.parametrize(("write", "name"), [("to_parquet", "Parquet"), ("to_feather", "Arrow")])
def test_parquet_says_what_it_needs(table: pd.DataFrame, tmp_path: Path, write: str, name: str) -> None:
    getattr(table, write)(tmp_path / "t.bin")
    sentence = f"error: reading {name} needs pyarrow: pip install 'hccd[parquet]'\n"
    code = "from hccd.cli.main import main; sys.exit(main([{!r}, 't.bin']))"
    for command in ("learn", "check"):
        ran = run_without(("pyarrow",), code.format(command), tmp_path)
        assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", sentence)
    # The extra is all it needs.
    ran = run_without(("polars", "networkx", "pandas"), code.format("learn"), tmp_path)
    assert ran.returncode == 0, ran.stderr
