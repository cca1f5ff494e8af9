"""A boolean matrix as a DAG; a matrix with a cycle is refused."""

from __future__ import annotations

import numpy as np

from hccd.datasets.synthetic import Bools
from hccd.errors import InvalidGraphError
from hccd.graphs import PDAG


def acyclic_graph(dag: Bools) -> PDAG:
    """Return the DAG whose edge i -> j is ``dag[i, j]``.

    Raises
    ------
    InvalidGraphError
        There is a directed cycle, or a variable that is its own parent.
    """
    if not dag.diagonal().any():
        graph = PDAG(dag.astype(np.int8))
        # Two opposite edges are an undirected one to a PDAG, and a cycle here.
        if graph.is_dag():
            return graph
    raise InvalidGraphError("the edges form a directed cycle: give an acyclic graph")
