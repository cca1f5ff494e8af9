"""The text of a file, packed with gzip or not, or one sentence that says why it cannot be had."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from hccd.errors import FileFormatError

_GZIP = b"\x1f\x8b"
_LONGEST = 60


def shown(text: object, longest: int = _LONGEST) -> str:
    """Show foreign text inside a sentence: in quotes, on one line, shortened when it is very long."""
    whole = str(text)
    return repr(whole if len(whole) <= longest else whole[: longest - 3] + "...")


def read_text(path: Path) -> str:
    """Read a file of UTF-8 text; lines end with a line feed in the result, whatever they end with in the file.

    Raises
    ------
    FileFormatError
        There is no such file, it cannot be read, or it is not text.
    """
    named = f"the file {shown(path, longest=4096)}"
    try:
        raw = path.read_bytes()
        if raw.startswith(_GZIP):
            raw = gzip.decompress(raw)
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise FileFormatError(f"there is no file {shown(path, longest=4096)}: check the name and the folder") from None
    except IsADirectoryError:
        raise FileFormatError(f"{shown(path, longest=4096)} is a folder: give the name of a file in it") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileFormatError(f"{named} is a damaged gzip file ({error}): get it again") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise FileFormatError(f"{named} is not UTF-8 text (line {line}): save it as UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{named} cannot be read ({reason}): check its name and permissions") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
