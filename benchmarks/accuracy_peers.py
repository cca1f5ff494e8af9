"""Searches by a score of other packages, served to ``accuracy.py``.

Run by the interpreter that has the packages, like ``peer_script.py``, whose manner of asking and answering it shares.
``BIC x 2`` is twice the price of a parent in BIC, ln(rows) / 2: ``alpha`` of XGES is this factor, ``lambda_value`` of
causal-learn is half of it. All that have a price are asked with BIC's and with twice that, which is XGES's default;
causal-learn's default is four times BIC's. XGES and ``ges`` have no score of discrete data.
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
from peer_script import CONTINUOUS, DISCRETE, Peer, frame, read_arcs_and_edges, read_causal_learn, same

#: What the interpreter of the peers runs.
SCRIPT = Path(__file__)
#: The versions that are called here. XGES wants an older numpy than the other peers: an environment of its own.
PINS = {"xges": "0.1.6", "causal-learn": "0.1.4.8", "ges": "1.1.1", "dagma": "1.1.1"}
#: Installed without what they require: the linear model of dagma needs neither torch nor igraph.
BARE = ("dagma",)


def xges(data: Any, kind: str, alpha: float) -> Any:
    """Extremely greedy equivalence search, with the package's compiled score."""
    from xges import XGES

    return XGES(alpha=alpha).fit(np.ascontiguousarray(data, np.float64), verbose=0)


def read_xges(graph: Any) -> dict[str, Any]:
    """Read the matrix of a graph."""
    return read_matrix(graph.to_adjacency_matrix())


def by_order(data: Any, kind: str, search: str, lambda_value: float = 0.5) -> Any:
    """BOSS or GRaSP; they shuffle the variables, always in the same way here."""
    from causallearn.search.PermutationBased.BOSS import boss
    from causallearn.search.PermutationBased.GRaSP import grasp

    random.seed(0)
    learn = {"boss": boss, "grasp": grasp}[search]
    if kind == DISCRETE:
        return learn(data, "local_score_BDeu", verbose=False)
    return learn(data, "local_score_BIC_from_cov", parameters={"lambda_value": lambda_value}, verbose=False)


def ges(data: Any, kind: str, factor: float) -> Any:
    """Greedy equivalence search of the package of this name: forward, backward and turning."""
    import ges as package
    from ges.scores.gauss_obs_l0_pen import GaussObsL0Pen

    return package.fit(GaussObsL0Pen(data, lmbda=factor * 0.5 * np.log(len(data))))[0]


def read_matrix(matrix: Any) -> dict[str, Any]:
    """Read a matrix, row to column: an edge marked both ways is a line."""
    marks = np.asarray(matrix) != 0
    return {
        "directed": np.argwhere(marks & ~marks.T).tolist(),
        "undirected": np.argwhere(np.triu(marks & marks.T)).tolist(),
    }


def pybnesian_climb(table: Any, kind: str, score: str) -> Any:
    """Greedy hill climbing by single arcs, from no arcs."""
    import pybnesian

    network = pybnesian.GaussianNetwork if kind == CONTINUOUS else pybnesian.DiscreteBN
    return pybnesian.GreedyHillClimbing().estimate(
        operators=pybnesian.ArcOperatorSet(), score=getattr(pybnesian, score)(table), start=network(list(table.columns))
    )


def dagma(data: Any, kind: str) -> Any:
    """Continuous optimisation of a linear model by least squares, with the package's defaults."""
    from dagma.linear import DagmaLinear

    return DagmaLinear(loss_type="l2").fit(data)


def continuous(package: str, learn: Any, read: Any, settings: str, **more: Any) -> Peer:
    """Return a peer for continuous data."""
    return Peer(package, same, learn, read, settings, (CONTINUOUS,), **more)


def on_order(search: str, lambda_value: float) -> Peer:
    """Return BOSS or GRaSP by BIC."""
    learn = partial(by_order, search=search, lambda_value=lambda_value)
    return continuous("causal-learn", learn, read_causal_learn, f"lambda {lambda_value:g}")


def on_order_discrete(search: str) -> Peer:
    """Return BOSS or GRaSP by BDeu."""
    learn = partial(by_order, search=search)
    return Peer("causal-learn", same, learn, read_causal_learn, "local_score_BDeu", (DISCRETE,))


PEERS = {
    "XGES, BIC": continuous("xges", partial(xges, alpha=1.0), read_xges, "alpha 1", warm_up=8),
    "XGES, BIC x 2": continuous("xges", partial(xges, alpha=2.0), read_xges, "alpha 2", warm_up=8),
    "BOSS, BIC": on_order("boss", 0.5),
    "BOSS, BIC x 2": on_order("boss", 1.0),
    "BOSS, BIC x 4": on_order("boss", 2.0),
    "GRaSP, BIC": on_order("grasp", 0.5),
    "GRaSP, BIC x 2": on_order("grasp", 1.0),
    "GRaSP, BIC x 4": on_order("grasp", 2.0),
    "ges, BIC": continuous("ges", partial(ges, factor=1.0), read_matrix, "GaussObsL0Pen, lmbda ln(rows) / 2"),
    "ges, BIC x 2": continuous("ges", partial(ges, factor=2.0), read_matrix, "GaussObsL0Pen, lmbda ln(rows)"),
    "pybnesian climbing, BIC": Peer(
        "pybnesian", frame, partial(pybnesian_climb, score="BIC"), read_arcs_and_edges, "GreedyHillClimbing, BIC"
    ),
    "dagma": continuous("dagma", dagma, read_matrix, "linear, l2, lambda1 0.03, w_threshold 0.3"),
    "pybnesian climbing, BDe": Peer(
        "pybnesian",
        frame,
        partial(pybnesian_climb, score="BDe"),
        read_arcs_and_edges,
        "GreedyHillClimbing, BDe",
        (DISCRETE,),
    ),
    "BOSS, BDeu": on_order_discrete("boss"),
    "GRaSP, BDeu": on_order_discrete("grasp"),
    **{name: peer_script.PEERS[name] for name in ("pyagrum hill climbing", "pyagrum tabu", "pyagrum MIIC")},
}
#: What the searches maximise: a score, and its factor (BIC) or equivalent sample size (BDeu); None: another score.
OBJECTIVES: dict[str, tuple[str, float] | None] = {
    **{name: ("bic", float(name.partition(" x ")[2] or 1.0)) for name in PEERS if ", BIC" in name},
    "pyagrum hill climbing": ("bdeu", 1.0),
    "pyagrum tabu": ("bdeu", 1.0),
    # With a prior of the structure, or of weights that are the same for all tables.
    "BOSS, BDeu": None,
    "GRaSP, BDeu": None,
    "pybnesian climbing, BDe": None,
}


if __name__ == "__main__":
    os.environ["NUMBA_NUM_THREADS"] = "1"
    peer_script.PEERS.update(PEERS)
    peer_script.serve()
