"""What a user installs: the wheel holds compiled kernels, types and the embedded data, and nothing else of ours."""

import doctest
import importlib
import pkgutil
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hccd

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def run(*command, folder):
    finished = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_wheel_is_complete(tmp_path):
    """From a source distribution, so that this is complete too."""
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(
        ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
    )
    run("-c", f"from setuptools.build_meta import build_sdist; build_sdist({str(tmp_path)!r})", folder=source)
    (archive,) = tmp_path.glob("hccd-*.tar.gz")
    run("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", archive, folder=tmp_path)
    (wheel,) = tmp_path.glob("hccd-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    folder = ROOT / "src/hccd/_kernels"
    kernels = {f"{path.parent.name}/{path.stem}" for path in folder.glob("*/*.py") if path.stem != "__init__"}
    assert {"search/level", "search/ledger", "clustering/bisection", "graphs/meek"} <= kernels
    for kernel in (*kernels, "_cyutility"):
        assert any(
            name.startswith(f"hccd/_kernels/{kernel}.") and not name.endswith((".py", ".pyi", ".pxd")) for name in names
        )
    assert "hccd/py.typed" in names
    assert "hccd/datasets/alarm.csv.gz" in names
    for page in ("report", "serve"):
        files = (ROOT / f"src/hccd/{page}/page").iterdir()
        assert {f"hccd/{page}/page/{path.name}" for path in files} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/")) or name.endswith(".c")]
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(wheel).extractall(unpacked)
    where = run("-c", "import hccd._kernels.search.ledger as kernel; print(kernel.__file__)", folder=unpacked)
    assert where.startswith(str(unpacked)) and not where.endswith(".py\n")


def test_every_public_name_is_there_and_documented():
    for name in hccd.__all__:
        assert getattr(hccd, name) is not None
        assert name == "__version__" or getattr(hccd, name).__doc__
    assert set(hccd.__all__) <= set(dir(hccd))
    with pytest.raises(AttributeError):
        hccd.nothing_of_this_name  # noqa: B018


def test_names_survive_any_order_of_imports():
    """A submodule must not hide a function of the same name."""
    program = "from hccd import HCCD, discover; import hccd; assert callable(discover) and callable(hccd.discover)"
    subprocess.run([sys.executable, "-c", program], check=True)


MODULES = [
    module.name
    for module in pkgutil.walk_packages(hccd.__path__, "hccd.")
    # Doctest would import the uncompiled file; the kernels have their own tests.
    if "_kernels" not in module.name and module.name != "hccd.__main__"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_of(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
