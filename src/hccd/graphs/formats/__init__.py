"""Foreign graph formats, one file each; the foreign library is imported only when its format is used."""

from hccd.graphs.formats.networkx import from_networkx, to_networkx

__all__ = ["from_networkx", "to_networkx"]
