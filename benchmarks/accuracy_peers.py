"""Searches by a score of other packages, served to ``accuracy.py``.

Run by the interpreter that has the packages, like ``peer_script.py``, whose manner of asking and answering it shares.
``BIC x 2`` is twice the price of a parent in BIC, ln(rows) / 2: ``alpha`` of XGES is this factor, ``lambda_value`` of
causal-learn is half of it.
"""

from __future__ import annotations

import os
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# By its folder: the interpreter that has the packages has no hccd.
sys.path.append(str(Path(__file__).parents[1] / "src" / "hccd" / "studies"))

import peer_script
from peer_script import CONTINUOUS, Peer, read_causal_learn, same

#: What the interpreter of the peers runs.
SCRIPT = Path(__file__)
#: The versions that are called here. XGES wants an older numpy than the other peers: an environment of its own.
PINS = {"xges": "0.1.6", "causal-learn": "0.1.4.8"}


def xges(data: Any, kind: str, alpha: float) -> Any:
    """Extremely greedy equivalence search, with the package's compiled score."""
    from xges import XGES

    return XGES(alpha=alpha).fit(np.ascontiguousarray(data, np.float64), verbose=0)


def read_xges(graph: Any) -> dict[str, Any]:
    """Read the matrix: an edge marked both ways is a line."""
    marks = np.asarray(graph.to_adjacency_matrix()) != 0
    return {
        "directed": np.argwhere(marks & ~marks.T).tolist(),
        "undirected": np.argwhere(np.triu(marks & marks.T)).tolist(),
    }


def boss(data: Any, kind: str, lambda_value: float) -> Any:
    """Best order score search; it shuffles the variables, always in the same way here."""
    from causallearn.search.PermutationBased.BOSS import boss as search

    random.seed(0)
    return search(data, "local_score_BIC_from_cov", {"lambda_value": lambda_value}, verbose=False)


PEERS = {
    "XGES, BIC": Peer("xges", same, partial(xges, alpha=1.0), read_xges, "alpha 1", (CONTINUOUS,), 8),
    "XGES, BIC x 2": Peer("xges", same, partial(xges, alpha=2.0), read_xges, "alpha 2", (CONTINUOUS,), 8),
    "BOSS, BIC x 2": Peer(
        "causal-learn", same, partial(boss, lambda_value=1.0), read_causal_learn, "lambda 1", (CONTINUOUS,)
    ),
    "BOSS, BIC x 4": Peer(
        "causal-learn", same, partial(boss, lambda_value=2.0), read_causal_learn, "lambda 2", (CONTINUOUS,)
    ),
}


if __name__ == "__main__":
    os.environ["NUMBA_NUM_THREADS"] = "1"
    peer_script.PEERS.update(PEERS)
    peer_script.serve()
