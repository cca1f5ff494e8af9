"""The two streams of a command: results on stdout; notes, warnings and errors on stderr, one line each.

Text may hold names from the user's data, so nothing in it is taken as markup, and what cannot be printed, line breaks
included, is shown by its code. Colour is used on terminals only; rich is imported there and nowhere else.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO

from hccd.wording import one_line

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

_STYLES = {"note": "cyan", "warning": "yellow", "error": "bold red"}


class Stream:
    """A text stream that may be a terminal, may know ASCII only, or may be closed (None)."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file

    @cached_property
    def terminal(self) -> RichConsole | None:
        """The stream for rich, or None if it is no terminal."""
        if self._file is None or not self._file.isatty():
            return None
        from rich.console import Console as RichConsole

        return RichConsole(file=self._file, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def line(self, text: str, *, label: str = "", style: str = "bold") -> None:
        """Write one line; ``label`` comes first, in ``style`` where there is colour."""
        if self._file is None:
            return
        label, text = self._encodable(label), self._encodable(text)
        if self.terminal is not None:
            from rich.text import Text

            self.terminal.print(Text.assemble((label, style), text))
            return
        with self._reader_may_leave():
            self._file.write(f"{label}{text}\n")

    def flush(self) -> None:
        """Write what is buffered, so that a full disk is noticed."""
        if self._file is not None:
            with self._reader_may_leave():
                self._file.flush()

    @contextmanager
    def _reader_may_leave(self) -> Iterator[None]:
        """Write into the void after a reader such as ``head`` has seen enough, or after a failure, which is raised."""
        try:
            yield
        except OSError as error:
            if self._file is not None:
                # Python flushes once more at its end, and must find something to flush to.
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._file.fileno())
            if not isinstance(error, BrokenPipeError):
                raise

    def _encodable(self, text: str) -> str:
        """Show what the stream's encoding does not know by its code."""
        encoding = getattr(self._file, "encoding", None) or "utf-8"
        return one_line(text).encode(encoding, "backslashreplace").decode(encoding)


class Console:
    """Where a command speaks; with ``quiet`` only errors are said."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self._out, self._err = Stream(sys.stdout), Stream(sys.stderr)

    @property
    def progress(self) -> RichConsole | None:
        """The terminal for a line of progress, or None if there is none or none is wanted."""
        return None if self.quiet else self._err.terminal

    def result(self, text: str = "", *, label: str = "") -> None:
        """Say a part of the result."""
        if not self.quiet:
            self._out.line(text, label=label)

    def data(self, value: Any) -> None:
        """Write the whole result as JSON, which was asked for, so it is written with ``quiet`` too."""
        # In ASCII, so that it is the same on every stream and no name can break it.
        for line in json.dumps(value, indent=1, allow_nan=False).split("\n"):
            self._out.line(line)

    def note(self, sentence: str) -> None:
        """Say how something was understood."""
        self._tell("note", sentence)

    def warning(self, sentence: str) -> None:
        """Say what is suspicious."""
        self._tell("warning", sentence)

    def error(self, sentence: str) -> None:
        """Say why nothing came of it."""
        self._tell("error", sentence)

    def flush(self) -> None:
        """Write what is buffered on stdout."""
        self._out.flush()

    def _tell(self, what: str, sentence: str) -> None:
        if what == "error" or not self.quiet:
            self._err.line(sentence, label=f"{what}: ", style=_STYLES[what])
