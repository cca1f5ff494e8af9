"""A graph as a square table of text: names in the header line and in the first column, 0 and 1 in the cells.

A 1 in row i and column j is i -> j, as everywhere in this library; a 1 in both cells of a pair is an undirected edge.
Cells are separated by commas, semicolons or tabs. The rows may come in another order than the columns.

The coding ``amat.cpdag`` of the R package pcalg is the same table the other way round: there a 1 in row i and column j
is an arrow from **j to i**. Nothing in such a file tells it from ours, so it is a format of its own, `AMAT`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.csv_table import DELIMITERS, parsed_rows, written_rows
from hccd.graphs.formats.mixed import MixedGraph
from hccd.graphs.marks import EdgeType
from hccd.graphs.pdag import PDAG

_CELLS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "False": 0, "True": 1, "FALSE": 0, "TRUE": 1}
_KINDS = frozenset({EdgeType.DIRECTED, EdgeType.UNDIRECTED})


def encode_adjacency_csv(graph: MixedGraph) -> str:
    r"""Return the text of a file.

    Examples
    --------
    >>> encode_adjacency_csv(parse_adjacency_csv(",rain,wet\nrain,0,1\nwet,0,0\n"))
    ',rain,wet\nrain,0,1\nwet,0,0\n'
    """
    return _encoded(graph, _marks(graph), "an adjacency matrix")


def encode_amat(graph: MixedGraph) -> str:
    r"""Return the text of a file in pcalg's coding ``amat.cpdag``.

    Examples
    --------
    >>> encode_amat(parse_adjacency_csv(",rain,wet\nrain,0,1\nwet,0,0\n"))
    ',rain,wet\nrain,0,0\nwet,1,0\n'
    """
    return _encoded(graph, _marks(graph).T, "the coding amat.cpdag")


def parse_adjacency_csv(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is no square table of zeros and ones with the same names along both sides.

    Examples
    --------
    >>> parse_adjacency_csv(",rain,wet\nrain,0,1\nwet,0,0\n").named().edges()
    [('rain', 'wet', 'directed')]
    """
    names, marks = _table(text)
    try:
        return MixedGraph.of(names, PDAG(marks))
    except InvalidGraphError as error:
        raise FileFormatError(f"this matrix is no graph: {error}") from None


def parse_amat(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file in pcalg's coding ``amat.cpdag``.

    Examples
    --------
    >>> parse_amat(",rain,wet\nrain,0,0\nwet,1,0\n").named().edges()
    [('rain', 'wet', 'directed')]
    """
    names, marks = _table(text)
    try:
        return MixedGraph.of(names, PDAG(marks.T))
    except InvalidGraphError as error:
        raise FileFormatError(f"this matrix is no graph: {error}") from None


def _marks(graph: MixedGraph) -> NDArray[np.int8]:
    marks = np.zeros((len(graph.names), len(graph.names)), np.int8)
    for source, target, kind in graph.only(_KINDS, "an adjacency matrix").edges:
        marks[source, target] = 1
        marks[target, source] = kind is EdgeType.UNDIRECTED
    return marks


def _encoded(graph: MixedGraph, marks: NDArray[np.int8], format_name: str) -> str:
    header = ["", *graph.names]
    cells = (map(str, row) for row in marks.tolist())
    rows = ([name, *row] for name, row in zip(graph.names, cells, strict=True))
    return written_rows([header, *rows], format_name)


def _table(text: str) -> tuple[tuple[str, ...], NDArray[np.int8]]:
    """Return the names and the cells, with the rows in the order of the columns."""
    names, rows = _sides(text)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise FileFormatError(f"the name {twice!r} occurs more than once: give each variable its own")
    position = {name: i for i, name in enumerate(names)}
    marks = np.zeros((len(names), len(names)), dtype=np.int8)
    for name, cells in rows:
        if len(cells) != len(names):
            raise FileFormatError(
                f"the row {name!r} has {len(cells)} cells after its name where the header has {len(names)}: "
                "complete the matrix"
            )
        for other, cell in zip(names, cells, strict=True):
            if cell.strip() not in _CELLS:
                raise FileFormatError(f"the cell in row {name!r} and column {other!r} is {cell!r}: use 0 and 1")
            marks[position[name], position[other]] = _CELLS[cell.strip()]
    return tuple(names), marks


def _sides(text: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the names of the header line and the rows by name, for the delimiter that makes the two agree.

    Spaces around names belong to them if both sides have them, and are layout otherwise.
    """
    refusal: FileFormatError | None = None
    for delimiter in DELIMITERS:
        try:
            header, *rows = parsed_rows(text, delimiter) or [[]]
        except FileFormatError as error:
            refusal = refusal or error
            continue
        for shown in (str, str.strip):
            names, row_names = [shown(name) for name in header[1:]], [shown(row[0]) for row in rows]
            if names and sorted(names) == sorted(row_names):
                return names, [(name, row[1:]) for name, row in zip(row_names, rows, strict=True)]
        if len(header) > 1:
            refusal = FileFormatError(
                f"the names in the header line ({_shown(names)}) are not those in the first column "
                f"({_shown(row_names)}): give a square adjacency matrix with the same names on both sides"
            )
    raise refusal or FileFormatError("this is no table of text: give an adjacency matrix with names on both sides")


def _shown(names: list[str]) -> str:
    return (", ".join(map(repr, names[:3])) or "none") + (", ..." if len(names) > 3 else "")
