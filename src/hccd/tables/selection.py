"""Columns as a user names them: one by one, as a list, or as a range.

An item is first taken as the name of a column, whatever characters that has; ``"a,b"`` is the column of that name if
there is one. Only otherwise it is a list separated by commas, whose parts are names or ranges ``first:last`` (both ends
included, in the order of the table); a part in double quotation marks may hold commas.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral

from hccd.errors import InvalidDataError, all_of
from hccd.wording import closest, listed, quoted


def selected(names: Sequence[str], wanted: Iterable[object] | str, to: str) -> list[int]:
    """Return the positions of the columns that are meant, in the order of the table.

    Parameters
    ----------
    names
        The columns of the table.
    wanted
        Names, lists, ranges; a whole number is a name if there is a column of that name, else a position from 0.
    to
        What they are wanted for, as in "there is no column 'x' to drop".

    Raises
    ------
    InvalidDataError
        Something names no column.

    Examples
    --------
    >>> selected(["a", "b", "c", "a,c"], ["b:c"], "drop")
    [1, 2]
    >>> selected(["a", "b", "c", "a,c"], ["a,c"], "drop"), selected(["a", "b", "c"], ["a,c"], "drop")
    ([3], [0, 2])
    """
    position = {name: i for i, name in enumerate(names)}
    found: set[int] = set()
    unknown: list[str] = []
    for item in [wanted] if isinstance(wanted, str) else wanted:
        for part, places in _parts(item, position):
            found.update(places)
            unknown += [] if places else [part]
    if unknown:
        near = [closest(name, names, 1) for name in unknown]
        meant = f" (did you mean {listed([quoted(names[0]) for names in near])}?)" if near and all(near) else ""
        raise InvalidDataError(
            f"there is no column {listed([quoted(name) for name in unknown])} to {to}: "
            f"the columns are {listed([quoted(name) for name in names])}{meant}"
        )
    return sorted(found)


def selections(names: Sequence[str], wanted: Mapping[str, Iterable[object] | str]) -> list[list[int]]:
    """Return the columns for each of several purposes; what names no column is refused for all of them at once."""
    tried = [_tried(names, items, to) for to, items in wanted.items()]
    refusals = [each for each in tried if isinstance(each, InvalidDataError)]
    if refusals:
        raise all_of(refusals)
    return [each for each in tried if not isinstance(each, InvalidDataError)]


def _tried(names: Sequence[str], items: Iterable[object] | str, to: str) -> list[int] | InvalidDataError:
    try:
        return selected(names, items, to)
    except InvalidDataError as refusal:
        return refusal


def _parts(item: object, position: Mapping[str, int]) -> list[tuple[str, list[int]]]:
    """Return the parts of an item with the columns each means; none where it means nothing."""
    text = str(item)
    places = _places(text, position)
    if places or "," not in text:
        if not places and isinstance(item, Integral) and 0 <= int(item) < len(position):
            places = [int(item)]
        return [(text, places)]
    try:
        parts = next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        parts = [text]
    found = [(part, _places(part, position) or _places(part.strip(), position)) for part in parts if part.strip()]
    return found if any(places for _, places in found) else [(text, [])]


def _places(text: str, position: Mapping[str, int]) -> list[int]:
    """Return the column of this name, or the columns of this range; names may hold colons themselves."""
    if text in position:
        return [position[text]]
    cuts = [i for i, character in enumerate(text) if character == ":"]
    for cut in cuts:
        first, last = position.get(text[:cut]), position.get(text[cut + 1 :])
        if first is not None and last is not None and first <= last:
            return list(range(first, last + 1))
    return []
