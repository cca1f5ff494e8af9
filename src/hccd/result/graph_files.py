"""Graphs from and into files of every format, Bayesian networks included.

This is what ``hccd.read_graph`` and ``hccd.write_graph`` are, and what the commands read with. The formats themselves
are in `hccd.graphs.formats`, one file each.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from hccd.errors import InvalidParameterError
from hccd.graphs import PAG, PDAG, AnyGraph
from hccd.graphs.formats import files
from hccd.graphs.formats.files import GraphFormat
from hccd.graphs.formats.mixed import MixedGraph
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.hand_over import HandOver


def _parse_bif(text: str) -> MixedGraph:
    from hccd.datasets.bif import parse_bif

    network = parse_bif(text, origin="the file")
    return MixedGraph.of(network.names, PDAG(network.dag))


FORMATS = (*files.FORMATS, GraphFormat("bif", "Bayesian network", (".bif",), _parse_bif))


def read_graph(path: str | PathLike[str], format: str | None = None) -> NamedGraph:
    """Read a graph from a file, or from the ``graph.json`` of a folder.

    Parameters
    ----------
    path : path
        The file, compressed with gzip or not.
    format : str, optional
        ``"json"``, ``"graphml"``, ``"gml"``, ``"dot"``, ``"adjacency"``, ``"edges"``, ``"dagitty"``, ``"amat"``,
        ``"amat-pag"``, ``"tetrad"`` or ``"bif"``; by default found from the ending of the name, and from the text if
        the ending fits several.

    Returns
    -------
    NamedGraph
        The graph and the names of its variables, with conversions: ``to_networkx()``, ``to_dowhy()``,
        ``export(path)`` and so on.

    Raises
    ------
    FileFormatError
        If the file cannot be read, with its name and the reason.
    """
    return files.read_graph(path, format, formats=FORMATS)


def write_graph(
    graph: HandOver | AnyGraph,
    path: str | PathLike[str],
    *,
    names: Sequence[str] | None = None,
    format: str | None = None,
    force: bool = False,
) -> Path:
    """Write a graph to a file that other programs read; the file is complete or not there at all.

    Parameters
    ----------
    graph : HCCDResult, NamedGraph, PDAG or PAG
        The graph. A result keeps its evidence in ``graph.json``.
    path : path
        The file; compressed with gzip if its name ends in ``.gz``.
    names : sequence of str, optional
        Names of the variables of a PDAG or PAG, by default X0, X1 and so on. They replace
        the names that another graph has.
    format : str, optional
        As in `read_graph`; by default found from the ending of the name.
    force : bool
        Replace a file that is there.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    InvalidParameterError
        If the format is unknown, or the file exists already or cannot be written.
    InvalidGraphError
        If the format has no place for a name.
    """
    if isinstance(graph, HandOver) and names is None:
        return graph.export(path, format, force=force)
    inner = graph.graph if isinstance(graph, HandOver) else graph
    if not isinstance(inner, PDAG | PAG):
        raise InvalidParameterError(
            f"a {type(graph).__name__} cannot be written as a graph: give a result, a NamedGraph, a PDAG or a PAG"
        )
    labels = tuple(f"X{i}" for i in range(inner.n)) if names is None else tuple(map(str, names))
    return NamedGraph(labels, inner).export(path, format, force=force)
