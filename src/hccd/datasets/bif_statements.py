"""The Bayesian interchange format, first half: from text to statements.

A statement is what stands before a ``;``, a ``{`` or a ``}``. Comments are blanked out, quoted names are respected, and
each statement remembers where it stands, so that whatever is wrong with it can be told with its line. What the
statements mean is the business of `hccd.datasets.bif`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from hccd.errors import FileFormatError
from hccd.wording import quoted

_QUOTED = r'"[^"\n]*"'
_COMMENT = re.compile(rf"{_QUOTED}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_QUOTED_OR_END = re.compile(rf"{_QUOTED}|[;{{}}]")
_LEXEME = re.compile(rf'{_QUOTED}|[,|]|[^\s,|"]+')


class Statement(NamedTuple):
    """A piece of a file: its text, the mark that ends it (``;``, ``{`` or ``}``), and where it begins."""

    text: str
    end: str
    offset: int

    @property
    def keyword(self) -> str:
        """The first word, also where a bracket follows it without a blank."""
        words = self.text.split(None, 1)
        return words[0].partition("(")[0] if words else ""


@dataclass(frozen=True)
class BIFText:
    """The text of a file without its comments, and the file's name for sentences."""

    text: str
    origin: str

    @classmethod
    def of(cls, text: str, origin: str) -> BIFText:
        """Blank out the comments, keeping every line where it was."""
        if "//" in text or "/*" in text:
            text = _COMMENT.sub(_blank, text)
        return cls(text, origin)

    def error(self, offset: int, sentence: str) -> FileFormatError:
        """Make the error for what stands at or after a place in the text."""
        start = len(self.text) - len(self.text[offset:].lstrip())
        line = self.text.count("\n", 0, start) + 1
        return FileFormatError(f"{self.origin}, line {line}: {sentence}")

    def statements(self) -> list[Statement]:
        """Cut the text into statements.

        Raises
        ------
        FileFormatError
            A quotation mark has no partner in its line, or the text ends in the middle of a statement.
        """
        found = []
        start = 0
        for match in _QUOTED_OR_END.finditer(self.text):
            end = match.group()
            if len(end) == 1:
                found.append(Statement(self.text[start : match.start()], end, start))
                start = match.end()
        unpaired = re.sub(_QUOTED, lambda quoted: " " * len(quoted.group()), self.text).find('"')
        if unpaired >= 0:
            raise self.error(unpaired, "a quotation mark has no partner in this line; add it")
        if rest := self.text[start:].strip():
            raise self.error(start, f"the file ends in the middle of a statement, {quoted(rest)}; get the whole file")
        return found


def _blank(match: re.Match[str]) -> str:
    text = match.group()
    return text if text.startswith('"') else " " + "\n" * text.count("\n")


def readings(text: str) -> tuple[list[str], list[str]]:
    """Return the two ways to read a list of names: with commas between names, and with one name per word.

    The format knows both: commas are blanks to it, but many programs write names of several words without quotation
    marks and rely on the commas.

    Examples
    --------
    >>> readings('very low, "a, b"')
    (['very low', 'a, b'], ['very', 'low', 'a, b'])
    """
    between: list[list[str]] = [[]]
    for lexeme in _LEXEME.findall(text):
        if lexeme in (",", "|"):
            between.append([])
        else:
            between[-1].append(lexeme.strip('"') if lexeme.startswith('"') else lexeme)
    return [" ".join(words) for words in between if words], [word for words in between for word in words]


def split_at_bar(text: str) -> tuple[str, str]:
    """Cut ``child | parents`` in two; the second part is empty if there is no bar outside quotation marks."""
    for match in re.finditer(rf"{_QUOTED}|\|", text):
        if match.group() == "|":
            return text[: match.start()], text[match.end() :]
    return text, ""
