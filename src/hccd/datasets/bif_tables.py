"""The Bayesian interchange format: the probabilities of one variable, from the statements of its block."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hccd.datasets.bif_statements import BIFText, Statement, readings
from hccd.datasets.discrete_network import row_that_is_no_distribution
from hccd.datasets.synthetic import Floats
from hccd.errors import FileFormatError
from hccd.wording import quoted

# No repetition inside a repetition can match the same text: a row without its bracket must not take for ever.
_ROW = re.compile(r'\s*\(([^()"]*(?:"[^"\n]*"[^()"]*)*)\)')


@dataclass(frozen=True)
class TableReader:
    """Reads the probabilities of one variable.

    Attributes
    ----------
    source : BIFText
        Where the statements come from.
    child : str
        The variable.
    n_states : int
        How many states it has.
    parent_states : list of dict
        For each parent the numbers of its states.
    """

    source: BIFText
    child: str
    n_states: int
    parent_states: list[dict[str, int]]

    @property
    def n_rows(self) -> int:
        """Number of combinations of the parents' states."""
        return math.prod(map(len, self.parent_states))

    def read(self, head: Statement, body: list[Statement]) -> Floats:
        """Read the body of a probability block into a table, one row for each combination of the parents' states."""
        rows: dict[int, tuple[list[float], Statement]] = {}
        default: tuple[list[float], Statement] | None = None
        for statement in body:
            keyword = statement.keyword
            if keyword == "property" or not statement.text.strip():
                continue
            if keyword == "table":
                return self._whole(statement)
            if keyword == "default":
                default = self._probabilities(statement, "default"), statement
                continue
            row, values = self._row(statement)
            if row in rows:
                raise self.source.error(
                    statement.offset, f"these states of {quoted(self.child)}'s parents have a row already; keep one"
                )
            rows[row] = values, statement
        if len(rows) < self.n_rows and default is None:
            raise self.source.error(
                head.offset,
                f"{quoted(self.child)} needs {self.n_rows} rows of probabilities, one for each combination of its "
                f"parents' states, and has {len(rows)}",
            )
        ordered = [rows.get(row, default) for row in range(self.n_rows)]
        table = np.array([entry[0] for entry in ordered if entry is not None])
        bad = row_that_is_no_distribution(table)
        if bad is not None:
            values, statement = ordered[bad] or ([], head)
            raise self._no_distribution(statement, math.fsum(values))
        return table

    def _row(self, statement: Statement) -> tuple[int, list[float]]:
        """Read ``(state, state) p, p``."""
        found = _ROW.match(statement.text)
        if found is None:
            begin = quoted(" ".join(statement.text.split()))
            raise self.source.error(
                statement.offset, f"'table', 'default' or '(states) probabilities' is expected, not {begin}"
            )
        inside = found.group(1)
        # Nearly all rows are of this kind, and there may be tens of thousands of them.
        states = [] if '"' in inside else [state.strip() for state in inside.split(",")]
        row = self._row_number(states)
        if row is None:
            row = next((n for n in map(self._row_number, readings(inside)) if n is not None), None)
        if row is None:
            raise self._unknown_states(statement, readings(inside)[0])
        return row, self._probabilities(statement, statement.text[: found.end()])

    def _row_number(self, states: Sequence[str]) -> int | None:
        """Return the row for states of the parents, or None if they are no such states."""
        if len(states) != len(self.parent_states):
            return None
        row = 0
        for state, known in zip(states, self.parent_states, strict=True):
            code = known.get(state)
            if code is None:
                return None
            row = row * len(known) + code
        return row

    def _unknown_states(self, statement: Statement, states: Sequence[str]) -> FileFormatError:
        if len(states) != len(self.parent_states):
            return self.source.error(
                statement.offset,
                f"{len(states)} states are given for the {len(self.parent_states)} parents of {quoted(self.child)}",
            )
        state, known = next((s, k) for s, k in zip(states, self.parent_states, strict=True) if s not in k)
        return self.source.error(
            statement.offset,
            f"{quoted(state)} is not a state of the parent; its states are {quoted(', '.join(known), 200)}",
        )

    def _whole(self, statement: Statement) -> Floats:
        """Read a table; the variable itself varies slowest, its last parent fastest."""
        values = self._numbers(statement, "table")
        if len(values) != self.n_rows * self.n_states:
            raise self.source.error(
                statement.offset,
                f"the table of {quoted(self.child)} has {len(values)} numbers, but must have "
                f"{self.n_rows * self.n_states}",
            )
        table = np.array(values).reshape(self.n_states, self.n_rows).T
        bad = row_that_is_no_distribution(table)
        if bad is not None:
            raise self._no_distribution(statement, math.fsum(table[bad].tolist()))
        return table

    def _probabilities(self, statement: Statement, before: str) -> list[float]:
        values = self._numbers(statement, before)
        if len(values) != self.n_states:
            raise self.source.error(
                statement.offset,
                f"{quoted(self.child)} has {self.n_states} states, but {len(values)} probabilities are given",
            )
        return values

    def _numbers(self, statement: Statement, before: str) -> list[float]:
        """Read the numbers after the keyword or the states."""
        words = statement.text.lstrip()[len(before.lstrip()) :].replace(",", " ").split()
        try:
            return list(map(float, words))
        except ValueError:
            word = next(word for word in words if not _is_number(word))
            raise self.source.error(statement.offset, f"{quoted(word)} is not a number") from None

    def _no_distribution(self, statement: Statement, total: float) -> FileFormatError:
        return self.source.error(
            statement.offset,
            f"these probabilities of {quoted(self.child)} must lie between 0 and 1 and add up to 1; they add up to "
            f"{total:.6g}",
        )


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
