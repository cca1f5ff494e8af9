"""hccd: causal discovery by hierarchical clustering.

``discover(data)`` learns a graph from a table and returns a frozen result; ``HCCD().fit(X)`` is the same as a
scikit-learn estimator. Names are imported when first used, so that ``import hccd`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hccd.version import __version__

if TYPE_CHECKING:
    from hccd.baselines import BRAI, MMPC, PC, RAI, CausalLearnFCI, CausalLearnPC
    from hccd.checkpoint.folder import CheckpointFolder
    from hccd.clustering import ClusterTree, Eigengap, FixedK, NearZero, SpectralSplitter
    from hccd.discovery import discover, learn_skeleton
    from hccd.effects import Contrast, Effect, Possibility
    from hccd.estimator import HCCD
    from hccd.graphs import PAG, PDAG, Skeleton
    from hccd.graphs.formats import NamedGraph, from_causallearn, from_networkx, from_pandas, from_pgmpy
    from hccd.independence import (
        BoundCITest,
        ChiSquareTest,
        CIResult,
        CITest,
        CustomTest,
        DegenerateGaussian,
        FisherZ,
        GTest,
        MutualInformation,
        Oracle,
        RegressionTest,
    )
    from hccd.knowledge import Knowledge, read_knowledge
    from hccd.preflight import DataCheck, check_data
    from hccd.result import HCCDResult
    from hccd.result.confidence import Confidence, Probabilities
    from hccd.result.fit import Fit
    from hccd.result.graph_files import read_graph, write_graph
    from hccd.result.skeleton_result import SkeletonResult
    from hccd.streams import Stream, stream
    from hccd.tables import Table, read_table
    from hccd.varied import Sensitivity, sensitivity

_HOMES = {
    "BoundCITest": "hccd.independence",
    "CIResult": "hccd.independence",
    "CITest": "hccd.independence",
    "CheckpointFolder": "hccd.checkpoint.folder",
    "ChiSquareTest": "hccd.independence",
    "ClusterTree": "hccd.clustering",
    "Confidence": "hccd.result.confidence",
    "CustomTest": "hccd.independence",
    "DataCheck": "hccd.preflight",
    "DegenerateGaussian": "hccd.independence",
    "RegressionTest": "hccd.independence",
    "Eigengap": "hccd.clustering",
    "FisherZ": "hccd.independence",
    "Fit": "hccd.result.fit",
    "FixedK": "hccd.clustering",
    "GTest": "hccd.independence",
    "HCCD": "hccd.estimator",
    "HCCDResult": "hccd.result",
    "Knowledge": "hccd.knowledge",
    "MutualInformation": "hccd.independence",
    "Contrast": "hccd.effects",
    "Effect": "hccd.effects",
    "NamedGraph": "hccd.graphs.formats",
    "Possibility": "hccd.effects",
    "NearZero": "hccd.clustering",
    "Oracle": "hccd.independence",
    "BRAI": "hccd.baselines",
    "CausalLearnFCI": "hccd.baselines",
    "CausalLearnPC": "hccd.baselines",
    "MMPC": "hccd.baselines",
    "PC": "hccd.baselines",
    "PAG": "hccd.graphs",
    "RAI": "hccd.baselines",
    "PDAG": "hccd.graphs",
    "Probabilities": "hccd.result.confidence",
    "Sensitivity": "hccd.varied",
    "Skeleton": "hccd.graphs",
    "SkeletonResult": "hccd.result.skeleton_result",
    "SpectralSplitter": "hccd.clustering",
    "Table": "hccd.tables",
    "check_data": "hccd.preflight",
    "discover": "hccd.discovery",
    "from_causallearn": "hccd.graphs.formats",
    "from_networkx": "hccd.graphs.formats",
    "from_pandas": "hccd.graphs.formats",
    "from_pgmpy": "hccd.graphs.formats",
    "learn_skeleton": "hccd.discovery",
    "read_graph": "hccd.result.graph_files",
    "read_knowledge": "hccd.knowledge",
    "read_table": "hccd.tables",
    "stream": "hccd.streams",
    "Stream": "hccd.streams",
    "sensitivity": "hccd.varied",
    "write_graph": "hccd.result.graph_files",
}

__all__ = [
    "BRAI",
    "HCCD",
    "MMPC",
    "PAG",
    "PC",
    "PDAG",
    "RAI",
    "BoundCITest",
    "CIResult",
    "CITest",
    "CausalLearnFCI",
    "CausalLearnPC",
    "CheckpointFolder",
    "ChiSquareTest",
    "ClusterTree",
    "Confidence",
    "Contrast",
    "CustomTest",
    "DataCheck",
    "DegenerateGaussian",
    "Effect",
    "Eigengap",
    "FisherZ",
    "Fit",
    "FixedK",
    "GTest",
    "HCCDResult",
    "Knowledge",
    "MutualInformation",
    "NamedGraph",
    "NearZero",
    "Oracle",
    "Possibility",
    "Probabilities",
    "RegressionTest",
    "Sensitivity",
    "Skeleton",
    "SkeletonResult",
    "SpectralSplitter",
    "Stream",
    "Table",
    "__version__",
    "check_data",
    "discover",
    "from_causallearn",
    "from_networkx",
    "from_pandas",
    "from_pgmpy",
    "learn_skeleton",
    "read_graph",
    "read_knowledge",
    "read_table",
    "sensitivity",
    "stream",
    "write_graph",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'hccd' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
