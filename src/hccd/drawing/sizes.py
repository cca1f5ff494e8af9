"""The sizes that a layout assumes. Its unit is the width of a variable's box, unless the boxes are given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: A variable is a box of this size around its position.
NODE_WIDTH = 1.0
NODE_HEIGHT = 0.34
#: Free room in a row between two boxes, or a box and a long edge; distance of two long edges that run side by side.
BOX_GAP = 0.2
LANE = 0.1
#: Free room between two rows, at least and at most: it grows where edges run far to the side.
ROW_GAP = 0.56
WIDEST_GAP = 1.36
#: Free room between two rows, at least, where a picture is higher than wanted and than this.
CLOSEST_GAP = 0.4
LOW = 6.0
#: Distance between parts of a graph that are not connected.
PART_GAP = 0.6
#: Free room between two rows in the block of variables without edges.
BLOCK_GAP = 0.16


@dataclass(frozen=True, eq=False)
class Boxes:
    """How wide the box of each variable is, and how high all of them are."""

    widths: NDArray[np.float64]
    height: float = NODE_HEIGHT

    def of(self, variables: NDArray[np.int64]) -> Boxes:
        """Return the boxes of some variables."""
        return Boxes(self.widths[variables], self.height)


def equal_boxes(n: int) -> Boxes:
    """Return boxes of the usual size."""
    return Boxes(np.full(n, NODE_WIDTH))
