"""From the bytes of a file to text: which encoding it has, and whether it is text at all."""

from __future__ import annotations

import codecs

from hccd.errors import FileFormatError
from hccd.wording import quoted

_CONTROL_CHARACTERS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a\x1c\x1d\x1e\x1f\x01"))
_SAMPLE = 65536
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF16_LE: "utf-16",
          codecs.BOM_UTF16_BE: "utf-16"}  # fmt: skip


def decoded(content: bytes, encoding: str | None = None) -> tuple[bytes, list[str]]:
    """Return the text of a file as UTF-8, with a note if its encoding was a guess; refuse what is no text.

    Without ``encoding`` a byte order mark decides; then UTF-8, if the bytes are that; UTF-16 without a mark, which
    shows by a zero in every second byte; and else Windows-1252, or Latin-1 where that has no such character.
    """
    text, notes = _named(content, encoding) if encoding else _guessed(content)
    text = text.removeprefix(codecs.BOM_UTF8)
    place = text.find(b"\0")
    if place >= 0:
        line = text.count(b"\n", 0, place) + 1
        raise FileFormatError(f"line {line:,} holds a NUL character, so the file is damaged or no text: save it as CSV")
    return text, notes


def _named(content: bytes, encoding: str) -> tuple[bytes, list[str]]:
    try:
        return content.decode(encoding).encode(), []
    except UnicodeError as error:
        place = getattr(error, "start", None)
        where = "" if place is None else f" from byte {place + 1:,} on"
        raise FileFormatError(f"the file is not in the encoding {quoted(encoding)}{where}: name another one") from None


def _guessed(content: bytes) -> tuple[bytes, list[str]]:
    for mark, name in _MARKS.items():
        if content.startswith(mark):
            try:
                return content.decode(name).encode(), []
            except UnicodeError:
                raise FileFormatError(
                    f"the file is marked as {name.upper()} text but is damaged: save it as UTF-8"
                ) from None
    unmarked = _utf16_without_mark(content)
    if unmarked:
        return content.decode(unmarked).encode(), [f"the file has no byte-order mark and is read as {unmarked.upper()}"]
    head = content[:_SAMPLE]
    controls = len(head) - len(head.translate(None, _CONTROL_CHARACTERS))
    if 100 * controls > len(head):
        raise FileFormatError("the file is not a table of text, nor Parquet or Arrow: save the data as CSV")
    try:
        content.decode("utf-8")
        return content, []
    except UnicodeDecodeError:
        pass
    if b"\0" in head:
        raise FileFormatError("the file is not a table of text, nor Parquet or Arrow: save the data as CSV")
    note = ["the file is not UTF-8 and is read as Windows-1252 (Latin-1)"]
    try:
        return content.decode("cp1252").encode(), note
    except UnicodeDecodeError:
        return content.decode("latin-1").encode(), note


def _utf16_without_mark(content: bytes) -> str:
    """Return the name of the encoding if every second byte is almost always zero and the other almost never."""
    head = content[:_SAMPLE]
    if len(content) % 2 or len(head) < 4:
        return ""
    zeros = [2 * head[side::2].count(0) / len(head) for side in (0, 1)]
    for name, (low, high) in (("utf-16-le", zeros), ("utf-16-be", zeros[::-1])):
        if low < 0.01 and high > 0.7:
            try:
                content.decode(name)
            except UnicodeDecodeError:
                return ""
            return name
    return ""
