"""Clustering of the variables: from pairwise strengths to a tree of clusters (section 3 of the paper).

Read :mod:`~hccd.clustering.grow` for the top-down half of Algorithm 1,
:mod:`~hccd.clustering.spectral` for one division, :mod:`~hccd.clustering.separability` for when to stop,
:mod:`~hccd.clustering.tree` for what comes out.
"""

from hccd.clustering.cluster import Cluster
from hccd.clustering.components import components
from hccd.clustering.grow import grow_tree
from hccd.clustering.layout import TreeLayout
from hccd.clustering.ncut import ncut, ncut_terms
from hccd.clustering.separability import Eigengap, FixedK, NearZero, SeparabilityRule
from hccd.clustering.similarity import similarity
from hccd.clustering.spectral import EigenMap, eigenmap, split_in_k, split_in_two
from hccd.clustering.splitter import SpectralSplitter
from hccd.clustering.tree import ClusterTree

__all__ = [
    "Cluster",
    "ClusterTree",
    "EigenMap",
    "Eigengap",
    "FixedK",
    "NearZero",
    "SeparabilityRule",
    "SpectralSplitter",
    "TreeLayout",
    "components",
    "eigenmap",
    "grow_tree",
    "ncut",
    "ncut_terms",
    "similarity",
    "split_in_k",
    "split_in_two",
]
