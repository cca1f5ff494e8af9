"""Pictures of graphs: a layered layout of our own, and what is drawn from it."""

from hccd.drawing.curve import curve
from hccd.drawing.layered.layout import Layout, lay_out, layered_layout
from hccd.drawing.sizes import NODE_HEIGHT, NODE_WIDTH

__all__ = ["NODE_HEIGHT", "NODE_WIDTH", "Layout", "curve", "lay_out", "layered_layout"]
