"""Every fenced block of the documents at the root and in docs/ runs, and answers as printed."""

from __future__ import annotations

import re
from pathlib import Path

import document_blocks
import matplotlib
import pytest

from hccd.confidence import cost

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: Documents whose commands are called, in this process, by a test of their own.
ELSEWHERE = {"COMMAND_LINE.md": "tests/cli/test_cli_document.py"}
#: Documents that must have something to run.
WITH_EXAMPLES = {
    "README.md",
    "START.md",
    "EXAMPLE.md",
    "CHOOSING_A_TEST.md",
    "READING_THE_RESULT.md",
    "EXTENDING.md",
    "FAQ.md",
    "LIMITS.md",
    "DATA.md",
    "DATASETS.md",
    "FORMATS.md",
    "METRICS.md",
}


def own(document: Path) -> bool:
    return document.name in ELSEWHERE and (ROOT / ELSEWHERE[document.name]).exists()


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if not own(d)], ids=lambda path: path.stem)
def test_the_blocks_run(document, tmp_path, monkeypatch):
    folder = tmp_path / "reader"
    folder.mkdir()
    monkeypatch.chdir(folder)
    # Readers have resamples by default.
    monkeypatch.setattr(cost, "MOST_WORK", 5e9)
    with matplotlib.rc_context({"backend": "agg"}):
        count = document_blocks.run(document, folder)
    assert count or document.name not in WITH_EXAMPLES


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_a_block_that_does_not_run_says_so(document):
    for block in document_blocks.blocks_of(document):
        assert block.kind in document_blocks.RUN | document_blocks.SHOWN, f"{document.name}, line {block.line}"


#: Documents with commands that take hours, ask for data of the reader's own, or are stopped by hand.
INDENTED = {"README.md", "CONTRIBUTING.md", "RESULTS.md", "PERFORMANCE.md", "COMMAND_LINE.md"}


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if d.name not in INDENTED], ids=lambda path: path.stem)
def test_no_code_hides_in_an_indented_block(document):
    shown = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"\n\n {4}\S.*", shown)


def written(tmp_path: Path, text: str) -> tuple[Path, Path]:
    document = tmp_path / "page.md"
    document.write_text(text, encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    return document, folder


@pytest.mark.parametrize(
    "block",
    [
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\nassert False\n```\n",
        "```console\n$ hccd version\nanother\n```\n",
        "```console\n$ hccd explain nowhere A B\n```\n",
        "```bash\nhccd learn nowhere.csv\n```\n",
    ],
)
def test_a_wrong_block_is_noticed(block, tmp_path):
    with pytest.raises(AssertionError):
        document_blocks.run(*written(tmp_path, block))


def test_blocks_of_a_page_go_on_from_each_other(tmp_path):
    first, last = "```python\na = 1\n```\n", "```python\nassert b == 2\n```\n"
    inside = "- in a list\n\n  ```python\n  >>> b = a + 1; b\n  2\n  ```\n"
    text = f"{first}\n{inside}\n{last}"
    assert document_blocks.run(*written(tmp_path, text)) == 3
