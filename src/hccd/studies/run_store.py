"""Finished runs in a file of JSON lines, each written as soon as it is done: what is interrupted goes on where it was.

A later line of the same run replaces an earlier one. A line that cannot be read was being written when the program was
killed: it is passed over, and its run is made again. Studies and benchmarks keep their runs here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

from hccd.errors import InvalidParameterError

Case = dict[str, Any]
Row = dict[str, Any]


def key_of(case: Mapping[str, Any]) -> str:
    """Return a run's description as text: what it is found by."""
    return json.dumps(case, sort_keys=True)


class RunStore:
    """The finished runs in a file.

    Parameters
    ----------
    path : Path
        The file; created if it does not exist.
    heading : mapping, optional
        What decides the results apart from the case; it is the first line, and a file with another one is refused, so
        that runs of different settings are never mixed.
    case_of : callable
        Finds in a run what tells it apart from others.

    Attributes
    ----------
    runs : dict
        The runs by the key of their case, in the order of first appearance.
    """

    def __init__(
        self,
        path: Path,
        heading: Mapping[str, Any] | None = None,
        case_of: Callable[[Row], Mapping[str, Any]] = itemgetter("case"),
    ) -> None:
        self.path = path
        self._case_of = case_of
        self.runs: dict[str, Row] = {}
        first = "" if heading is None else json.dumps({"runs": heading}, sort_keys=True) + "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if first and "\n" not in text:
            # Not even the heading was finished.
            text = first
            path.write_text(text, encoding="utf-8")
        if not text.startswith(first):
            raise InvalidParameterError(
                f"{str(path)!r} holds runs of other settings (another scale, folder or version): choose another --out"
            )
        for line in text.removeprefix(first).splitlines():
            with suppress(ValueError, KeyError, TypeError):
                run = json.loads(line)
                self.runs[key_of(case_of(run))] = run
        if text and not text.endswith("\n"):
            # The next line must not be glued to one that was cut off.
            self._append("\n")

    def find(self, case: Mapping[str, Any]) -> Row | None:
        """Return a run; None if it has not been made."""
        return self.runs.get(key_of(case))

    def add(self, run: Row) -> None:
        """Keep a run; it is on the disk when this returns."""
        self._append(json.dumps(run, sort_keys=True) + "\n")
        self.runs[key_of(self._case_of(run))] = run

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
