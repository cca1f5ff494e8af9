"""What the user asked for, as one value, with every number checked before anything is read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hccd.errors import InvalidParameterError


@dataclass(frozen=True)
class Request:
    """One run of ``learn`` or ``demo``; the fields are the options of the same names.

    ``reading`` are the arguments of ``read_table``.
    """

    data: Path
    out: str
    test: str = "auto"
    alpha: float | None = None
    threshold: float | None = None
    method: str = "hccd"
    preset: str = "default"
    scoring: str | None = None
    max_order: int | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    jobs: int = 1
    force: bool = False
    export: tuple[str, ...] = ()
    report: bool | None = None

    def check(self) -> None:
        """Refuse numbers that have no meaning."""
        if self.alpha is not None and not 0.0 < self.alpha < 1.0:
            raise InvalidParameterError(f"--alpha is {self.alpha}; it must lie between 0 and 1, for example 0.01")
        if self.threshold is not None and not 0.0 <= self.threshold < math.inf:
            raise InvalidParameterError(
                f"--threshold is {self.threshold}; it is an amount of information in nats, for example 0.015"
            )
        if self.jobs == 0:
            raise InvalidParameterError("--jobs is 0; give the number of workers, or -1 for one on each core")
