"""Graphs of systems with hidden causes and selected rows: possible-d-sep sets, FCI's rules, MAGs and PAGs, RFCI."""

from hccd.ancestral.contested import claims_to_follow
from hccd.ancestral.fci import OrientedPAG, orient_pag, with_colliders
from hccd.ancestral.latent_projection import dag_to_mag, dag_to_pag
from hccd.ancestral.possible_dsep import Further, separate_further
from hccd.ancestral.rfci import orient_rfci
from hccd.ancestral.validity import is_valid_pag

__all__ = [
    "Further",
    "OrientedPAG",
    "claims_to_follow",
    "dag_to_mag",
    "dag_to_pag",
    "is_valid_pag",
    "orient_pag",
    "orient_rfci",
    "separate_further",
    "with_colliders",
]
