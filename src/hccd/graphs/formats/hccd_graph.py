"""The graph in a file of the format ``hccd-graph``: its nodes and edges, without the evidence for them.

``HCCDResult.load`` reads such a file as a whole and refuses one in which anything is missing. Here the graph alone
matters, so a file that another program wrote with ``nodes`` and ``edges`` only will do, and such a file is written.
That of a PAG says so, in ``graph_type``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.mixed import MixedGraph, edge_type

FORMAT = "hccd-graph"
VERSION = 1


def encode_hccd_graph(graph: MixedGraph) -> str:
    """Return the text of a file, one edge to a line."""
    edges = [
        _one_line({"source": graph.names[source], "target": graph.names[target], "type": kind.value})
        for source, target, kind in graph.edges
    ]
    parts = {
        "format": _one_line(FORMAT),
        "version": str(VERSION),
        **({"graph_type": _one_line("PAG")} if graph.pag else {}),
        "nodes": _one_line(list(graph.names)),
        "edges": "[\n  " + ",\n  ".join(edges) + "\n ]" if edges else "[]",
    }
    return "{" + ",".join(f'\n "{key}": {part}' for key, part in parts.items()) + "\n}\n"


_one_line = json.JSONEncoder(ensure_ascii=False).encode


def parse_hccd_graph(text: str) -> MixedGraph:
    """Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is not JSON, is of another format or version, or its nodes and edges make no graph.

    Examples
    --------
    >>> parse_hccd_graph('''{"format": "hccd-graph", "version": 1, "nodes": ["a", "b"],
    ...                      "edges": [{"source": "b", "target": "a", "type": "directed"}]}''').named().edges()
    [('b', 'a', 'directed')]
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FileFormatError(f"this is not JSON ({error}): give a graph.json that hccd wrote") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = repr(data.get("format")) if isinstance(data, dict) else f"a {type(data).__name__}"
        raise FileFormatError(f"the format of this file is {found}: give one of format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FileFormatError(
            f"this file has version {data.get('version')!r} of {FORMAT}; this program reads version {VERSION}"
        )
    try:
        return _graph(data)
    except FileFormatError:
        raise
    except (KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(f"this {FORMAT} file is damaged: {error!r} is missing or of a wrong kind") from None
    except InvalidGraphError as error:
        raise FileFormatError(f"this {FORMAT} file holds no graph: {error}") from None


def _graph(data: dict[str, Any]) -> MixedGraph:
    names = tuple(data["nodes"])
    if not all(isinstance(name, str) for name in names):
        raise FileFormatError(f"the nodes of this {FORMAT} file are not all text: give each a name")
    number = {name: i for i, name in enumerate(names)}
    edges = [
        (number[edge["source"]], number[edge["target"]], edge_type(edge["type"], edge["source"], edge["target"]))
        for edge in data["edges"]
    ]
    return MixedGraph.from_edges(names, edges, pag=is_pag(data))


def is_pag(data: Mapping[str, Any]) -> bool:
    """Tell whether the data of a file say that the graph is a PAG."""
    found = data.get("graph_type", "PDAG")
    if found not in ("PDAG", "PAG"):
        raise FileFormatError(f"the graph_type of this {FORMAT} file is {found!r}: it should be PDAG or PAG")
    return bool(found == "PAG")
