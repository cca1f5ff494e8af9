"""Graphs from files and into files: which format a file has is told by how its name ends.

A format is a value, `GraphFormat`; those of the library are ``FORMATS``, and a caller may give more. Endings may have
two parts (``.edges.csv``); the longest that fits decides. Where it fits several formats, as ``.csv`` and ``.txt`` do,
the text itself is looked at. Any file may be compressed with gzip, when read with or without ``.gz`` at its end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from hccd.errors import FileFormatError, HCCDError, InvalidGraphError, InvalidParameterError
from hccd.files.replaceable import check_free
from hccd.files.text import text_of
from hccd.files.whole import write_whole
from hccd.graphs.formats.adjacency_csv import (
    encode_adjacency_csv,
    encode_amat,
    encode_amat_pag,
    parse_adjacency_csv,
    parse_amat,
    parse_amat_pag,
)
from hccd.graphs.formats.dagitty import encode_dagitty, is_dagitty, parse_dagitty
from hccd.graphs.formats.dot import encode_dot, parse_dot
from hccd.graphs.formats.edge_list_csv import encode_edge_list, is_edge_list, parse_edge_list
from hccd.graphs.formats.gml import encode_gml, parse_gml
from hccd.graphs.formats.graphml import encode_graphml, parse_graphml
from hccd.graphs.formats.hccd_graph import encode_hccd_graph, parse_hccd_graph
from hccd.graphs.formats.mixed import MixedGraph
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.formats.tetrad import encode_tetrad, is_tetrad, parse_tetrad

#: What a folder that a run wrote holds.
GRAPH_FILE = "graph.json"

#: Surrogates stand for one character in pairs only, and UTF-8 knows none of them.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def _any_text(text: str) -> bool:
    return True


@dataclass(frozen=True)
class GraphFormat:
    """A format of files.

    Attributes
    ----------
    name : str
        The word for it in ``format=`` and on the command line.
    title : str
        What users call it.
    suffixes : tuple of str
        How the names of its files end, in lower case, with the dot and without ``.gz``; files that are exported end
        in the first.
    parse : callable
        Takes the text of a file and returns a `MixedGraph`; raises an error with a sentence that need not name the
        file.
    encode : callable, optional
        Takes a `MixedGraph` and returns the text of a file; None if the format is only read.
    fits : callable
        Tells whether a text may be of this format, where the end of the name leaves a choice.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    parse: Callable[[str], MixedGraph]
    encode: Callable[[MixedGraph], str] | None = None
    fits: Callable[[str], bool] = _any_text


FORMATS = (
    GraphFormat("json", "hccd-graph", (".json",), parse_hccd_graph, encode_hccd_graph),
    GraphFormat("graphml", "GraphML", (".graphml", ".xml"), parse_graphml, encode_graphml),
    GraphFormat("gml", "GML", (".gml",), parse_gml, encode_gml),
    GraphFormat("dot", "DOT", (".dot", ".gv"), parse_dot, encode_dot),
    GraphFormat(
        "edges", "list of edges", (".edges.csv", ".csv", ".tsv"), parse_edge_list, encode_edge_list, is_edge_list
    ),
    GraphFormat(
        "adjacency", "adjacency matrix", (".adjacency.csv", ".csv", ".tsv"), parse_adjacency_csv, encode_adjacency_csv
    ),
    GraphFormat("amat", "amat.cpdag of pcalg", (".amat.csv", ".amat"), parse_amat, encode_amat),
    GraphFormat("amat-pag", "amat.pag of pcalg", (".pag.csv", ".pag"), parse_amat_pag, encode_amat_pag),
    GraphFormat("dagitty", "DAGitty", (".dagitty.txt", ".dagitty", ".txt"), parse_dagitty, encode_dagitty, is_dagitty),
    GraphFormat("tetrad", "Tetrad", (".tetrad.txt", ".tetrad", ".txt"), parse_tetrad, encode_tetrad, is_tetrad),
)


