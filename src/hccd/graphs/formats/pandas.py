"""Partially directed graphs as adjacency matrices in pandas, and back.

A 1 in row a and column b is a -> b; a 1 in both cells of a pair is an undirected edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hccd.errors import InvalidGraphError, NotInstalledError
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.pdag import PDAG

if TYPE_CHECKING:
    import pandas as pd


def to_pandas(pdag: PDAG, names: Sequence[str]) -> pd.DataFrame:
    """Return the adjacency matrix of ``pdag`` with the names along both sides.

    Examples
    --------
    >>> to_pandas(PDAG.from_edges(2, directed=[(0, 1)]), ("rain", "wet")).loc["rain", "wet"].item()
    1
    """
    try:
        import pandas as pd
    except ImportError:
        raise NotInstalledError("a data frame of pandas needs the package pandas: pip install pandas") from None
    return pd.DataFrame(pdag.marks.copy(), index=list(names), columns=list(names))


def from_pandas(frame: pd.DataFrame) -> NamedGraph:
    """Read a square data frame of zeros and ones as a graph; names are those of the columns, as text.

    Raises
    ------
    InvalidGraphError
        If the index does not hold the names of the columns, or the cells are not zeros and ones.
    """
    names, rows = tuple(map(str, frame.columns)), list(map(str, frame.index))
    if sorted(names) != sorted(rows):
        raise InvalidGraphError("The index of the data frame does not hold the names of its columns: make them agree.")
    position = {name: i for i, name in enumerate(rows)}
    return NamedGraph(names, PDAG(np.asarray(frame)[[position[name] for name in names]]))
