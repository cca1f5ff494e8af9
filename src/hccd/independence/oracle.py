"""The d-separation oracle: a test that knows the true graph and makes no mistakes.

Theorems are checked with it. Variables of the graph may be hidden (*latent*), or be what decided which rows there are
(*selection*): the oracle then answers for the others alone, as data would that lack the former and were selected by the
latter. That is m-separation in the graph's MAG.

Its strength is the population correlation of the linear model on the graph with unit noise and every weight positive,
given the selection variables; zero exactly where the graph separates without any further condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.graphs import PDAG, DSeparation
from hccd.graphs.edges import variable
from hccd.independence.protocol import BoundCITest, CIResult, check_question

#: Weight of every edge in the model behind ``strength``.
WEIGHT = 0.5


@dataclass(frozen=True)
class Oracle:
    """A test that answers from a known DAG, by d-separation; it needs no data.

    Parameters
    ----------
    dag : PDAG
        The true graph.
    latent : sequence of int
        Variables that are not measured.
    selection : sequence of int
        Variables by which rows are selected: every test conditions on these.

    All others are the variables of the test, in the order of the graph.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> from hccd.independence import Oracle
    >>> chain = Oracle(PDAG.from_edges(3, directed=[(0, 1), (1, 2)])).bind()
    >>> chain.test(0, 2).independent, chain.test(0, 2, [1]).independent
    (False, True)
    """

    dag: PDAG
    latent: Sequence[int] = ()
    selection: Sequence[int] = ()

    def bind(self, data: object = None) -> BoundOracle:
        """Prepare the graph; ``data`` is not used."""
        return BoundOracle(self.dag, self.latent, self.selection)


class BoundOracle(BoundCITest):
    """d-separation on one DAG, between the variables that are neither latent nor selection variables."""

    has_p_values = False

    def __init__(self, dag: PDAG, latent: Sequence[int] = (), selection: Sequence[int] = ()) -> None:
        if not dag.is_dag():
            raise InvalidGraphError("an oracle needs a directed acyclic graph; this one is not: check its edges")
        unseen = [variable(v, dag.n) for v in (*latent, *selection)]
        if len(set(unseen)) < len(unseen):
            raise InvalidParameterError("a variable is named twice among latent and selection: name each once")
        self.dag = dag
        self.observed = tuple(v for v in range(dag.n) if v not in unseen)
        self.selection = tuple(map(int, selection))
        self._separation = DSeparation(dag)
        self._strength = population_strength(dag, self.observed, self.selection)

    @property
    def n_variables(self) -> int:
        """The nodes of the graph that are observed."""
        return len(self.observed)

    def test(self, x: int, y: int, given: Sequence[int] = ()) -> CIResult:
        """Tell whether the set d-separates x and y, the selection variables being given as well."""
        check_question(self.n_variables, x, y, given)
        seen = self.observed
        independent = self._separation.separated(seen[x], seen[y], (*(seen[z] for z in given), *self.selection))
        if given:
            return CIResult(independent, float(not independent))
        return CIResult(independent, 0.0 if independent else float(self._strength[x, y]))

    def content(self) -> tuple[NDArray[Any], ...]:
        """Return the graph, and which of its variables are observed or selected by."""
        return self.dag.marks, np.array(self.observed), np.array(self.selection)

    def describe(self) -> dict[str, object]:
        """Name only: an oracle has no settings."""
        return {"name": "oracle"}


def population_strength(
    dag: PDAG, observed: Sequence[int] | None = None, selection: Sequence[int] = ()
) -> NDArray[np.float64]:
    """Return the absolute population correlations, given ``selection``, in the linear model with weights ``WEIGHT``."""
    effects = np.linalg.inv(np.eye(dag.n) - WEIGHT * dag.marks.astype(np.float64))
    whole = effects.T @ effects
    seen, given = list(range(dag.n) if observed is None else observed), list(selection)
    across = whole[np.ix_(seen, given)]
    covariance = whole[np.ix_(seen, seen)] - across @ np.linalg.solve(whole[np.ix_(given, given)], across.T)
    scale = np.sqrt(np.diag(covariance))
    strength = np.abs(covariance / np.outer(scale, scale))
    np.fill_diagonal(strength, 0.0)
    return np.asarray(np.minimum(strength, strength.T))
