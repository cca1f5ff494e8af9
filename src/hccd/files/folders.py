"""Folders for files to come: what was made for a file that could not be written is removed again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; return the new ones, innermost first."""
    missing = []
    for path in (folder, *folder.parents):
        if path.exists():
            break
        missing.append(path)
    made: list[Path] = []
    try:
        for path in reversed(missing):
            path.mkdir()
            made.insert(0, path)
    except BaseException:
        unmake_folders(made)
        raise
    return made


def unmake_folders(made: list[Path]) -> None:
    """Remove folders that were made, as long as they are empty."""
    with suppress(OSError):
        for path in made:
            path.rmdir()
