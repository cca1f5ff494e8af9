"""Adjustment identification distances (Henckel, Würtzen and Weichwald 2024), by the package gadjid.

Like the SID they count the ordered pairs (x, y), out of n (n - 1), whose effect the learned graph identifies wrongly.
They differ in the adjustment set: the parents of x, its ancestors, or the optimal set. CPDAGs are compared without
choosing a DAG: "this effect is not identified" is right if it holds in the true CPDAG too, and a mistake if it holds
in only one of them. So ``parent`` is the SID for DAGs, but not for CPDAGs.

gadjid does not check its input and fails on some graphs that are no CPDAGs; here graphs are checked first.
"""

from __future__ import annotations

from dataclasses import dataclass

from hccd.errors import InvalidGraphError, InvalidParameterError, NotExtendableError, NotInstalledError
from hccd.graphs import PDAG, dag_to_cpdag, pdag_to_dag
from hccd.graphs.formats.gadjid import EDGE_DIRECTION, to_gadjid
from hccd.metrics.pairing import GraphLike, paired

ADJUSTMENTS = ("ancestor", "oset", "parent")


@dataclass(frozen=True)
class AID:
    """An adjustment identification distance.

    Attributes
    ----------
    mistakes : int
        Number of effects that are identified wrongly.
    n_variables : int
        Number of variables.
    """

    mistakes: int
    n_variables: int

    @property
    def pairs(self) -> int:
        """Number of effects, n (n - 1)."""
        return self.n_variables * (self.n_variables - 1)

    @property
    def normalised(self) -> float:
        """The share of the effects that are identified wrongly; 0 if there are none."""
        return self.mistakes / self.pairs if self.pairs else 0.0


def aid(truth: GraphLike, learned: GraphLike, adjustment: str = "ancestor", *, as_cpdag: bool = True) -> AID:
    """Compute an adjustment identification distance.

    Parameters
    ----------
    truth, learned : GraphLike
        Two graphs over the same variables, each a DAG or a CPDAG.
    adjustment : {"ancestor", "oset", "parent"}
        The adjustment set.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class first, so that directions that data cannot identify do
        not count.

    Raises
    ------
    InvalidGraphError
        If a graph is neither a DAG nor a CPDAG.
    NotInstalledError
        If gadjid is not installed: it comes with the extra ``experiments``.
    """
    if adjustment not in ADJUSTMENTS:
        raise InvalidParameterError(f"The adjustment is {adjustment!r}: choose one of {', '.join(ADJUSTMENTS)}.")
    true, own = paired(truth, learned, as_cpdag=as_cpdag).pdags()
    _require_dag_or_cpdag(true, "true")
    _require_dag_or_cpdag(own, "learned")
    try:
        import gadjid
    except ModuleNotFoundError:
        raise NotInstalledError(
            "The package gadjid, which computes these distances, is not installed: pip install 'hccd[experiments]'."
        ) from None
    n = true.n
    if n < 2:
        return AID(0, n)
    distance = getattr(gadjid, f"{adjustment}_aid")
    _, mistakes = distance(to_gadjid(true), to_gadjid(own), edge_direction=EDGE_DIRECTION)
    return AID(int(mistakes), n)


def _require_dag_or_cpdag(graph: PDAG, which: str) -> None:
    if graph.is_dag():
        return
    try:
        if dag_to_cpdag(pdag_to_dag(graph)) == graph:
            return
    except NotExtendableError:
        pass
    raise InvalidGraphError(
        f"The {which} graph is neither a DAG nor the CPDAG of one: this distance is not defined for it."
    )
