"""The notebooks: they run without an error, say what they said, and hold nothing of the machine they ran on."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest

import hccd

pytestmark = pytest.mark.slow

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

DOCS = Path(__file__).parents[2] / "docs"
GALLERY = ["diabetes", "insurance", "marriage", "penguins", "wine"]
NAMES = sorted(["continuous_data", "first_steps", "graph_to_effect", *GALLERY])
NEEDS = {"graph_to_effect": ("pgmpy", "dowhy"), "insurance": ("statsmodels",), "marriage": ("statsmodels",),
         "penguins": ("palmerpenguins",)}  # fmt: skip


def script(name: str):
    """Import a script of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_notebooks_are_here():
    assert sorted(path.stem for path in (DOCS / "notebooks").glob("*.py")) == NAMES
    assert sorted(path.stem for path in (DOCS / "notebooks").glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_small_and_clean(name):
    path = DOCS / "notebooks" / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    assert len(text) < 300_000
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.metadata
        for output in cell.get("outputs", []):
            assert output.output_type != "error" and output.get("name") != "stderr"
            words = json.dumps({kind: value for kind, value in output.get("data", {}).items() if "image" not in kind})
            assert not re.search(r"/(home|tmp|work|root|usr)/|Warning", words + str(output.get("text", "")))
    assert notebook.cells[0].source.startswith("# ")


def said(notebook) -> list[str]:
    """List what the cells printed, pictures left out: their bytes depend on the version of matplotlib."""
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text" in output:
                texts.append(output.text)
            elif "text/plain" in data and "image/png" not in data:
                texts.append(data["text/plain"])
    return texts


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_says_what_it_said(name, tmp_path, monkeypatch):
    for package in NEEDS.get(name, ()):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    # The kernel is another process: it finds this very package, and keeps its files to itself.
    paths = [str(Path(hccd.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    work = tmp_path / "work"
    work.mkdir()
    source = (DOCS / "notebooks" / f"{name}.py").read_text(encoding="utf-8")
    kept = nbformat.read(DOCS / "notebooks" / f"{name}.ipynb", as_version=4)
    runner = script("run_notebooks")
    assert [cell.source for cell in runner.unexecuted(source).cells] == [cell.source for cell in kept.cells], (
        "python docs/run_notebooks.py was not run after the last change"
    )
    assert said(runner.executed(source, work)) == said(kept)


def test_the_gallery_shows_the_first_picture_of_each_of_its_notebooks():
    page = (DOCS / "GALLERY.md").read_text(encoding="utf-8")
    assert sorted(path.stem for path in (DOCS / "gallery").iterdir()) == GALLERY
    for name in GALLERY:
        assert f"(notebooks/{name}.md)" in page and f"(gallery/{name}.png)" in page
        kept = nbformat.read(DOCS / "notebooks" / f"{name}.ipynb", as_version=4)
        assert script("run_notebooks").first_picture(kept) == (DOCS / "gallery" / f"{name}.png").read_bytes()


def test_a_notebook_becomes_a_page():
    sys.path.insert(0, str(DOCS))
    try:
        pages = script("notebook_pages")
    finally:
        sys.path.remove(str(DOCS))
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": ["print('<b>')"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["<b> *a*\n", "\n", "c\n"]},
                {"output_type": "display_data", "data": {"image/png": "QUJD", "text/plain": ["<Figure>"]}},
                {"output_type": "execute_result", "data": {"text/html": ["<p>x\n", "\n", "</p>"], "text/plain": ["x"]}},
            ],
        },
    ]
    page, pictures = pages.converted({"cells": cells}, "name")
    assert pictures == {"name-1.png": b"ABC"}
    assert page.startswith("# Title\ntext\n\n[Download") and "```python\nprint('<b>')\n```" in page
    assert "&lt;b&gt; *a*" in page and "<b> *a*" not in page
    assert "![&lt;Figure&gt;](name-1.png)" in page
    # No empty line within a block of HTML: Markdown would end it there.
    assert not re.search(r"<pre[^>]*>[^<]*\n\n", page) and "<p>x\n</p>" in page
