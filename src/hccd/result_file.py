"""A result's plain data as a file of JSON, and back: written quickly, complete or not at all.

The text is laid out for people as far as that costs nothing: one edge to a line, one column of the evidence to a line,
everything small indented.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hccd.errors import FileFormatError


def read_json(path: Path) -> Mapping[str, Any]:
    """Read a JSON object from a file, with one sentence for whatever is wrong with it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileFormatError(f"there is no file {str(path)!r}: check the path") from None
    except OSError as error:
        reason = error.strerror or error
        raise FileFormatError(f"the file {str(path)!r} cannot be read ({reason}): check the path") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"the file {str(path)!r} is not UTF-8 text: give a graph.json that hccd wrote") from None
    except (ValueError, RecursionError) as error:
        # Numbers of thousands of digits and brackets within brackets are refused by Python itself.
        raise FileFormatError(
            f"the file {str(path)!r} is not JSON ({str(error)[:200]}): give a graph.json that hccd wrote"
        ) from None
    if not isinstance(data, dict):
        raise FileFormatError(f"the file {str(path)!r} does not hold a graph: give a graph.json that hccd wrote")
    return data


def write_json(data: Mapping[str, Any], path: Path) -> None:
    """Write beside the target first and then move, so that a failure leaves no half of a file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            for i, (key, value) in enumerate(data.items()):
                file.write(f"{',' if i else '{'}\n {_one_line(key)}: ")
                file.write(_laid_out(value))
            file.write("\n}\n")
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


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


def _umask() -> int:
    """Return the process's mask, which mkstemp does not honour."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
