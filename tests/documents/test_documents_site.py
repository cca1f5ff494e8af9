"""The site builds without a warning, fetches nothing, and has every page and every public name."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import hccd
import hccd.datasets
import hccd.metrics
import hccd.testing

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def named_on(page: str) -> set[str]:
    """Return the names that a page of the reference asks for."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return {target.rpartition(".")[2] for target in re.findall(r"^::: (\S+)$", text, re.MULTILINE)}


@pytest.mark.parametrize(
    ("module", "page"),
    [
        (hccd, "API.md"),
        (hccd.metrics, "API_METRICS.md"),
        (hccd.datasets, "API_DATASETS.md"),
        (hccd.testing, "API_TESTING.md"),
    ],
)
def test_the_reference_has_every_public_name(module, page):
    assert named_on(page) == set(module.__all__) - {"__version__"}


def test_every_page_is_in_the_navigation():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for path in (ROOT / "docs").rglob("*.md"):
        assert f": {path.relative_to(ROOT / 'docs').as_posix()}\n" in text


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    for name in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(name)
    folder = tmp_path_factory.mktemp("site")
    finished = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == finished.stderr == ""
    return folder


def test_the_site_fetches_nothing(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//", text), page.name
        assert not re.search(r"<link[^>]+rel=\"?(?:stylesheet|preconnect)[^>]+href=\"(?:https?:)?//", text), page.name
        assert not re.search(r"<link[^>]+href=\"(?:https?:)?//[^>]+rel=\"?(?:stylesheet|preconnect)", text), page.name


def test_no_role_of_sphinx_is_left(site):
    for page in site.glob("API*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r":(?:attr|class|func|meth|mod):", text), page.name
    assert re.search(r'<a[^>]+href="#hccd.discovery.discover"><code>hccd.discover</code></a>', text_of(site, "API"))


@pytest.mark.parametrize(
    ("path", "taker"),
    [
        ("discovery.discover", hccd.discover),
        ("discovery.learn_skeleton", hccd.learn_skeleton),
        ("preflight.check.check_data", hccd.check_data),
        ("estimator.HCCD", hccd.HCCD),
    ],
)
def test_the_reference_shows_every_option(site, path, taker):
    """In the signature and with its description, though the sources have neither there."""
    page = text_of(site, "API").partition(f'id="hccd.{path}"')[2].partition('<h3 id="hccd.')[0]
    plain = unescape(re.sub(r"<[^>]+>", "", page))
    signature, _, rest = plain.partition("Parameters:")
    for name, parameter in inspect.signature(taker).parameters.items():
        default = "" if name == "data" else f" = {parameter.default!r}".replace("'", '"')
        assert re.sub(r"\s", "", f"{name}: {parameter.annotation}{default},").replace("'", '"') in re.sub(
            r"\s", "", signature
        )
        assert re.search(rf"^ *{name}\b", rest, re.MULTILINE)
    assert "Significance level of" in rest and "**options" not in plain and "WorkOptions" not in plain


def text_of(site: Path, page: str) -> str:
    return (site / f"{page}.html").read_text(encoding="utf-8")


def test_pictures_and_notebooks_are_in_the_site(site):
    for page in site.rglob("*.html"):
        for target in re.findall(r"<img[^>]+src=\"([^\"]+)\"", page.read_text(encoding="utf-8")):
            assert target.startswith("data:") or (page.parent / target).exists(), f"{page.name}: {target}"
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        assert (site / "notebooks" / notebook.name).read_bytes() == notebook.read_bytes()
        assert (site / "notebooks" / f"{notebook.stem}.html").exists()
