"""The temporary folder of a server, and those that killed servers have left behind.

A server holds a lock on a file in its folder. The system frees it when the process ends, in whatever way, so a folder
whose lock is free belongs to nobody. (A process number in its place may belong to another program by now.)
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nothing is removed there.
    fcntl = None  # type: ignore[assignment]

_PREFIX = "hccd-serve-"
_LOCK = "lock"


@contextmanager
def own_folder() -> Iterator[Path]:
    """Give a folder that is removed at the end; before, remove those of servers that have not come to their end."""
    remove_left_behind()
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if fcntl is None:
            yield folder
            return
        with (folder / "new").open("w") as file:
            _locked(file)
            # Others see the lock only when it is held.
            (folder / "new").rename(folder / _LOCK)
            yield folder


def remove_left_behind() -> None:
    """Remove the folders of ours whose server is gone."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # Not a link to elsewhere, and not what another user has made.
        with suppress(OSError):
            if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
                continue
            # A server that has just begun has no lock yet.
            with (folder / _LOCK).open("r+") as file:
                free = _locked(file)
            if free:
                shutil.rmtree(folder, ignore_errors=True)


def _locked(file: IO[str]) -> bool:
    """Lock a file, unless another process has, and say whether it is locked now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
