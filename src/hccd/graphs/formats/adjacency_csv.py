"""A graph as a square table of text: names in the header line and in the first column, 0 and 1 in the cells.

A 1 in row i and column j is i -> j, as everywhere in this library; a 1 in both cells of a pair is an undirected edge.
Cells are separated by commas, semicolons or tabs. The rows may come in another order than the columns.
"""

from __future__ import annotations

import csv
from io import StringIO

import numpy as np

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.pdag import PDAG

_DELIMITERS = ",;\t"
_CELLS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "False": 0, "True": 1, "FALSE": 0, "TRUE": 1}


def parse_adjacency_csv(text: str) -> NamedGraph:
    r"""Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is no square table of zeros and ones with the same names along both sides.

    Examples
    --------
    >>> parse_adjacency_csv(",rain,wet\nrain,0,1\nwet,0,0\n").graph.directed_edges().tolist()
    [[0, 1]]
    """
    first = next(filter(str.strip, text.splitlines()), "")
    try:
        reader = csv.reader(StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=first.count), strict=True)
        header, *rows = [[cell.strip() for cell in row] for row in reader if any(map(str.strip, row))]
    except (ValueError, csv.Error):
        raise FileFormatError("this is no table of text: give an adjacency matrix with names on both sides") from None
    names = header[1:]
    row_names = [row[0] for row in rows]
    if not names or sorted(row_names) != sorted(names):
        raise FileFormatError(
            f"the names in the header line ({_shown(names)}) are not those in the first column ({_shown(row_names)}): "
            "give a square adjacency matrix with the same names on both sides"
        )
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    position = {name: i for i, name in enumerate(names)}
    for name, *cells in rows:
        if len(cells) != len(names):
            raise FileFormatError(
                f"the row {name!r} has {len(cells)} cells after its name where the header has {len(names)}: "
                "complete the matrix"
            )
        for other, cell in zip(names, cells, strict=True):
            if cell not in _CELLS:
                raise FileFormatError(f"the cell in row {name!r} and column {other!r} is {cell!r}: use 0 and 1")
            marks[position[name], position[other]] = _CELLS[cell]
    try:
        return NamedGraph(tuple(names), PDAG(marks))
    except InvalidGraphError as error:
        raise FileFormatError(f"this matrix is no graph: {error}") from None


def _shown(names: list[str]) -> str:
    return (", ".join(map(repr, names[:3])) or "none") + (", ..." if len(names) > 3 else "")
