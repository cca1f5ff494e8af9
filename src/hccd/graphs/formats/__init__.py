"""Foreign graph formats and files, one file each; a foreign library is imported only when its format is used."""

from hccd.graphs.formats.files import FORMATS, GraphFormat, read_graph
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.formats.networkx import from_networkx, to_networkx

__all__ = ["FORMATS", "GraphFormat", "NamedGraph", "from_networkx", "read_graph", "to_networkx"]
