"""The structural Hamming distance (SHD): the number of pairs of variables with different edges, by type.

Each pair counts once, whether its edge is missing, extra, reversed, or directed in one graph and undirected in the
other: "the number of edge insertions, deletions or flips to transform one graph to another" (section 4.2 of the
paper), which is the convention of pcalg and of Tsamardinos et al. (2006). Some packages count a reversed edge twice;
add `SHD.reversed` to compare with them.

For PAGs the marks at both ends are compared. `hccd.metrics.pairing` defines how an undirected edge of a PDAG compares
with an edge of a PAG.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from hccd.graphs.pag import ARROW, NONE
from hccd.metrics.pairing import GraphLike, end_marks, paired


@dataclass(frozen=True)
class SHD:
    """The distance and its components; each field is a number of pairs.

    Attributes
    ----------
    missing : int
        Adjacent in the true graph only.
    extra : int
        Adjacent in the learned graph only.
    reversed : int
        Directed in both, in opposite directions.
    arrow_missing : int
        Directed in the true graph, undirected in the learned one; for PAGs, an arrowhead of the true edge is missing.
    arrow_extra : int
        Undirected in the true graph, directed in the learned one; for PAGs, the learned edge has an extra arrowhead.
    tail_or_circle : int
        For PAGs: the same arrowheads, but one graph has a tail where the other has a circle.
    """

    missing: int
    extra: int
    reversed: int
    arrow_missing: int
    arrow_extra: int
    tail_or_circle: int = 0

    @property
    def total(self) -> int:
        """The distance."""
        return sum(astuple(self))


def shd(truth: GraphLike, learned: GraphLike, *, as_cpdag: bool = True) -> SHD:
    """Compute the structural Hamming distance.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class first, so that directions that data cannot identify do
        not count as errors. False compares the graphs without replacing them.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> chain, collider = PDAG.from_edges(3, [(0, 1), (1, 2)]), PDAG.from_edges(3, [(0, 1), (2, 1)])
    >>> shd(chain, collider)
    SHD(missing=0, extra=0, reversed=0, arrow_missing=0, arrow_extra=2, tail_or_circle=0)
    >>> shd(chain, collider, as_cpdag=False)
    SHD(missing=0, extra=0, reversed=1, arrow_missing=0, arrow_extra=0, tail_or_circle=0)
    """
    pair = paired(truth, learned, as_cpdag=as_cpdag)
    true, own = end_marks(pair.truth), end_marks(pair.learned)
    # Only pairs that differ are looked at, each once with i < j: few, whatever the number of variables.
    i, j = np.nonzero(np.triu((true != own) | (true != own).T))
    in_truth, in_learned = true[i, j] != NONE, own[i, j] != NONE
    both = in_truth & in_learned
    lost, won = (
        ((one[i, j] == ARROW) & (other[i, j] != ARROW)) | ((one[j, i] == ARROW) & (other[j, i] != ARROW))
        for one, other in ((true, own), (own, true))
    )
    return SHD(
        missing=int(np.sum(in_truth & ~in_learned)),
        extra=int(np.sum(in_learned & ~in_truth)),
        reversed=int(np.sum(both & lost & won)),
        arrow_missing=int(np.sum(both & lost & ~won)),
        arrow_extra=int(np.sum(both & won & ~lost)),
        tail_or_circle=int(np.sum(both & ~lost & ~won)),
    )
