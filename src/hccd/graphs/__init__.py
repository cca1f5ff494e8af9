"""Graphs as immutable values over the variables 0 .. n-1, and what can be said about them without data.

Skeletons and partially directed graphs, separating sets, d-separation, Meek's rules, Markov equivalence and
validity. Nothing here looks at data or makes a test.
"""

from typing import TypeAlias

from hccd.graphs.dseparation import DSeparation, d_separated
from hccd.graphs.equivalence import dag_to_cpdag, markov_equivalent, pdag_to_dag, v_structures
from hccd.graphs.meek import meek_closure
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG
from hccd.graphs.separators import SeparatingSets
from hccd.graphs.skeleton import Skeleton
from hccd.graphs.validity import Validity, check_validity

#: What a run may end with.
AnyGraph: TypeAlias = PDAG | PAG

__all__ = [
    "PAG",
    "PDAG",
    "AnyGraph",
    "DSeparation",
    "SeparatingSets",
    "Skeleton",
    "Validity",
    "check_validity",
    "d_separated",
    "dag_to_cpdag",
    "markov_equivalent",
    "meek_closure",
    "pdag_to_dag",
    "v_structures",
]
