"""Graphs as matrices in pandas, and back.

Of a PDAG it is the adjacency matrix: a 1 in row a and column b is a -> b; a 1 in both cells of a pair is an undirected
edge. Of a PAG it is pcalg's ``amat.pag``: in row a and column b stands the mark at b, 1 circle, 2 arrowhead, 3 tail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hccd.errors import InvalidGraphError, NotInstalledError
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG

if TYPE_CHECKING:
    import pandas as pd


def to_pandas(graph: PDAG | PAG, names: Sequence[str]) -> pd.DataFrame:
    """Return the matrix of a graph with the names along both sides.

    Examples
    --------
    >>> to_pandas(PDAG.from_edges(2, directed=[(0, 1)]), ("rain", "wet")).loc["rain", "wet"].item()
    1
    """
    try:
        import pandas as pd
    except ImportError:
        raise NotInstalledError("a data frame of pandas needs the package pandas: pip install pandas") from None
    return pd.DataFrame(graph.marks.copy(), index=list(names), columns=list(names))


def from_pandas(frame: pd.DataFrame, *, pag: bool = False) -> NamedGraph:
    """Read a square data frame of zeros and ones as a graph; names are those of the columns, as text.

    Parameters
    ----------
    frame : pandas.DataFrame
        The matrix.
    pag : bool
        Read the marks of a PAG, from 0 to 3, in pcalg's coding ``amat.pag``.

    Raises
    ------
    InvalidGraphError
        If the index does not hold the names of the columns, or the cells are other numbers.
    """
    names, rows = tuple(map(str, frame.columns)), list(map(str, frame.index))
    if sorted(names) != sorted(rows):
        raise InvalidGraphError("The index of the data frame does not hold the names of its columns: make them agree.")
    position = {name: i for i, name in enumerate(rows)}
    marks = np.asarray(frame)[[position[name] for name in names]]
    return NamedGraph(names, PAG(marks) if pag else PDAG(marks))
