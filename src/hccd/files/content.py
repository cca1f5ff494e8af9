"""The bytes behind a name: a file or standard input, unpacked if they are compressed with gzip."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from hccd.errors import FileFormatError, InvalidDataError, InvalidGraphError
from hccd.wording import quoted

STANDARD_INPUT = "-"


@contextmanager
def named_refusals(path: str | PathLike[str]) -> Iterator[None]:
    """Begin refusals with the name of the file, unless they name one; a path is shown whole, for its end tells most."""
    try:
        yield
    except (FileFormatError, InvalidDataError, InvalidGraphError) as error:
        if error.of_file:
            raise
        named = "standard input" if str(path) == STANDARD_INPUT else quoted(Path(path), longest=4096)
        raise error.reworded(f"{named}: {error.sentence}", of_file=True) from error.__cause__


def content_of(path: str | PathLike[str]) -> bytes:
    """Return the content; ``-`` is standard input (a file of that name is ``./-``)."""
    return _unpacked(_from_standard_input()) if str(path) == STANDARD_INPUT else file_content(Path(path))


def file_content(file: Path) -> bytes:
    """Return the content of a file, whatever its name is."""
    return _unpacked(_from_file(file))


def _unpacked(content: bytes) -> bytes:
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise FileFormatError("the file is compressed with gzip but damaged or cut off: fetch it again") from error


def _from_standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise FileFormatError("standard input is closed: pipe a table into it, or name a file")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise FileFormatError(f"standard input cannot be read ({error.strerror}): name a file") from error


def _from_file(file: Path) -> bytes:
    try:
        file = file.expanduser()
        if file.is_dir():
            raise FileFormatError("this is a folder: give the name of a file in it")
        if file.is_char_device() or file.is_block_device():
            raise FileFormatError("this is a device: give the name of a file")
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        raise FileFormatError("there is no such file: check the name and the folder") from None
    except PermissionError:
        raise FileFormatError("you are not allowed to read the file: change its permissions") from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read ({error.strerror}): check the name") from error
    except ValueError as error:
        if isinstance(error, FileFormatError):
            raise
        raise FileFormatError(f"no file can have this name ({error}): check it") from error
