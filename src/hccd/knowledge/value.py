"""What is known of a graph before it is learned, as a value over names; and its matrices for a table's columns.

A name may stand for several columns: a list ``"a,b"`` or a range ``"first:last"``; a number that is no name is a
position (``tables/selection.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs.constraints import Constraints, cycle_of
from hccd.tables.selection import selected
from hccd.wording import quoted

Column = str | int
Columns = tuple[Column, ...]
Pair = tuple[Column, Column]


@dataclass(frozen=True, init=False)
class Knowledge:
    """Background knowledge about a graph.

    Parameters
    ----------
    tiers : sequence of sequences of columns
        Columns in the order of time or of causation: no arrow points to an earlier tier.
        Columns in no tier are not restricted.
    forbidden : sequence of pairs
        Arrows (cause, effect) that do not exist. A pair that is forbidden both ways has no edge.
    required : sequence of pairs
        Arrows (cause, effect) that exist.
    adjacent : sequence of pairs
        Columns with an edge between them, in whichever direction.
    roots : sequence of columns
        Columns without causes among the others.
    leaves : sequence of columns
        Columns without effects among the others.
    closed_tiers : bool or sequence of int
        The tiers inside which there are no edges, counted from 1; True for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> import hccd
    >>> rng = np.random.default_rng(1)
    >>> age = rng.normal(size=500); pressure = age + rng.normal(size=500)
    >>> table = np.column_stack([age, pressure])
    >>> hccd.discover(table, names=["age", "pressure"], knowledge=hccd.Knowledge(roots=["age"])).edges()
    [('age', 'pressure', 'directed')]
    """

    tiers: tuple[Columns, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    required: tuple[Pair, ...] = ()
    adjacent: tuple[Pair, ...] = ()
    roots: Columns = ()
    leaves: Columns = ()
    closed_tiers: tuple[int, ...] = ()

    def __init__(
        self,
        tiers: Iterable[Iterable[object] | str] = (),
        forbidden: Iterable[Sequence[object]] = (),
        required: Iterable[Sequence[object]] = (),
        adjacent: Iterable[Sequence[object]] = (),
        roots: Iterable[object] | str = (),
        leaves: Iterable[object] | str = (),
        closed_tiers: bool | Iterable[int] = (),
    ) -> None:
        own = tuple(_columns("tiers", tier) for tier in _listed("tiers", tiers))
        if isinstance(closed_tiers, bool):
            closed: tuple[int, ...] = tuple(range(1, len(own) + 1)) if closed_tiers else ()
        else:
            closed = tuple(sorted(set(_listed("closed_tiers", closed_tiers))))
        if any(isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= len(own) for one in closed):
            raise InvalidParameterError(
                f"closed_tiers of the knowledge is {closed_tiers!r}, and there are {len(own)} tiers: count from 1"
            )
        values = {
            "tiers": own,
            "forbidden": _pairs("forbidden", forbidden),
            "required": _pairs("required", required),
            "adjacent": _pairs("adjacent", adjacent),
            "roots": _columns("roots", roots),
            "leaves": _columns("leaves", leaves),
            "closed_tiers": closed,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __bool__(self) -> bool:
        return any(self.describe().values())

    def describe(self) -> dict[str, Any]:
        """Return what is known as plain data, as the arguments of ``Knowledge``; what is empty is left out."""
        plain = {
            "tiers": [list(tier) for tier in self.tiers],
            **{name: [list(pair) for pair in getattr(self, name)] for name in ("forbidden", "required", "adjacent")},
            "roots": list(self.roots),
            "leaves": list(self.leaves),
            "closed_tiers": list(self.closed_tiers),
        }
        return {name: value for name, value in plain.items() if value}

    def tells_apart(self, x: str, y: str) -> bool:
        """Whether the knowledge distinguishes two columns, by name, other than by their common tier."""
        pairs = (*self.forbidden, *self.required, *self.adjacent)
        named = {column for part in (*pairs, self.roots, self.leaves) for column in part}
        tiers = [number for number, tier in enumerate(self.tiers, start=1) if x in tier or y in tier]
        together = all(x in tier and y in tier for tier in self.tiers if x in tier or y in tier)
        return x in named or y in named or not together or any(number in self.closed_tiers for number in tiers)

    def constraints(self, names: Sequence[str]) -> Constraints:
        """Return what is known as matrices over the columns of these names.

        Raises
        ------
        InvalidParameterError
            A name is no column, or what is known contradicts itself.
        """
        n = len(names)
        tier = self._tier_of(names)
        forbidden, adjacent = np.zeros((n, n), bool), np.zeros((n, n), bool)
        in_tiers = tier >= 0
        forbidden |= (tier[:, None] > tier[None, :]) & in_tiers[:, None] & in_tiers[None, :]
        closed = np.isin(tier, [one - 1 for one in self.closed_tiers])
        forbidden |= (tier[:, None] == tier[None, :]) & closed[:, None]
        forbidden[:, _places(names, self.roots)] = True
        forbidden[_places(names, self.leaves), :] = True
        for x, y in _each(names, self.forbidden):
            forbidden[x, y] = True
        for x, y in _each(names, self.adjacent):
            adjacent[x, y] = adjacent[y, x] = True
        np.fill_diagonal(forbidden, False)
        directed = sorted(set(_each(names, self.required)))
        for x, y in directed:
            if forbidden[x, y]:
                raise InvalidParameterError(
                    f"the knowledge requires {_arrow(names, x, y)}, but {self._why(names, tier, x, y)}: "
                    "drop one of them"
                )
            adjacent[x, y] = adjacent[y, x] = True
        clash = np.argwhere(adjacent & forbidden & forbidden.T)
        if len(clash):
            x, y = clash[0].tolist()
            raise InvalidParameterError(
                f"the knowledge requires an edge between {quoted(names[x])} and {quoted(names[y])}, but "
                f"{self._why(names, tier, x, y)}, and {self._why(names, tier, y, x)}: drop one of them"
            )
        arrows = np.array(directed, np.int32).reshape(-1, 2)
        one_way = np.argwhere(adjacent & forbidden.T).astype(np.int32)
        arrows = np.concatenate([arrows, one_way])
        cycle = cycle_of(n, arrows[:, 0], arrows[:, 1])
        if cycle is not None:
            shown = " -> ".join(quoted(names[v]) for v in (*cycle, cycle[0]))
            raise InvalidParameterError(f"the knowledge requires the cycle {shown}: drop one of its edges")
        for x, y in directed:
            forbidden[y, x] = True
        return Constraints(forbidden, adjacent)

    def resolved(self, names: Sequence[str]) -> Knowledge:
        """Return the same with every list and range as single columns, each part in the order of the table."""
        pairs = {
            part: [(names[x], names[y]) for x, y in _each(names, getattr(self, part))]
            for part in ("forbidden", "required", "adjacent")
        }
        return Knowledge(
            tiers=[[names[v] for v in _places(names, tier)] for tier in self.tiers],
            **pairs,
            roots=[names[v] for v in _places(names, self.roots)],
            leaves=[names[v] for v in _places(names, self.leaves)],
            closed_tiers=self.closed_tiers,
        )

    def _tier_of(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Return the tier of each column from 0, or -1."""
        tier = np.full(len(names), -1)
        for number, columns in enumerate(self.tiers):
            for v in _places(names, columns):
                if tier[v] >= 0:
                    raise InvalidParameterError(
                        f"the knowledge has {quoted(names[v])} in tier {tier[v] + 1} and in tier {number + 1}: "
                        "leave it in one"
                    )
                tier[v] = number
        return tier

    def _why(self, names: Sequence[str], tier: NDArray[np.int64], x: int, y: int) -> str:
        """Say what forbids an arrow."""
        if (x, y) in set(_each(names, self.forbidden)):
            return f"{_arrow(names, x, y)} is forbidden"
        if y in _places(names, self.roots):
            return f"{quoted(names[y])} is a root"
        if x in _places(names, self.leaves):
            return f"{quoted(names[x])} is a leaf"
        if tier[x] == tier[y]:
            return f"both are in tier {tier[x] + 1}, which has no edges inside"
        return f"{quoted(names[y])} is in tier {tier[y] + 1} and {quoted(names[x])} in tier {tier[x] + 1}"


