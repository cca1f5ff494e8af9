"""Partially directed graphs in the code of the package gadjid.

There a directed edge is a 1 in its row and column, and an undirected edge a 2; a pair of ones, which is how an
undirected edge looks in a `PDAG`, makes it panic, which ``except Exception`` does not catch. The matrix must be int8.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hccd.graphs.pdag import PDAG

#: What gadjid's functions are to be told about the matrices made here.
EDGE_DIRECTION = "from row to column"


def to_gadjid(pdag: PDAG) -> NDArray[np.int8]:
    """Return the matrix of ``pdag`` with 1 for directed and 2 for undirected edges.

    Examples
    --------
    >>> to_gadjid(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)])).tolist()
    [[0, 1, 0], [0, 0, 2], [0, 2, 0]]
    """
    matrix: NDArray[np.int8] = pdag.marks + (pdag.marks & pdag.marks.T)
    return matrix
