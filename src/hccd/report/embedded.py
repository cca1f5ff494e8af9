"""Plain data and programs inside HTML, so that no name of a column can end them early or be executed.

JSON is written in ASCII with ``<``, ``>`` and ``&`` by their codes: there is nothing in it that HTML or JavaScript
could take for markup, whatever the names are, halves of surrogate pairs included. The page's policy names its own
script and style by their hashes, so a browser runs nothing else, even if something else got in.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import numpy as np

_CODES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def safe_json(data: Any) -> str:
    """Return plain data as JSON for a ``<script type="application/json">``."""
    return _encoder.encode(data).translate(_CODES)


def policy(script: str, style: str) -> str:
    """Return the content security policy that allows this script and this style alone, and no request.

    Images of the page's own making are allowed: it makes a PNG of its picture by one.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _plain(value: object) -> object:
    """Return a number of numpy, as settings may be, as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a {type(value).__name__} cannot be written to a page")


_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=_plain)
