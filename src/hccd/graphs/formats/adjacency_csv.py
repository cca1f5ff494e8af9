"""A graph as a square table of text: names in the header line and in the first column, numbers in the cells.

A 1 in row i and column j is i -> j, as everywhere in this library; a 1 in both cells of a pair is an undirected edge.
Cells are separated by commas, semicolons or tabs. The rows may come in another order than the columns.

The coding ``amat.cpdag`` of the R package pcalg is the same table the other way round: there a 1 in row i and column j
is an arrow from **j to i**. Its coding ``amat.pag`` has the mark at j in row i and column j: 0 none, 1 circle, 2
arrowhead, 3 tail. Nothing in such files tells them from ours, so they are formats of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.csv_table import DELIMITERS, parsed_rows, written_rows
from hccd.graphs.formats.mixed import MixedGraph
from hccd.graphs.marks import EdgeType
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG
from hccd.graphs.typed import OF_PDAG

_CELLS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "False": 0, "True": 1, "FALSE": 0, "TRUE": 1}
_MARKS = {text: mark for mark in range(4) for text in (str(mark), f"{mark}.0")}


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


def encode_amat_pag(graph: MixedGraph) -> str:
    r"""Return the text of a file in pcalg's coding ``amat.pag``.

    Examples
    --------
    >>> encode_amat_pag(MixedGraph.from_edges(("rain", "wet"), [(0, 1, EdgeType.PARTIALLY_DIRECTED)]))
    ',rain,wet\nrain,0,2\nwet,1,0\n'
    """
    if not graph.pag and {kind for _, _, kind in graph.edges} <= set(OF_PDAG):
        told = "amat.pag, where an undirected edge means that rows were selected,"
        graph.only(frozenset({EdgeType.DIRECTED}), told)
    return _encoded(graph, PAG.from_edges(len(graph.names), graph.edges).marks, "the coding amat.pag")


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
    return _parsed(text, _CELLS, PDAG)


def parse_amat(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file in pcalg's coding ``amat.cpdag``.

    Examples
    --------
    >>> parse_amat(",rain,wet\nrain,0,0\nwet,1,0\n").named().edges()
    [('rain', 'wet', 'directed')]
    """
    return _parsed(text, _CELLS, lambda marks: PDAG(marks.T))


def parse_amat_pag(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file in pcalg's coding ``amat.pag``.

    Examples
    --------
    >>> parse_amat_pag(",rain,wet\nrain,0,2\nwet,1,0\n").named().edges()
    [('rain', 'wet', 'partially-directed')]
    """
    return _parsed(text, _MARKS, PAG)


def _parsed(text: str, cells: Mapping[str, int], graph_of: Callable[[NDArray[np.int8]], PDAG | PAG]) -> MixedGraph:
    names, marks = _table(text, cells)
    try:
        return MixedGraph.of(names, graph_of(marks))
    except InvalidGraphError as error:
        raise FileFormatError(f"this matrix is not a graph: {error}") from None


def _marks(graph: MixedGraph) -> NDArray[np.int8]:
    marks = np.zeros((len(graph.names), len(graph.names)), np.int8)
    for source, target, kind in graph.only(frozenset(OF_PDAG), "an adjacency matrix").edges:
        marks[source, target] = 1
        marks[target, source] = kind is EdgeType.UNDIRECTED
    return marks


def _encoded(graph: MixedGraph, marks: NDArray[np.int8], format_name: str) -> str:
    header = written_rows([["", *graph.names]], format_name)
    # Only names may need quotation marks; there are a million numbers for a thousand of them.
    sides = (written_rows([[name]], format_name)[:-1] for name in graph.names)
    rows = (f"{side},{','.join(map(str, row))}\n" for side, row in zip(sides, marks.tolist(), strict=True))
    return header + "".join(rows)


def _table(text: str, known: Mapping[str, int]) -> tuple[tuple[str, ...], NDArray[np.int8]]:
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
            if cell.strip() not in known:
                use = " and ".join(", ".join(map(str, sorted({*known.values()}))).rsplit(", ", 1))
                raise FileFormatError(f"the cell in row {name!r} and column {other!r} is {cell!r}: use {use}")
            marks[position[name], position[other]] = known[cell.strip()]
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
    raise refusal or FileFormatError("this is not a table of text: give an adjacency matrix with names on both sides")


def _shown(names: list[str]) -> str:
    return (", ".join(map(repr, names[:3])) or "none") + (", ..." if len(names) > 3 else "")
