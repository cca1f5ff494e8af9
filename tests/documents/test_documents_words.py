"""Wordings that readers had to read twice stay gone, in documents, help and messages."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GONE = (
    "searches on from", "a score searches on", "directed otherwise", "that the data deny", "better without end",
    "something to mend", "if need be",
)  # fmt: skip
PLACES = ((ROOT, "*.md"), (ROOT / "docs", "**/*.md"), (ROOT / "docs", "**/*.ipynb"), (ROOT / "src", "**/*.py"))
FILES = [path for folder, kind in PLACES for path in sorted(folder.glob(kind))]


@pytest.mark.parametrize("words", GONE)
def test_old_wordings_are_gone(words):
    assert len(FILES) > 300
    found = [
        str(path.relative_to(ROOT)) for path in FILES if words in " ".join(path.read_text(encoding="utf-8").split())
    ]
    assert not found
