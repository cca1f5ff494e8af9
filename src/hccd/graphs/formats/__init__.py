"""Foreign graph formats and files, one file each; a foreign library is imported only when its format is used."""

from hccd.graphs.formats.causallearn import from_causallearn, to_causallearn
from hccd.graphs.formats.files import FORMATS, GraphFormat, read_graph
from hccd.graphs.formats.mixed import EdgeType, MixedGraph
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.formats.networkx import from_networkx, to_networkx
from hccd.graphs.formats.pandas import from_pandas, to_pandas
from hccd.graphs.formats.pgmpy import from_pgmpy, to_pgmpy

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
