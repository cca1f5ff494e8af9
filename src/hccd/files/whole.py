"""A file that is complete or not there at all: written beside its place first, then moved."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[str | bytes]) -> None:
    """Write bytes, and text as UTF-8 with its line breaks as they are; packed if the name ends in ``.gz``.

    A failure leaves no half of a file, and what was there before.
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
    # Created by the system's own rule for permissions, unlike the files of mkstemp.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            if path.suffix.lower() == ".gz":
                # Without a name and a time in it, the same graph gives the same bytes.
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                    packed.writelines(_encoded(piece) for piece in pieces)
            else:
                file.writelines(_encoded(piece) for piece in pieces)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode("utf-8") if isinstance(piece, str) else piece
