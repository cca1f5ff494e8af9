"""Graphs as GraphML, the XML format of networkx, igraph, Gephi, Cytoscape and yEd.

The id of a node is its name. An edge carries its type as data; one that looks the same at both ends is a pair of
opposite edges of the file, because most programs, networkx among them, read no graph with both kinds. Read are also the
files of programs that mark single edges as undirected, and of igraph, which numbers the nodes and keeps their names
as data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.mixed import MixedGraph, edge_type
from hccd.graphs.marks import EdgeType, TypedEdge

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="type" for="edge" attr.name="type" attr.type="string"/>
"""
_KEY = '  <key id="{0}" for="edge" attr.name="{0}" attr.type="double"/>\n'
_GRAPH = '  <graph edgedefault="directed">\n'
_TAIL = "  </graph>\n</graphml>\n"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {ord(c): f"&#{ord(c)};" for c in "\t\n\r\"'"} | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_NUMBERED = re.compile(r"n\d+")


def encode_graphml(graph: MixedGraph) -> str:
    """Return the text of a file."""
    names = []
    for name in graph.names:
        if _NOT_XML.search(name):
            raise InvalidGraphError(
                f"GraphML cannot hold the name {name!r}, which has a character that XML forbids: rename it or choose "
                "another format"
            )
        names.append(name.translate(_ESCAPES))
    lines = [f'    <node id="{name}"/>\n' for name in names]
    for source, target, kind in graph.edges:
        for tail, head in ((source, target), (target, source))[: 1 + kind.symmetric]:
            data = {"type": kind.value, **graph.said(tail, head)}
            inner = "".join(f'<data key="{key}">{value}</data>' for key, value in data.items())
            lines.append(f'    <edge source="{names[tail]}" target="{names[head]}">{inner}</edge>\n')
    keys = {name: None for own in graph.numbers.values() for name in own}
    return _HEAD + "".join(map(_KEY.format, keys)) + _GRAPH + "".join(lines) + _TAIL


def parse_graphml(text: str) -> MixedGraph:
    """Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is no GraphML, or has more than nodes and edges between two of them.
    """
    from xml.etree import ElementTree

    if "<!ENTITY" in text:
        raise FileFormatError("this file defines entities of its own, which are not read: save it without them")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise FileFormatError(f"this is not XML ({error}): give a file of GraphML") from None
    for element in root.iter():
        # Old files have no namespace, new ones this or that.
        element.tag = str(element.tag).rpartition("}")[2]
    graphs = root.findall("graph")
    if root.tag != "graphml" or not graphs:
        raise FileFormatError(f"this is XML but no GraphML, as it begins with <{root.tag}>: give a file of GraphML")
    for odd in ("hyperedge", "port", "node/graph"):
        if graphs[0].find(f".//{odd}") is not None:
            raise FileFormatError(f"this GraphML holds a {odd.rpartition('/')[2]} inside of the graph: remove it")
    return _graph(graphs[0], {key.get("id", ""): key.get("attr.name", "") for key in root.findall("key")})


def _graph(graph: Element, keys: Mapping[str, str]) -> MixedGraph:
    ids: list[str] = []
    given: list[str | None] = []
    for node in graph.findall("node"):
        ids.append(_attribute(node, "id"))
        given.append(_data(node, keys).get("name"))
    numbers = {name: i for i, name in enumerate(ids)}
    names = [name for name in given if name is not None]
    if not (len(names) == len(ids) and all(map(_NUMBERED.fullmatch, ids))):
        names = ids
    edges: list[TypedEdge] = []
    typed = False
    for edge in graph.findall("edge"):
        ends = _attribute(edge, "source"), _attribute(edge, "target")
        for end in ends:
            if end not in numbers:
                raise FileFormatError(f"an edge ends at {end!r}, which is not a node of the graph: add the node")
        declared = _data(edge, keys).get("type")
        typed = typed or declared is not None
        if declared is None:
            arrow = edge.get("directed", str(graph.get("edgedefault") != "undirected")).lower() == "true"
            kind = EdgeType.DIRECTED if arrow else EdgeType.UNDIRECTED
        else:
            kind = edge_type(declared, *ends)
        edges.append((numbers[ends[0]], numbers[ends[1]], kind))
    return MixedGraph.from_edges(names, edges, merge=not typed)


def _attribute(element: Element, name: str) -> str:
    found = element.get(name)
    if found is None:
        raise FileFormatError(f"this GraphML has a <{element.tag}> without {name!r}: add it")
    return found


def _data(element: Element, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the data of a node or an edge by their names."""
    return {keys.get(data.get("key", ""), ""): data.text or "" for data in element.findall("data")}
