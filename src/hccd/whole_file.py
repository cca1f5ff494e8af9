"""A file that is complete or not there at all: written beside its place first, then moved."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[str | bytes]) -> None:
    """Write bytes, and text as UTF-8 with its line breaks as they are; packed if the name ends in ``.gz``.

    A failure leaves no half of a file, and what was there before.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            if path.suffix.lower() == ".gz":
                # Without a name and a time in it, the same graph gives the same bytes.
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    packed.writelines(_encoded(piece) for piece in pieces)
            else:
                file.writelines(_encoded(piece) for piece in pieces)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode("utf-8") if isinstance(piece, str) else piece


def _umask() -> int:
    """Return the process's mask, which mkstemp does not honour."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
