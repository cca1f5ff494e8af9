"""A result's plain data as the text of a file of JSON, and back.

The text is laid out for people as far as that costs nothing: one edge to a line, one column of the evidence to a line,
everything small indented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hccd.errors import FileFormatError
from hccd.files.text import text_of
from hccd.files.whole import write_whole


def read_json(path: Path) -> Mapping[str, Any]:
    """Read a JSON object from a file; one sentence for whatever is wrong, which does not name the file."""
    text = text_of(path)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits and brackets within brackets are refused by Python itself.
        raise FileFormatError(f"the file is not JSON ({str(error)[:200]}): give a graph.json that hccd wrote") from None
    if not isinstance(data, dict):
        raise FileFormatError("the file does not hold a graph: give a graph.json that hccd wrote")
    return data


def write_json(data: Mapping[str, Any], path: Path) -> None:
    """Write the file, complete or not at all."""
    write_whole(path, json_pieces(data))


def json_pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a file that holds ``data``, piece by piece."""
    for i, (key, value) in enumerate(data.items()):
        yield f"{',' if i else '{'}\n {_one_line(key)}: "
        yield _laid_out(value)
    yield "\n}\n"


def _laid_out(value: Any) -> str:
    """Return one part of the file as text.

    Only the encoder without indentation is compiled, so what may be long is cut into lines here.
    """
    if isinstance(value, list) and value and isinstance(value[0], dict):
        lines = ",\n  ".join(map(_one_line, value))
        return f"[\n  {lines}\n ]"
    if isinstance(value, dict) and value and all(map(_is_column, value.values())):
        lines = ",\n  ".join(f"{_one_line(key)}: {_close(part)}" for key, part in value.items())
        return f"{{\n  {lines}\n }}"
    return _indented(value).replace("\n", "\n ") if isinstance(value, dict) else _one_line(value)


def _is_column(part: Any) -> bool:
    """Whether a part is a text or a list of texts and numbers."""
    return isinstance(part, str) or (isinstance(part, list) and not (part and isinstance(part[0], dict | list)))


def _plain(value: object) -> object:
    """Return a number of numpy, as settings may be, as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a {type(value).__name__} cannot be written to a file")


_one_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode
_close = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain, separators=(",", ":")).encode
_indented = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain, indent=1).encode
