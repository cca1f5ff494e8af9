"""The graph in a file of the format ``hccd-graph``: its nodes and edges, without the evidence for them.

``HCCDResult.load`` reads such a file as a whole and refuses one in which anything is missing. Here the graph alone
matters, so a file that another program wrote with ``nodes`` and ``edges`` only will do.
"""

from __future__ import annotations

import json
from typing import Any

from hccd.errors import FileFormatError, InvalidGraphError
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.pdag import PDAG

FORMAT = "hccd-graph"
VERSION = 1


def parse_hccd_graph(text: str) -> NamedGraph:
    """Read the graph from the text of a file.

    Raises
    ------
    FileFormatError
        If the text is not JSON, is of another format or version, or its nodes and edges make no graph.

    Examples
    --------
    >>> parse_hccd_graph('''{"format": "hccd-graph", "version": 1, "nodes": ["a", "b"],
    ...                      "edges": [{"source": "b", "target": "a", "type": "directed"}]}''').graph.parents(0)
    (1,)
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


def _graph(data: dict[str, Any]) -> NamedGraph:
    names = tuple(data["nodes"])
    if not all(isinstance(name, str) for name in names):
        raise FileFormatError(f"the nodes of this {FORMAT} file are not all text: give each a name")
    number = {name: i for i, name in enumerate(names)}
    kinds: dict[str, list[tuple[int, int]]] = {"directed": [], "undirected": []}
    for edge in data["edges"]:
        if edge["type"] not in kinds:
            raise FileFormatError(
                f"the edge between {edge['source']!r} and {edge['target']!r} is of type {edge['type']!r}: "
                "only directed and undirected edges can be read"
            )
        kinds[edge["type"]].append((number[edge["source"]], number[edge["target"]]))
    return NamedGraph(names, PDAG.from_edges(len(names), **kinds))
