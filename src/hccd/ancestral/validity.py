"""Whether a graph is a PAG: the marks that a Markov equivalence class of maximal ancestral graphs shares."""

from __future__ import annotations

from hccd.ancestral.ends import Ends
from hccd.ancestral.mag import pag_of
from hccd.ancestral.member import member_of
from hccd.graphs.pag import PAG


def is_valid_pag(graph: PAG) -> bool:
    """Tell whether some MAG has this PAG.

    If one does, the MAG that follows the marks does (Zhang 2008, theorem 2), so no other need be tried.
    """
    return pag_of(member_of(Ends.of(graph))).pag() == graph
