"""The structural Hamming distance (SHD): how many pairs of variables are joined differently, and in what way.

Each pair counts once, whether its edge is missing, extra, reversed, or directed in one graph and undirected in the
other: "the number of edge insertions, deletions or flips to transform one graph to another" (section 4.2 of the
paper), which is the convention of pcalg and of Tsamardinos et al. (2006). Some packages count a reversed edge twice;
`SHD.reversed` can be added for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hccd.metrics.pairing import GraphLike, paired


@dataclass(frozen=True)
class SHD:
    """The distance and what it is made of; each field is a number of pairs.

    Attributes
    ----------
    missing : int
        Adjacent in the true graph only.
    extra : int
        Adjacent in the learned graph only.
    reversed : int
        Directed in both, in opposite directions.
    arrow_missing : int
        Directed in the true graph, undirected in the learned one.
    arrow_extra : int
        Undirected in the true graph, directed in the learned one.
    """

    missing: int
    extra: int
    reversed: int
    arrow_missing: int
    arrow_extra: int

    @property
    def total(self) -> int:
        """The distance."""
        return self.missing + self.extra + self.reversed + self.arrow_missing + self.arrow_extra


def shd(truth: GraphLike, learned: GraphLike, *, as_cpdag: bool = True) -> SHD:
    """Compute the structural Hamming distance.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class first, so that nothing is held against a learned graph
        that data cannot tell. False compares the graphs as they are.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> chain, collider = PDAG.from_edges(3, [(0, 1), (1, 2)]), PDAG.from_edges(3, [(0, 1), (2, 1)])
    >>> shd(chain, collider)
    SHD(missing=0, extra=0, reversed=0, arrow_missing=0, arrow_extra=2)
    >>> shd(chain, collider, as_cpdag=False)
    SHD(missing=0, extra=0, reversed=1, arrow_missing=0, arrow_extra=0)
    """
    pair = paired(truth, learned, as_cpdag=as_cpdag)
    true, own = pair.truth.marks.view(np.bool_), pair.learned.marks.view(np.bool_)
    # Only pairs that differ are looked at, each once with i < j: few, whatever the number of variables.
    i, j = np.nonzero(np.triu((true != own) | (true != own).T))
    true_forth, true_back, own_forth, own_back = true[i, j], true[j, i], own[i, j], own[j, i]
    in_truth, in_learned = true_forth | true_back, own_forth | own_back
    both = in_truth & in_learned
    true_line, own_line = true_forth & true_back, own_forth & own_back
    return SHD(
        missing=int(np.sum(in_truth & ~in_learned)),
        extra=int(np.sum(in_learned & ~in_truth)),
        reversed=int(np.sum(both & ~true_line & ~own_line)),
        arrow_missing=int(np.sum(both & own_line)),
        arrow_extra=int(np.sum(both & true_line)),
    )
