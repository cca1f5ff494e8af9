"""Validity: whether some DAG can stand behind a partially directed graph.

Orientation from data can go wrong: colliders contradict each other, and the arrows that follow from them
close a cycle or leave no DAG at all. The three checks here are those a learned graph must pass before
anything is concluded from it. They say nothing about whether the graph is *true*, nor whether it is a CPDAG
(an arrow that came from background knowledge is valid too).
"""

from __future__ import annotations

from dataclasses import dataclass

from hccd.errors import NotExtendableError
from hccd.graphs.equivalence import pdag_to_dag
from hccd.graphs.meek import meek_closure
from hccd.graphs.pdag import PDAG


@dataclass(frozen=True)
class Validity:
    """What holds of a partially directed graph.

    Attributes
    ----------
    acyclic : bool
        The directed edges form no cycle.
    extendable : bool
        Some DAG has the same skeleton, contains all the arrows and has no v-structure that is not there
        already. An extendable graph is acyclic.
    meek_closed : bool
        Meek's rules R1-R4 direct no further edge: in an extendable graph, every edge that the arrows
        determine is an arrow.
    """

    acyclic: bool
    extendable: bool
    meek_closed: bool

    @property
    def valid(self) -> bool:
        """Whether all three hold."""
        return self.acyclic and self.extendable and self.meek_closed


def check_validity(pdag: PDAG) -> Validity:
    """Examine any partially directed graph; nothing is raised for a bad one.

    Examples
    --------
    >>> check_validity(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]))
    Validity(acyclic=True, extendable=True, meek_closed=False)
    >>> check_validity(PDAG.from_edges(3, directed=[(0, 1), (1, 2)])).valid
    True
    """
    return Validity(
        acyclic=pdag.topological_order() is not None,
        extendable=_is_extendable(pdag),
        meek_closed=meek_closure(pdag) == pdag,
    )


def _is_extendable(pdag: PDAG) -> bool:
    try:
        pdag_to_dag(pdag)
    except NotExtendableError:
        return False
    return True
