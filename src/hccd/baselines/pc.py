"""PC (Spirtes, Glymour, Scheines) over an initial graph and a list of edges: the paper's Alg.

For sets of size 0, 1, 2, ... every edge still to be learned is tested given all sets of that size among the
neighbours of either end, and removed at the first independence. Only the skeleton is learned here; orientation
runs once, at the very end. ``stable`` takes the neighbours from the graph as it was at the beginning of the level
(Colombo and Maathuis 2014); the original removes an edge at once.

Candidates are the neighbours of either end, merged and ranked together: by strength (the weaker of the two, strongest
first; a separator must touch both ends) or by number alone. A set must lie among the neighbours of one end. Sets come
in lexicographic order of ranks.

This file has the settings. The levels are in ``_kernels/search/ledger.py``, the walk over the sets of an edge in
``_kernels/search/level.py``; ``tests/reference_pc.py`` says the same in plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Literal

from hccd.errors import InvalidParameterError

Ordering = Literal["strength", "column"]


@dataclass(frozen=True)
class PC:
    """The PC algorithm.

    Parameters
    ----------
    stable : bool
        Whether removed edges disappear at the end of a level (PC-stable) or at once.
    max_order : int or None
        The largest conditioning set; None for no limit.
    ordering : {"strength", "column"}
        Which conditioning sets come first: those associated most strongly with both ends, or by column.
    """

    stable: bool = True
    max_order: int | None = None
    ordering: Ordering = "strength"

    #: A surviving edge was asked about every set, so the home rule holds.
    exhaustive = True

    def validate(self) -> None:
        """Raise an error for invalid settings."""
        check_settings(self.max_order, self.ordering)

    def describe(self) -> dict[str, object]:
        """Name and settings."""
        return {"name": "pc", "stable": self.stable, "max_order": self.max_order, "ordering": self.ordering}


def check_settings(max_order: int | None, ordering: str) -> None:
    """Refuse settings of a baseline that have no meaning."""
    if max_order is not None and not (isinstance(max_order, Integral) and max_order >= 0):
        raise InvalidParameterError(f"max_order is {max_order!r}; give a whole number from 0, or None")
    if ordering not in ("strength", "column"):
        raise InvalidParameterError(f"ordering is {ordering!r}; choose 'strength' or 'column'")
