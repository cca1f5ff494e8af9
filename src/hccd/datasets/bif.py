"""The Bayesian interchange format (BIF), second half: from statements to a network.

The format is that of Cozman's proposal 0.15 as programs write it today: a ``network`` block, one ``variable`` block
and one ``probability`` block for each variable, in any order. Probabilities come as rows ``(state, state) p, p;``,
with a ``default`` for rows that are left out, or as one ``table`` in which the variable itself varies slowest.
Properties are ignored. An error names the line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hccd.datasets.bif_statements import BIFText, Statement, readings, split_at_bar
from hccd.datasets.bif_tables import TableReader
from hccd.datasets.discrete_network import DiscreteNetwork
from hccd.datasets.synthetic import Floats
from hccd.errors import FileFormatError, InvalidGraphError, InvalidParameterError
from hccd.files.text import read_text
from hccd.wording import quoted

_TYPE = re.compile(r"\s*type\s+discrete\s*\[\s*(\d+)\s*\]\s*")
_HEAD = re.compile(r"\s*probability\s*\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True)
class _Block:
    """A block: the statement before its brace, and those inside."""

    head: Statement
    body: list[Statement]


@dataclass(frozen=True)
class _Variable:
    """A declaration: the variable's number, the number of each state, and where it stands."""

    number: int
    states: dict[str, int]
    offset: int


def read_bif(path: str | os.PathLike[str]) -> DiscreteNetwork:
    """Read a discrete network from a BIF file, compressed with gzip or not.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    DiscreteNetwork
        Its variables and their states are in the order of the file.

    Raises
    ------
    FileFormatError
        The file cannot be read, or does not hold a network; the line is named.
    """
    return parse_bif(read_text(Path(path)), origin=quoted(path, longest=4096))


def parse_bif(text: str, origin: str = "the text") -> DiscreteNetwork:
    """Read a discrete network from the text of a BIF file; errors call the text ``origin``.

    Examples
    --------
    >>> parse_bif('''network coins { }
    ... variable coin { type discrete [ 2 ] { heads, tails }; }
    ... probability ( coin ) { table 0.5, 0.5; }''')
    DiscreteNetwork(1 variable, 0 edges, 1 parameter)
    """
    return _Reader(BIFText.of(text, origin)).network()


class _Reader:
    """One pass over a file; the source is at hand wherever an error may have to be told."""

    def __init__(self, source: BIFText) -> None:
        self._source = source

    def network(self) -> DiscreteNetwork:
        """Read everything."""
        blocks = self._blocks()
        variables = self._variables([block for block in blocks if block.head.keyword == "variable"])
        if not variables:
            raise FileFormatError(f"{self._source.origin} declares no variable: give a file in the format BIF")
        parents: dict[str, list[str]] = {}
        tables: dict[str, Floats] = {}
        for block in blocks:
            if block.head.keyword != "probability":
                continue
            child, of_child = self._family(block.head, variables)
            if child in tables:
                raise self._source.error(
                    block.head.offset, f"{quoted(child)} has probabilities already; keep one block"
                )
            parents[child] = of_child
            tables[child] = TableReader(
                self._source, child, len(variables[child].states), [variables[parent].states for parent in of_child]
            ).read(block.head, block.body)
        for name, variable in variables.items():
            if name not in tables:
                raise self._source.error(variable.offset, f"{quoted(name)} is declared but has no probability block")
        try:
            return DiscreteNetwork(
                names=tuple(variables),
                states=tuple(tuple(variable.states) for variable in variables.values()),
                parents=tuple(tuple(variables[parent].number for parent in parents[name]) for name in variables),
                tables=tuple(tables[name] for name in variables),
            )
        except (InvalidParameterError, InvalidGraphError) as error:
            raise FileFormatError(f"{self._source.origin}: {error}") from None

    def _blocks(self) -> list[_Block]:
        """Group the statements; blocks may hold braces themselves."""
        blocks: list[_Block] = []
        open_block: _Block | None = None
        depth = 0
        for statement in self._source.statements():
            if open_block is None:
                if statement.end != "{" or statement.keyword not in ("network", "variable", "probability"):
                    raise self._source.error(
                        statement.offset,
                        f"a block 'network', 'variable' or 'probability' is expected, not "
                        f"{quoted(statement.text.strip() + statement.end)}",
                    )
                open_block = _Block(statement, [])
                continue
            depth += {"{": 1, "}": -1, ";": 0}[statement.end]
            open_block.body.append(statement)
            if depth < 0:
                blocks.append(open_block)
                open_block, depth = None, 0
        if open_block is not None:
            raise self._source.error(
                open_block.head.offset, "this block is not closed with a brace; get the whole file"
            )
        return blocks

    def _variables(self, blocks: Sequence[_Block]) -> dict[str, _Variable]:
        """Read the declarations."""
        variables: dict[str, _Variable] = {}
        for block in blocks:
            names, words = readings(block.head.text)
            # The keyword is the first word; a quoted name may not be torn apart, which joining the words does not.
            name = words[1] if len(words) == 2 else names[0].partition("variable")[2].strip()
            if not name or len(names) != 1:
                raise self._source.error(block.head.offset, "one name is expected after 'variable'")
            if name in variables:
                raise self._source.error(block.head.offset, f"{quoted(name)} is declared already; rename one")
            variables[name] = _Variable(len(variables), self._states(block, name), block.head.offset)
        return variables

    def _states(self, block: _Block, name: str) -> dict[str, int]:
        """Read ``type discrete [ n ] { state, state };`` from the block of a variable."""
        for place, statement in enumerate(block.body):
            if statement.keyword != "type":
                continue
            declared = _TYPE.fullmatch(statement.text)
            if declared is None or statement.end != "{":
                raise self._source.error(
                    statement.offset,
                    f"'type discrete [ n ] {{ ... }};' is expected, not {quoted(statement.text.strip())}",
                )
            states = self._names(block.body[place + 1], int(declared.group(1)), f"states of {quoted(name)}")
            if len(set(states)) < len(states):
                raise self._source.error(statement.offset, f"{quoted(name)} has two states of one name; rename one")
            return {state: code for code, state in enumerate(states)}
        raise self._source.error(block.head.offset, f"the states of {quoted(name)} are not declared ('type discrete')")

    def _names(self, statement: Statement, expected: int, what: str) -> list[str]:
        """Read as many names as there must be."""
        for names in readings(statement.text):
            if len(names) == expected:
                return names
        found = len(readings(statement.text)[0])
        raise self._source.error(statement.offset, f"{expected} {what} are announced, but there are {found}")

    def _family(self, head: Statement, variables: Mapping[str, _Variable]) -> tuple[str, list[str]]:
        """Read ``probability ( child | parent, parent )``; old files have no bar."""
        inside = _HEAD.fullmatch(head.text)
        if inside is None:
            raise self._source.error(head.offset, "'probability ( variable | parents )' is expected")
        left, right = split_at_bar(inside.group(1))
        family = self._known(left, head, variables) + (self._known(right, head, variables) if right.strip() else [])
        if len(set(family)) < len(family):
            raise self._source.error(head.offset, f"a variable occurs twice among {quoted(', '.join(family))}")
        return family[0], family[1:]

    def _known(self, text: str, head: Statement, variables: Mapping[str, _Variable]) -> list[str]:
        """Return the variables in a list; it is read in the way in which all of them are declared."""
        by_comma, by_word = readings(text)
        for names in (by_comma, by_word):
            if names and all(name in variables for name in names):
                return names
        unknown = next((name for name in by_comma if name not in variables), "")
        raise self._source.error(head.offset, f"the variable {quoted(unknown)} is not declared")
