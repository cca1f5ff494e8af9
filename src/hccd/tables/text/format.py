"""What the user says about a text file, where it should not be left to guessing."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass

from hccd.errors import InvalidParameterError
from hccd.wording import quoted

DELIMITER_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "pipe": "|", "blank": " ",
                   "space": " "}  # fmt: skip


@dataclass(frozen=True)
class TextFormat:
    """How a text file is to be read; None is told from the file.

    Attributes
    ----------
    delimiter
        One character; a blank stands for any number of them.
    encoding
        A codec that Python knows.
    decimal
        ``"."`` or ``","``.
    header
        Whether the first line holds the names.
    na
        Cells that mean "no value" in every column, besides empty ones.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    na: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        delimiter: str | None,
        encoding: str | None,
        decimal: str | None,
        header: bool | None,
        na: Iterable[object] | str,
    ) -> TextFormat:
        """Check what the user said and bring it into normal form."""
        if decimal not in (None, ".", ","):
            raise InvalidParameterError(f"decimal is {decimal!r}; give '.' or ','")
        marks = (na,) if isinstance(na, str) else tuple(str(mark).strip() for mark in na)
        return cls(_delimiter(delimiter), _encoding(encoding), decimal, header, tuple(filter(None, marks)))

    @property
    def said(self) -> list[str]:
        """The names of the settings that only text files have and that were given."""
        given = (self.delimiter, self.encoding, self.decimal, self.header)
        names = ("delimiter", "encoding", "decimal", "header")
        return [name for name, value in zip(names, given, strict=True) if value is not None]


def _delimiter(given: str | None) -> str | None:
    if given is None:
        return None
    delimiter = DELIMITER_NAMES.get(given.lower(), given)
    usable = len(delimiter) == 1 and delimiter.isascii() and not delimiter.isalnum() and delimiter not in '"\r\n.+-_'
    if not usable or not (delimiter.isprintable() or delimiter in "\t\x1f\x1e\x01"):
        raise InvalidParameterError(
            f"delimiter is {quoted(given)}; give one character such as ',', ';' or '|', or tab, blank"
        )
    return delimiter


def _encoding(given: str | None) -> str | None:
    if given is None:
        return None
    try:
        found = codecs.lookup(given)
        # Some codecs of Python turn bytes into bytes, and are no encodings of text.
        "".encode(found.name)
    except (LookupError, ValueError, TypeError):
        raise InvalidParameterError(
            f"encoding is {quoted(given)}, which is not known; give one such as utf-8, latin-1, cp1252 or utf-16"
        ) from None
    return found.name
