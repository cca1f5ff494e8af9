"""Precision, recall and F1 of adjacencies and of arrowheads.

Adjacencies are pairs joined by an edge of any type. Arrowheads are directed edges i -> j. An arrowhead is right if the
true graph has i -> j, and wrong if the true edge is undirected, reversed or absent. In a PAG an arrowhead at j counts
whatever the mark at i is, and a bidirected edge has two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hccd.graphs import AnyGraph
from hccd.graphs.pag import ARROW
from hccd.metrics.pairing import GraphLike, end_marks, paired


@dataclass(frozen=True)
class Retrieval:
    """Numbers of right, wrong and missed items, with precision, recall and F1.

    A ratio 0/0 is 1 if both graphs have no such item, and 0 otherwise: a graph that claims nothing where there is
    something to find has precision, recall and F1 of 0, and so does a graph that claims something where there is
    nothing.

    Attributes
    ----------
    right : int
        Number of items in both graphs.
    wrong : int
        Number of items in the learned graph only.
    missed : int
        Number of items in the true graph only.
    """

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of the learned graph's items that are right."""
        return self._share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of the true graph's items that were found."""
        return self._share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self._share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    def _share(self, part: int, whole: int) -> float:
        if whole:
            return part / whole
        return 0.0 if self.wrong or self.missed else 1.0


def adjacency_retrieval(truth: GraphLike, learned: GraphLike) -> Retrieval:
    """Compare the adjacent pairs of two graphs.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables; directions do not matter.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> found = adjacency_retrieval(PDAG.from_edges(3, [(0, 1), (1, 2)]), PDAG.from_edges(3, [(1, 0)]))
    >>> found, found.precision, found.recall
    (Retrieval(right=1, wrong=0, missed=1), 1.0, 0.5)
    """
    pair = paired(truth, learned)
    return _retrieval(_lines(pair.truth), _lines(pair.learned))


def arrowhead_retrieval(truth: GraphLike, learned: GraphLike, *, as_cpdag: bool = True) -> Retrieval:
    """Compare the directed edges of two graphs; for PAGs, the arrowheads.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class first.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> collider = PDAG.from_edges(3, [(0, 1), (2, 1)])
    >>> arrowhead_retrieval(collider, PDAG.from_edges(3, [(0, 1)], [(1, 2)]))
    Retrieval(right=1, wrong=0, missed=1)
    """
    pair = paired(truth, learned, as_cpdag=as_cpdag)
    return _retrieval(end_marks(pair.truth) == ARROW, end_marks(pair.learned) == ARROW)


def _lines(graph: AnyGraph) -> NDArray[np.bool_]:
    """Each adjacent pair once."""
    lines: NDArray[np.bool_] = np.triu((graph.marks | graph.marks.T) != 0)
    return lines


def _retrieval(true: NDArray[np.bool_], claimed: NDArray[np.bool_]) -> Retrieval:
    right = int(np.count_nonzero(true & claimed))
    return Retrieval(right, int(np.count_nonzero(claimed)) - right, int(np.count_nonzero(true)) - right)
