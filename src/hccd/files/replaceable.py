"""What must not be replaced: asked before anything is computed, so that nothing fails late."""

from __future__ import annotations

from pathlib import Path

from hccd.errors import InvalidParameterError
from hccd.wording import quoted


def check_free(path: Path, *, force: bool, another: str = "--out", insist: str = "--force") -> None:
    """Refuse a place where something is, unless it is a file and the user insists; say what the user would change."""
    if not path.exists():
        return
    named = quoted(path, longest=4096)
    if not path.is_file():
        raise InvalidParameterError(f"{named} exists already and is not a file: move it or choose another {another}")
    if not force:
        raise InvalidParameterError(
            f"{named} exists already: move it, choose another {another}, or replace it with {insist}"
        )
