"""What is finished, kept in a file that grows by one line for each run: a killed study goes on where it was.

The first line says which runs these are, so that runs of different settings are never mixed. A last line without an
end was being written when the program was killed: it is dropped, and its run is made again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hccd.errors import InvalidParameterError

Case = dict[str, Any]
Row = dict[str, Any]


def key_of(case: Mapping[str, Any]) -> str:
    """Return a run's description as text: what it is found by."""
    return json.dumps(case, sort_keys=True)


class Ledger:
    """The finished runs of a study in a file.

    Parameters
    ----------
    path : Path
        The file; made if need be.
    heading : mapping
        What decides the results apart from the case. A file with another heading is refused.
    """

    def __init__(self, path: Path, heading: Mapping[str, Any]) -> None:
        self.path = path
        first = json.dumps({"runs": heading}, sort_keys=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        lines = whole.splitlines()
        if lines and lines[0] != first:
            raise InvalidParameterError(
                f"{str(path)!r} holds runs of other settings (another scale, folder or version): choose another --out"
            )
        try:
            entries = [json.loads(line) for line in lines[1:]]
            self.rows: dict[str, list[Row]] = {key_of(entry["case"]): entry["rows"] for entry in entries}
        except (ValueError, KeyError, TypeError):
            raise InvalidParameterError(f"{str(path)!r} is damaged: delete it, or choose another --out") from None
        if not lines:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(first + "\n", encoding="utf-8")
        elif whole != text:
            path.write_text(whole, encoding="utf-8")

    def add(self, case: Case, rows: Sequence[Row]) -> None:
        """Keep what a run found."""
        self.rows[key_of(case)] = list(rows)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"case": case, "rows": list(rows)}, sort_keys=True) + "\n")

    def __contains__(self, case: object) -> bool:
        return isinstance(case, dict) and key_of(case) in self.rows
