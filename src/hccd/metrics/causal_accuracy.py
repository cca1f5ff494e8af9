"""Causal accuracy: the share of the true graph's edge marks that the learned graph has (section 4 of the paper).

The paper cites Claassen and Heskes (2012) for it. Two programs compute different measures under this name; both are
available. Neither counts extra edges, so report causal accuracy together with a measure that does.

=============================  ============  =========
per edge of the true graph     edge_marks    cauacc
=============================  ============  =========
the same edge                  2 of 2        all
missing                        0             0
reversed                       0             0
directed, learned undirected   1 of 2        1 of 1
undirected, learned directed   1 of 2        1 of 2
=============================  ============  =========
"""

from __future__ import annotations

import numpy as np

from hccd.errors import InvalidParameterError
from hccd.graphs import PDAG
from hccd.metrics.pairing import GraphLike, paired

VARIANTS = ("edge_marks", "cauacc")


def causal_accuracy(
    truth: GraphLike, learned: GraphLike, *, variant: str = "edge_marks", as_cpdag: bool = True
) -> float:
    """Compute the causal accuracy, from 0 to 1.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables.
    variant : {"edge_marks", "cauacc"}
        ``edge_marks``: over the pairs adjacent in the true graph, the share of the two marks, each an arrowhead or a
        tail, that are the same in the learned graph. ``cauacc``: over the ones of the true graph's matrix (one for a
        directed, two for an undirected edge), the share that are ones in the learned graph's matrix.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class first.

    Returns
    -------
    float
        1 if the true graph has no edges.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> collider, line = PDAG.from_edges(3, [(0, 1), (2, 1)]), PDAG.from_edges(3, undirected=[(0, 1)])
    >>> causal_accuracy(collider, line), causal_accuracy(collider, line, variant="cauacc")
    (0.25, 0.5)
    """
    if variant not in VARIANTS:
        raise InvalidParameterError(f"The variant is {variant!r}: choose one of {', '.join(VARIANTS)}.")
    true, own = paired(truth, learned, as_cpdag=as_cpdag).pdags()
    if variant == "cauacc":
        wanted = true.marks.view(np.bool_)
        right = wanted & own.marks.view(np.bool_)
    else:
        wanted = _adjacent(true)
        right = wanted & _adjacent(own) & (_heads(true) == _heads(own))
    total = int(np.count_nonzero(wanted))
    return int(np.count_nonzero(right)) / total if total else 1.0


def _adjacent(graph: PDAG) -> np.typing.NDArray[np.bool_]:
    return (graph.marks | graph.marks.T).view(np.bool_)


def _heads(graph: PDAG) -> np.typing.NDArray[np.bool_]:
    """Whether the edge between i and j has an arrowhead at j."""
    heads: np.typing.NDArray[np.bool_] = graph.marks > graph.marks.T
    return heads
