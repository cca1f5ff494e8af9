"""A pass that counts the distinct rows of columns whose states are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hccd.streams.cells import Coder
from hccd.streams.distinct import Distinct
from hccd.streams.look import column_of


@dataclass(eq=False)
class CodedRows:
    """Distinct rows of columns, by the places of their values among the states."""

    names: Sequence[str]
    coders: Sequence[Coder]
    distinct: Distinct = field(default_factory=Distinct)

    def further(self) -> CodedRows:
        """Return those of no rows."""
        return CodedRows(self.names, self.coders)

    def add(self, _start: int, batch: Any) -> None:
        """Count the next rows."""
        own = zip(self.names, self.coders, strict=True)
        self.distinct.add(np.array([coder(column_of(batch, name)) for name, coder in own]))

    def merge(self, later: CodedRows) -> None:
        """Add those of the rows that follow."""
        self.distinct.merge(later.distinct)
