"""What ``hccd learn`` wrote, read back: from the folder or from the file, with one sentence if that cannot be."""

from __future__ import annotations

from pathlib import Path

from hccd.cli.tasks.output import GRAPH_FILE
from hccd.errors import FileFormatError, HCCDError
from hccd.result import HCCDResult
from hccd.wording import quoted


def load_run(run: str) -> HCCDResult:
    """Read the result in a folder, or in a file."""
    path, named = Path(run), quoted(run, longest=4096)
    try:
        if path.is_dir():
            path = path / GRAPH_FILE
            if not path.exists():
                raise FileFormatError(f"the folder {named} holds no {GRAPH_FILE}: give one that hccd learn wrote")
        return HCCDResult.load(path)
    except (OSError, ValueError) as error:
        if isinstance(error, HCCDError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{named} cannot be read ({reason}): check the name") from None
