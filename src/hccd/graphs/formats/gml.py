"""Graphs as GML, the bracketed text format of networkx, igraph, Gephi and DoWhy.

The label of a node is its name; what is not plain ASCII is written as an entity, as the format demands. An edge carries
its type as text; one that looks the same at both ends is a pair of opposite edges of the file, because GML, like
networkx, has one kind of edge for a whole graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Any

from hccd.errors import FileFormatError
from hccd.graphs.formats.mixed import MixedGraph, edge_type
from hccd.graphs.marks import EdgeType, TypedEdge

_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,10}));")
_NOT_PLAIN = re.compile(r'[^ -~]|[&"]')
_TOKEN = re.compile(
    r'(?P<space>\s+|^\s*#[^\n]*)|(?P<key>[A-Za-z][0-9A-Za-z_]*)|"(?P<text>[^"]*)"'
    r"|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<bracket>[\[\]])",
    re.MULTILINE,
)
#: A list of GML: keys and values, in order, keys as often as they come.
_Items = list[tuple[str, Any]]


def encode_gml(graph: MixedGraph) -> str:
    """Return the text of a file."""
    lines = ["graph [", "  directed 1"]
    for i, name in enumerate(graph.names):
        label = _NOT_PLAIN.sub(lambda found: f"&#{ord(found[0])};", name)
        lines += ["  node [", f"    id {i}", f'    label "{label}"', "  ]"]
    for source, target, kind in graph.edges:
        for tail, head in ((source, target), (target, source))[: 1 + kind.symmetric]:
            lines += ["  edge [", f"    source {tail}", f"    target {head}", f'    type "{kind.value}"']
            lines += [*(f"    {name} {float(value)}" for name, value in graph.said(tail, head).items()), "  ]"]
    return "\n".join([*lines, "]", ""])


def parse_gml(text: str) -> MixedGraph:
    r"""Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is not GML, or holds no graph.

    Examples
    --------
    >>> parse_gml('graph [ directed 1 node [ id 7 label "a" ] node [ id 8 label "b" ] edge [ source 8 target 7 ] ]'
    ...          ).named().edges()
    [('b', 'a', 'directed')]
    """
    try:
        whole = _items(_tokens(text), closing=False)
    except RecursionError:
        raise FileFormatError("the lists of this GML are nested too deeply: give a plain graph") from None
    graph = dict(whole).get("graph")
    if not isinstance(graph, list):
        raise FileFormatError("this is not GML with a graph: the file should hold graph [ ... ]")
    nodes = [dict(item) for key, item in graph if key == "node" and isinstance(item, list)]
    arcs = [dict(item) for key, item in graph if key == "edge" and isinstance(item, list)]
    numbers: dict[str, int] = {}
    for node in nodes:
        numbers[_number(node, "id", "node")] = len(numbers)
    if len(numbers) < len(nodes):
        raise FileFormatError("two nodes of this GML have the same id: give each its own")
    key = next((key for key in ("label", "name") if all(isinstance(node.get(key), str) for node in nodes)), "id")
    plain = EdgeType.DIRECTED if dict(graph).get("directed") == "1" else EdgeType.UNDIRECTED
    edges: list[TypedEdge] = []
    typed = False
    for arc in arcs:
        ends = _number(arc, "source", "edge"), _number(arc, "target", "edge")
        for end in ends:
            if end not in numbers:
                raise FileFormatError(f"an edge ends at {end}, which is the id of no node: add the node")
        declared = arc.get("type")
        typed = typed or declared is not None
        kind = plain if declared is None else edge_type(str(declared), *(nodes[numbers[end]][key] for end in ends))
        edges.append((numbers[ends[0]], numbers[ends[1]], kind))
    return MixedGraph.from_edges([node[key] for node in nodes], edges, merge=not typed)


def _number(item: dict[str, Any], key: str, what: str) -> str:
    found = item.get(key)
    if not isinstance(found, str):
        raise FileFormatError(f"this GML has a {what} without {key}: add it")
    return found


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) for each token, and a last one of kind "end"."""
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise FileFormatError(f"line {text.count(chr(10), 0, place) + 1} is not GML: {text[place : place + 20]!r}")
        kind = str(found.lastgroup)
        if kind != "space":
            yield kind, found[kind]
        place = found.end()
    yield "end", ""


def _items(tokens: Iterator[tuple[str, str]], *, closing: bool) -> _Items:
    """Read keys and values up to the closing bracket, or to the end of the text."""
    items: _Items = []
    for kind, key in tokens:
        if (kind, key) == (("bracket", "]") if closing else ("end", "")):
            return items
        if kind != "key":
            raise FileFormatError(f"this is not GML: a key is expected, not {key or 'the end of the file'!r}")
        kind, value = next(tokens)
        if kind == "text":
            items.append((key, _ENTITY.sub(_character, value)))
        elif (kind, value) == ("bracket", "["):
            items.append((key, _items(tokens, closing=True)))
        elif kind == "number":
            items.append((key, value))
        else:
            raise FileFormatError(f"this is not GML: {key} has no value")
    raise FileFormatError("this GML ends in the middle of a list: the file is cut off")


def _character(found: re.Match[str]) -> str:
    """Return what an entity stands for; an unknown one stands for itself."""
    decimal, hexadecimal, word = found.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else name2codepoint.get(word, -1)
    return chr(code) if 0 <= code <= 0x10FFFF else found[0]
