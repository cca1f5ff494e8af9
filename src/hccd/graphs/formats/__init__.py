"""Foreign graph formats and files, one file each; a foreign library is imported only when its format is used.

The names are imported when first used: most programs need one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hccd.graphs.formats.causallearn import from_causallearn, to_causallearn
    from hccd.graphs.formats.files import FORMATS, GraphFormat, read_graph
    from hccd.graphs.formats.mixed import MixedGraph
    from hccd.graphs.formats.named import NamedGraph
    from hccd.graphs.formats.networkx import from_networkx, to_networkx
    from hccd.graphs.formats.pandas import from_pandas, to_pandas
    from hccd.graphs.formats.pgmpy import from_pgmpy, to_pgmpy
    from hccd.graphs.marks import EdgeType

_HOMES = {
    "FORMATS": "files",
    "EdgeType": "mixed",
    "GraphFormat": "files",
    "MixedGraph": "mixed",
    "NamedGraph": "named",
    "from_causallearn": "causallearn",
    "from_networkx": "networkx",
    "from_pandas": "pandas",
    "from_pgmpy": "pgmpy",
    "read_graph": "files",
    "to_causallearn": "causallearn",
    "to_networkx": "networkx",
    "to_pandas": "pandas",
    "to_pgmpy": "pgmpy",
}

__all__ = [
    "FORMATS",
    "EdgeType",
    "GraphFormat",
    "MixedGraph",
    "NamedGraph",
    "from_causallearn",
    "from_networkx",
    "from_pandas",
    "from_pgmpy",
    "read_graph",
    "to_causallearn",
    "to_networkx",
    "to_pandas",
    "to_pgmpy",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
