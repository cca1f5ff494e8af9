"""What the user asked for, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hccd.run.options import Options


@dataclass(frozen=True)
class Request:
    """One run of ``learn`` or ``demo``; the fields are the options of the same names.

    ``reading`` are the arguments of ``read_table``.
    """

    data: Path
    out: str
    options: Options = field(default_factory=Options)
    reading: Mapping[str, Any] = field(default_factory=dict)
    force: bool = False
    export: tuple[str, ...] = ()
    report: bool | None = None
    stream: bool = False
