"""The text of a file, compressed with gzip or not, or one sentence that says why it cannot be had."""

from __future__ import annotations

from pathlib import Path

from hccd.errors import FileFormatError
from hccd.files.content import file_content, named_refusals


def read_text(path: Path) -> str:
    """Read a file of UTF-8 text; lines end with a line feed in the result, whatever they end with in the file.

    Raises
    ------
    FileFormatError
        There is no such file, it cannot be read, or it is not text; the sentence begins with its name.
    """
    with named_refusals(path):
        return text_of(path).replace("\r\n", "\n").replace("\r", "\n")


def text_of(path: Path) -> str:
    """Read a file of UTF-8 text, lines as they end in the file; refusals do not name it."""
    raw = file_content(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"the file is not UTF-8 text (line {line}): save it as UTF-8") from None
