"""What is known of the graph, as a check says it: how many pairs it settles, what it forbids and requires by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.knowledge import Knowledge
from hccd.tables.relations import plain_name
from hccd.wording import counted, listed


def known_line(knowledge: Knowledge, names: Sequence[str]) -> str:
    """Say in one line what knowledge leaves open; nothing if nothing is known.

    Raises
    ------
    InvalidParameterError
        It contradicts itself, or names a column that there is not.
    """
    if not knowledge:
        return ""
    known = knowledge.constraints(names)
    n = len(names)
    one_way = known.forbidden & ~known.forbidden.T & ~known.adjacent
    parts = [
        _named(known.excluded, names, "has no edge", "have no edge", "--"),
        _named(known.adjacent & ~known.required & ~known.required.T, names, "has an edge", "have an edge", "--"),
        _named(known.required, names, "is an arrow", "are arrows", "->"),
        _named(one_way.T, names, "has only one possible direction", "have only one possible direction", "->"),
    ]
    said = listed([part for part in parts if part]) if any(parts) else "none is determined"
    return f"of {counted(n * (n - 1) // 2, 'pair')} {said}"


def contradiction(knowledge: Knowledge, names: Sequence[str]) -> str:
    """Return how knowledge contradicts itself or the table; nothing if it does not."""
    try:
        knowledge.constraints(names)
    except InvalidParameterError as refusal:
        return str(refusal)
    return ""


def _named(pairs: NDArray[np.bool_], names: Sequence[str], one: str, several: str, sign: str) -> str:
    """Count pairs and name a few."""
    which = np.argwhere(np.triu(pairs) if sign == "--" else pairs).tolist()
    if not which:
        return ""
    shown = [f"{plain_name(names[x])} {sign} {plain_name(names[y])}" for x, y in which[:3]]
    more = ", ..." if len(which) > 3 else ""
    return f"{len(which):,} {one if len(which) == 1 else several} ({', '.join(shown)}{more})"
