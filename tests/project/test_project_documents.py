"""The documents name what is there; that their examples run is told by tests/documents."""

import re
import sys
from pathlib import Path

import pytest

import hccd

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_readme_example_is_the_example_file():
    script = (ROOT / "examples" / "electricity.py").read_text(encoding="utf-8")
    shown = next(block for block in BLOCKS if "sun, wind, holiday" in block)
    for line in shown.splitlines():
        assert line in script.splitlines(), line


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/DATA.md",
        "docs/EXTENDING.md",
        "docs/GLOSSARY.md",
        "docs/PAPER_IN_CODE.md",
    ],
)
def test_named_files_exist(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (ROOT / document).parent.joinpath(target).exists(), target
    for path in re.findall(r"`([\w/]+\.py)`", text):
        assert any((ROOT / place / path).exists() for place in ("", "src", "src/hccd")), path


def test_make_demo_installs_what_the_commands_of_the_readme_need():
    """``hccd plot`` needs matplotlib, ``hccd serve`` a server, ``hccd simulate alarm`` the files that pgmpy brings."""
    readme, make = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    assert all(f"hccd {command}" in readme for command in ("plot", "serve", "simulate alarm"))
    (extras,) = re.findall(r"^\$\(VENV\)/\.installed:.*\n.*--editable '\.\[(.*)\]'$", make, re.M)
    assert {"plot", "serve"} <= set(extras.split(",")) and "'pgmpy==" in make
    assert re.search(r"^demo: \$\(VENV\)/\.networks$", make, re.M)
    assert re.search(r"^\$\(VENV\)/\.networks: \$\(VENV\)/\.installed$", make, re.M)


def test_the_citation_is_of_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {hccd.__version__}\n" in text
    holder = re.search(r"^Copyright \(c\) \d+ (.+)$", (ROOT / "LICENSE").read_text(encoding="utf-8"), re.M)[1]
    assert f"\nauthors:\n  - name: {holder}\n" in text


def layers():
    """The layers of the import contract, top first, without the name of the root."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layered,) = (each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    return [layer.replace("hccd.", "") for layer in layered["layers"]]


def test_the_layers_are_those_of_the_contract():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert re.search(r"```text\n(.*?)\n```", text, re.S)[1].splitlines() == layers()
    packages = [name for layer in layers() for name in layer.split(" | ")]
    assert re.findall(r"^\| `(\w+)` \|", text, re.M) == packages
    sources = {path.stem for path in (ROOT / "src" / "hccd").iterdir() if not path.stem.startswith("__")}
    assert sources - {"py"} == set(packages)


def test_the_functions_of_the_walk_are_where_it_says():
    text = " ".join((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split())
    named = re.findall(r"`(\w+)` \(`([\w/]+\.py)`\)", text)
    assert len(named) > 30
    for name, path in named:
        source = (ROOT / "src" / "hccd" / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *(?:def|class) {name}\b", source, re.M), f"{name} in {path}"


@pytest.mark.parametrize(
    "document", ["README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))]
)
def test_the_rows_of_a_table_have_the_cells_of_its_head(document):
    # Rows of another table have been pasted into one before.
    head = None
    for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
        row = re.sub(r"\\\||`[^`]*`", "", line.strip()) if line.startswith("|") else ""
        cells = row.count("|") if row else None
        head = cells if head is None else head if cells else None
        assert cells in (None, head), f"line {number}: {line}"
