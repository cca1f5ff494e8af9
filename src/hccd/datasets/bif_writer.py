"""The Bayesian interchange format: a network into text.

Numbers are written so that they are read back to the bit. Names are written bare where that is safe, as other programs
expect them, and in quotation marks elsewhere.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

from hccd.datasets.discrete_network import DiscreteNetwork
from hccd.errors import InvalidParameterError
from hccd.files.whole import write_whole
from hccd.wording import quoted

_MARKS = frozenset('{}()[];,|"')
_COMMENTS = ("//", "/*")


def save_bif(network: DiscreteNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network as a BIF file, compressed with gzip if its name ends in ``.gz``.

    Raises
    ------
    InvalidParameterError
        A name cannot be written: it holds a quotation mark or a line break.
    """
    write_whole(Path(path), [bif_text(network)])


def bif_text(network: DiscreteNetwork) -> str:
    """Return a network as the text of a BIF file.

    Examples
    --------
    >>> coin = DiscreteNetwork(("a coin",), (("heads", "tails"),), ((),), ([[0.5, 0.5]],))
    >>> print(bif_text(coin))
    network unknown {
    }
    variable "a coin" {
      type discrete [ 2 ] { heads, tails };
    }
    probability ( "a coin" ) {
      table 0.5, 0.5;
    }
    <BLANKLINE>
    """
    names = [_written(name) for name in network.names]
    states = [[_written(state) for state in of_variable] for of_variable in network.states]
    lines = ["network unknown {", "}"]
    for name, of_variable in zip(names, states, strict=True):
        lines += [
            f"variable {name} {{",
            f"  type discrete [ {len(of_variable)} ] {{ {', '.join(of_variable)} }};",
            "}",
        ]
    for name, parents, table in zip(names, network.parents, network.tables, strict=True):
        given = f" | {', '.join(names[parent] for parent in parents)}" if parents else ""
        lines.append(f"probability ( {name}{given} ) {{")
        rows = [", ".join(map(repr, row)) for row in table.tolist()]
        if parents:
            combinations = product(*(states[parent] for parent in parents))
            lines += [f"  ({', '.join(at)}) {row};" for at, row in zip(combinations, rows, strict=True)]
        else:
            lines.append(f"  table {rows[0]};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _written(name: str) -> str:
    """Write a name, in quotation marks if it holds anything that means something to the format."""
    if any(mark in name for mark in '"\n\r') or not _encodable(name):
        raise InvalidParameterError(
            f"the name {quoted(name)} cannot be written to a BIF file, which knows no quotation marks or line breaks "
            f"inside names: rename it"
        )
    bare = name.split() == [name] and _MARKS.isdisjoint(name) and not any(mark in name for mark in _COMMENTS)
    return name if bare else f'"{name}"'


def _encodable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
