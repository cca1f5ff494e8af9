"""The sizes that a layout assumes, in its own unit: the width of a variable's box."""

from __future__ import annotations

#: A variable is a box of this size around its position.
NODE_WIDTH = 1.0
NODE_HEIGHT = 0.34
#: Distance of the centres of two neighbouring boxes in a row, at least.
NODE_PITCH = 1.2
#: Distance of two long edges that run side by side through a row, and of such an edge and a box.
LANE = 0.1
LANE_MARGIN = 0.2
#: Distance of two rows, at least and at most: it grows where edges run far to the side.
LAYER_PITCH = 0.9
WIDEST_PITCH = 1.7
#: Distance between parts of a graph that are not connected.
PART_GAP = 0.6
#: Distance of two rows in the block of variables without edges.
BLOCK_PITCH = 0.5


def distance(first_is_box: bool, second_is_box: bool) -> float:
    """Return how far apart the middles of two neighbours in a row are at least; what is no box is a bend."""
    if first_is_box and second_is_box:
        return NODE_PITCH
    return NODE_WIDTH / 2 + LANE_MARGIN if first_is_box or second_is_box else LANE