def read_graph(
    path: str | PathLike[str], format: str | None = None, *, formats: Sequence[GraphFormat] = FORMATS
) -> NamedGraph:
    """Read a graph from a file, or from the ``graph.json`` of a folder.

    Parameters
    ----------
    path : str or path
        The file.
    format : str, optional
        The name of its format; by default told by the end of the file's name, and by its text if that leaves a choice.
    formats : sequence of GraphFormat
        What can be read.

    Raises
    ------
    FileFormatError
        If the file cannot be read, with its name and the reason.
    InvalidParameterError
        If there is no such format.
    """
    file = Path(path)
    candidates: tuple[GraphFormat, ...] = () if format is None else (format_named(format, formats),)
    try:
        if file.is_dir():
            file = file / GRAPH_FILE
        text = text_of(file)
        candidates = candidates or formats_of(file, formats)
        fitting = [known for known in candidates if len(candidates) == 1 or known.fits(text)]
        if not fitting:
            titles = " nor ".join(known.title for known in candidates)
            raise FileFormatError(f"the text is neither {titles}: give the format if it is another one")
        return fitting[0].parse(text).named()
    except (HCCDError, OSError, ValueError) as error:
        sentence = str(error)
        raise FileFormatError(sentence if str(file) in sentence else f"{str(file)!r}: {sentence}") from error


def write_file(
    text: Callable[[GraphFormat], Iterable[str]],
    path: str | PathLike[str],
    format: str | None = None,
    *,
    force: bool = False,
    formats: Sequence[GraphFormat] = FORMATS,
) -> Path:
    """Write a file, complete or not at all.

    Parameters
    ----------
    text : callable
        Takes the format and returns the text, in pieces.
    path : str or path
        The file.
    format : str, optional
        The name of its format; by default told by the end of the file's name.
    force : bool
        Replace a file that is there.

    Returns
    -------
    Path
        Where it is.
    """
    file = Path(path)
    known = format_for_writing(file, format, formats)
    check_free(file, force=force, another="name", insist="force")
    pieces = text(known)
    try:
        write_whole(file, pieces)
    except (OSError, ValueError) as error:
        if isinstance(error, HCCDError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InvalidParameterError(f"{str(file)!r} cannot be written ({reason}): choose another place") from None
    return file


def encoded(known: GraphFormat, graph: MixedGraph) -> list[str]:
    """Return the text of a file of a format.

    Raises
    ------
    InvalidGraphError
        If the format has no place for a name or an edge.
    """
    assert known.encode is not None
    for name in graph.names:
        if _HALF_CHARACTER.search(name):
            raise InvalidGraphError(
                f"no text file can hold the name {name!r}, which has an incomplete character: rename it"
            )
    return [known.encode(graph)]


def format_named(name: str, formats: Sequence[GraphFormat] = FORMATS) -> GraphFormat:
    """Return the format of this name."""
    for known in formats:
        if known.name == name:
            return known
    raise InvalidParameterError(f"there is no graph format {name!r}: use {', '.join(known.name for known in formats)}")


def format_for_writing(file: Path, format: str | None, formats: Sequence[GraphFormat] = FORMATS) -> GraphFormat:
    """Return the format in which a file of this name is to be written.

    Of formats that share an ending it is the adjacency matrix; ``.txt`` tells nothing.
    """
    if format is not None:
        known = format_named(format, formats)
    else:
        try:
            candidates = formats_of(file, formats)
        except FileFormatError as error:
            raise InvalidParameterError(f"{str(file)!r}: {error}") from None
        by_default = [known for known in candidates if len(candidates) == 1 or known.fits is _any_text]
        if not by_default:
            names = " or ".join(known.name for known in candidates)
            raise InvalidParameterError(f"the name {str(file)!r} fits several formats: give {names}")
        known = by_default[0]
    if known.encode is None:
        raise InvalidParameterError(f"{known.title} can be read only: choose another format for {str(file)!r}")
    return known


def formats_of(file: Path, formats: Sequence[GraphFormat] = FORMATS) -> tuple[GraphFormat, ...]:
    """Return the formats whose ending fits a file's name best: the longest one."""
    found: list[GraphFormat] = []
    ending = ending_of(file, formats)
    if ending:
        found = [known for known in formats if ending in known.suffixes]
    if not found:
        endings = ", ".join(f"{', '.join(known.suffixes)} ({known.title})" for known in formats)
        raise FileFormatError(f"the name has no ending of a graph format: use one of {endings}")
    return tuple(found)


def ending_of(file: Path, formats: Sequence[GraphFormat] = FORMATS) -> str:
    """Return the longest ending of a file's name that belongs to a format, without ``.gz``, or nothing."""
    suffixes = [suffix.lower() for suffix in file.suffixes if suffix.lower() != ".gz"]
    for ending in ("".join(suffixes[-2:]), "".join(suffixes[-1:])):
        if any(ending in known.suffixes for known in formats):
            return ending
    return ""
