"""Knowledge in files: TOML and JSON (the arguments of ``Knowledge``), CSV (one statement a line), Tetrad's format."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from hccd.errors import FileFormatError, InvalidParameterError
from hccd.files.content import named_refusals
from hccd.files.text import read_text
from hccd.knowledge.value import Knowledge
from hccd.wording import quoted

_PARTS = ("tiers", "forbidden", "required", "adjacent", "roots", "leaves", "closed_tiers")
_PAIRS = {"forbidden": "forbidden", "required": "required", "adjacent": "adjacent"}
_SINGLE = {"root": "roots", "leaf": "leaves"}
#: The sections of Tetrad's files that name pairs.
_TETRAD = {"forbiddirect": "forbidden", "requiredirect": "required"}


def read_knowledge(path: str | PathLike[str]) -> Knowledge:
    """Read a file of knowledge: ``.toml``, ``.json``, ``.csv``, or Tetrad's, which begins with ``/knowledge``."""
    file = Path(path)
    text = read_text(file)
    with named_refusals(file):
        try:
            if text.lstrip().startswith("/knowledge"):
                return _from_tetrad(text)
            reader = {".toml": _from_toml, ".json": _from_json, ".csv": _from_csv}.get(file.suffix.lower())
            if reader is None:
                raise FileFormatError("this is not a knowledge file: give one that ends in .toml, .json or .csv")
            return reader(text)
        except InvalidParameterError as error:
            raise FileFormatError(str(error)) from None


def from_plain(value: Any, what: str) -> Knowledge:
    """Return the knowledge that plain data are the arguments of."""
    if not isinstance(value, Mapping):
        raise InvalidParameterError(f"{what} is not a table of {', '.join(_PARTS)}")
    for part in value:
        if part not in _PARTS:
            raise InvalidParameterError(f"{what} has a part {quoted(part)}: choose from {', '.join(_PARTS)}")
    return Knowledge(**value)


def _from_toml(text: str) -> Knowledge:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        value = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"this is not TOML ({' '.join(str(error).split())[:200]}): correct it") from None
    return from_plain(value, "the file")


def _from_json(text: str) -> Knowledge:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"this is not JSON ({' '.join(str(error).split())[:200]}): correct it") from None
    return from_plain(value, "the file")


def _from_csv(text: str) -> Knowledge:
    """Read ``forbidden,a,b``, ``required,a,b``, ``adjacent,a,b``, ``root,a``, ``leaf,a``, ``tier,1,a``."""
    parts: dict[str, list[Any]] = {part: [] for part in _PARTS[1:-1]}
    tiers: dict[int, list[str]] = {}
    for number, cells in _csv_lines(text):
        kind, *rest = cells
        if kind in _PAIRS and len(rest) == 2:
            parts[_PAIRS[kind]].append(rest)
        elif kind in _SINGLE and len(rest) == 1:
            parts[_SINGLE[kind]] += rest
        elif kind == "tier" and len(rest) >= 2 and rest[0].isdecimal():
            tiers.setdefault(int(rest[0]), []).extend(rest[1:])
        else:
            raise FileFormatError(
                f"line {number} is {quoted(','.join(cells))}: write forbidden,a,b or required,a,b or adjacent,a,b or "
                "root,a or leaf,a or tier,1,a"
            )
    return Knowledge(tiers=[tiers[number] for number in sorted(tiers)], **parts)


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(), skipinitialspace=True)
    for cells in reader:
        own = [cell.strip() for cell in cells]
        while own and not own[-1]:
            own.pop()
        if own and not own[0].startswith("#"):
            yield reader.line_num, own


def _from_tetrad(text: str) -> Knowledge:
    """Read the sections ``addtemporal``, ``forbiddirect`` and ``requiredirect``; a tier ``2*`` has no edges inside."""
    parts: dict[str, list[Any]] = {"forbidden": [], "required": []}
    tiers: dict[int, list[str]] = {}
    closed: set[int] = set()
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "/knowledge":
            continue
        if len(words) == 1 and (words[0] == "addtemporal" or words[0] in _TETRAD):
            section = words[0]
        elif section == "addtemporal" and (found := re.fullmatch(r"(\d+)(\*?)", words[0])):
            tiers.setdefault(int(found[1]), []).extend(words[1:])
            closed |= {int(found[1])} if found[2] else set()
        elif section in _TETRAD and len(words) == 2:
            parts[_TETRAD[section]].append(words)
        else:
            raise FileFormatError(f"line {number} is {quoted(line.strip())}, which is not read: leave it out")
    numbers = sorted(number for number, names in tiers.items() if names)
    return Knowledge(
        tiers=[tiers[number] for number in numbers],
        closed_tiers=[place for place, number in enumerate(numbers, 1) if number in closed],
        **parts,
    )