def _listed(part: str, value: Any) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidParameterError(f"{part} of the knowledge is {value!r}: give a list")
    return list(value)


def _columns(part: str, value: Any) -> Columns:
    """Return columns; one text may stand alone."""
    return tuple(map(_column, [value] if isinstance(value, str) else _listed(part, value)))


def _column(value: object) -> Column:
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else str(value)


def _pairs(part: str, value: Any) -> tuple[Pair, ...]:
    pairs = []
    for pair in _listed(part, value):
        ends = _listed(part, pair)
        if len(ends) != 2:
            raise InvalidParameterError(f"{part} of the knowledge has {pair!r}: give pairs of two columns")
        pairs.append((_column(ends[0]), _column(ends[1])))
    return tuple(pairs)


def _places(names: Sequence[str], columns: Columns) -> list[int]:
    try:
        return selected(names, columns, "use in the knowledge") if columns else []
    except InvalidDataError as error:
        raise InvalidParameterError(f"{error}") from None


def _each(names: Sequence[str], pairs: Iterable[Pair]) -> list[tuple[int, int]]:
    """Return the positions of all pairs that are meant."""
    found = []
    position: dict[Column, list[int]] = {name: [i] for i, name in enumerate(names)}
    for first, last in pairs:
        tails = position.get(first) or _places(names, (first,))
        heads = position.get(last) or _places(names, (last,))
        both = [(x, y) for x in tails for y in heads if x != y]
        if not both:
            raise InvalidParameterError(f"the knowledge has an edge from {quoted(first)} to itself: leave it out")
        found += both
    return found


def _arrow(names: Sequence[str], x: int, y: int) -> str:
    return f"{quoted(names[x])} -> {quoted(names[y])}"
