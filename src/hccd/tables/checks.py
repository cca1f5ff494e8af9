"""What is refused when a table is made, and the sentences that say so.

Each refusal is one sentence: which columns (five at most by name), what is wrong with them, what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidDataError, NotEnoughDataError, all_of
from hccd.tables.columns import Array, Flaw, FlawedColumn, RawColumn
from hccd.wording import columns_named, counted, listed, quoted

FEWEST_ROWS = 10
FEWEST_COLUMNS = 2


def shape_problems(
    names: Sequence[str], columns: Sequence[RawColumn] | Array, weights: NDArray[np.float64] | None = None
) -> list[InvalidDataError]:
    """Return what is wrong with tables that are too small, ragged, or have repeated names."""
    if len(names) != len(columns):
        given = f"{counted(len(names), 'name')} given for {counted(len(columns), 'column')}"
        return [InvalidDataError(f"{given}: give one name for each column")]
    found: list[InvalidDataError] = []
    if len(columns) < FEWEST_COLUMNS:
        found.append(
            NotEnoughDataError(f"the data have {counted(len(columns), 'column')}: at least {FEWEST_COLUMNS} are needed")
        )
    if not len(columns):
        return found
    try:
        check_unique(names)
    except InvalidDataError as repeated:
        found.append(repeated)
    lengths = {columns.shape[1]} if isinstance(columns, np.ndarray) else {len(column) for column in columns}
    if len(lengths) > 1:
        longest, shortest = max(lengths), min(lengths)
        short = next(name for name, column in zip(names, columns, strict=True) if len(column) == shortest)
        sentence = (
            f"the columns differ in length: {quoted(short)} has {counted(shortest, 'row')} where another has "
            f"{longest:,}; give every column the same number of rows"
        )
        return [*found, InvalidDataError(sentence)]
    rows = lengths.pop() if weights is None else int(weights.sum())
    if rows < FEWEST_ROWS:
        weighted = "" if weights is None else " by their weights"
        sentence = f"the data have {counted(rows, 'row')}{weighted}: at least {FEWEST_ROWS} are needed"
        found.append(NotEnoughDataError(sentence))
    return found


def check_shape(
    names: Sequence[str], columns: Sequence[RawColumn] | Array, weights: NDArray[np.float64] | None = None
) -> None:
    """Refuse tables that are too small, ragged, or have repeated names."""
    problems = shape_problems(names, columns, weights)
    if problems:
        raise all_of(problems)


def check_unique(names: Sequence[str], advice: str = "rename or drop the repeated columns") -> None:
    """Refuse repeated column names, naming them."""
    if len(set(names)) == len(names):
        return
    repeated = [name for name, times in Counter(names).items() if times > 1]
    raise InvalidDataError(
        f"the column name{'' if len(repeated) == 1 else 's'} {listed(list(map(quoted, repeated)))} "
        f"occur{'s' if len(repeated) == 1 else ''} more than once: {advice}"
    )


def check_one_kind(
    names: Sequence[str], discrete: Collection[int], continuous: Collection[int], ordinal: Collection[int]
) -> None:
    """Refuse columns that are said to be of two kinds."""
    said = {"discrete": set(discrete), "continuous": set(continuous), "ordinal": set(ordinal)}
    for first, second in combinations(said, 2):
        both = sorted(said[first] & said[second])
        if both:
            raise InvalidDataError(
                f"{columns_named([names[i] for i in both])} cannot be both {first} and {second}: choose one"
            )


_ADVICE = {
    Flaw.NESTED: ("holds lists or other nested values", "give each part a column of its own or drop it"),
    Flaw.COMPLEX: ("holds complex numbers", "replace it by real numbers, such as the size and the angle"),
    Flaw.DATE: ("holds dates or times", "turn it into a number, such as days since a start, or drop it"),
    Flaw.BYTES: ("holds bytes", "decode it into text or drop it"),
    Flaw.MIXED: ("mixes numbers and text ({example})", "make it all numbers or all text"),
    Flaw.EMPTY: ("holds no value at all", "drop it"),
    Flaw.FOREIGN: ("holds values of type {example}", "turn it into numbers or text, or drop it"),
}


def flaw_problems(names: Sequence[str], flaws: Mapping[int, FlawedColumn]) -> dict[Flaw, InvalidDataError]:
    """Return a refusal for each kind of flaw, with the options that would go on."""
    problems = {}
    for flaw, sentence in flaw_sentences(names, flaws).items():
        which = [names[i] for i, column in sorted(flaws.items()) if column.flaw is flaw]
        go_on: dict[str, Any] = {"drop": which} if len(names) - len(flaws) >= FEWEST_COLUMNS else {}
        if flaw is Flaw.MIXED:
            go_on = {"discrete": which}
        problems[flaw] = InvalidDataError(sentence, go_on=go_on)
    return problems


def flaw_sentences(names: Sequence[str], flaws: Mapping[int, FlawedColumn]) -> dict[Flaw, str]:
    """Write one sentence for each kind of flaw, the gravest first."""
    sentences: dict[Flaw, str] = {}
    for flaw in Flaw:
        found = [(names[i], column) for i, column in sorted(flaws.items()) if column.flaw is flaw]
        if not found:
            continue
        if flaw is Flaw.INFINITE:
            cells = cells_counted("infinite", [(name, column.cells) for name, column in found])
            sentences[flaw] = f"the data have {cells}: remove or replace them"
        else:
            what, advice = _ADVICE[flaw]
            phrases = [f"column {quoted(name)} {what.format(example=column.example)}" for name, column in found]
            sentences[flaw] = f"{listed(phrases)}: {advice}"
    return sentences


def cells_counted(what: str, columns: Sequence[tuple[str, int]]) -> str:
    """Say how many such values there are in which columns, five of them by name."""
    (name, cells), *others = columns
    first = f"{counted(cells, f'{what} value')} in {quoted(name)}"
    return listed([first, *(f"{more:,} in {quoted(other)}" for other, more in others)])
