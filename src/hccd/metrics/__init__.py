"""How close a learned graph is to the true graph, and how well a graph fits data.

Metrics are pure functions of ``(truth, learned)`` or ``(graph, data)``, one file each; `compare` computes all of them.
Each docstring states the conventions of its metric, since published tables differ in them. No metric depends on how a
graph was learned.
"""

from hccd.metrics.aid import AID, aid
from hccd.metrics.bdeu import bdeu
from hccd.metrics.bic import bic
from hccd.metrics.causal_accuracy import causal_accuracy
from hccd.metrics.comparison import Comparison, Score, compare
from hccd.metrics.edge_errors import EdgeErrors, ErrorRatios, edge_errors, error_ratios
from hccd.metrics.retrieval import Retrieval, adjacency_retrieval, arrowhead_retrieval
from hccd.metrics.shd import SHD, shd
from hccd.metrics.sid import SID, sid

__all__ = [
    "AID",
    "SHD",
    "SID",
    "Comparison",
    "EdgeErrors",
    "ErrorRatios",
    "Retrieval",
    "Score",
    "adjacency_retrieval",
    "aid",
    "arrowhead_retrieval",
    "bdeu",
    "bic",
    "causal_accuracy",
    "compare",
    "edge_errors",
    "error_ratios",
    "shd",
    "sid",
]
