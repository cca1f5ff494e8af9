"""What is left of a DAG if some of its variables are hidden and rows were selected by others: its MAG, and its PAG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import pag_of
from hccd.graphs.dseparation import DSeparation
from hccd.graphs.pag import ARROW, PAG, TAIL
from hccd.graphs.pdag import PDAG


def dag_to_mag(dag: PDAG, latent: Sequence[int] = (), selection: Sequence[int] = ()) -> PAG:
    """Return the maximal ancestral graph of a DAG over the variables that are neither latent nor selection variables.

    Variables keep their order. Two of them are adjacent if their ancestors, and those of the selection variables, do
    not separate them: then nothing does (Richardson and Spirtes, *Annals of Statistics* 30, 2002). A tail is at an
    ancestor of the other end or of a selection variable.
    """
    separation = DSeparation(dag)
    unseen = {*map(int, latent), *map(int, selection)}
    observed = [v for v in range(dag.n) if v not in unseen]
    above = separation.ancestors
    selected = 0
    for s in selection:
        selected |= above[s]
    ends = Ends(len(observed), [])
    for (i, x), (j, y) in combinations(enumerate(observed), 2):
        near = above[x] | above[y] | selected
        given = [z for z in observed if z not in (x, y) and near >> z & 1]
        if not separation.separated(x, y, (*given, *selection)):
            ends.at[i][j] = TAIL if (above[x] | selected) >> y & 1 else ARROW
            ends.at[j][i] = TAIL if (above[y] | selected) >> x & 1 else ARROW
    return ends.pag()


def dag_to_pag(dag: PDAG, latent: Sequence[int] = (), selection: Sequence[int] = ()) -> PAG:
    """Return the PAG that FCI finds with perfect tests if these variables of a DAG are latent or select rows.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> dag = PDAG.from_edges(5, directed=[(0, 1), (4, 1), (4, 2), (3, 2)])
    >>> [(i, j, kind.value) for i, j, kind in dag_to_pag(dag, latent=[4]).typed_edges()]
    [(0, 1, 'partially-directed'), (1, 2, 'bidirected'), (3, 2, 'partially-directed')]
    """
    return pag_of(Ends.of(dag_to_mag(dag, latent, selection))).pag()
