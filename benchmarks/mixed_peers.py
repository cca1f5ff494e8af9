"""Other packages that take tables of mixed columns, served to ``mixed.py``; run like ``accuracy_peers.py``.

The first row of a table says how many states each column has, 0 for numbers. Ordinal columns are states to all of them;
causal-learn's KCI, which knows numbers only, gets the codes of states as numbers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

# By its folder: the interpreter that has the packages has no hccd.
sys.path.append(str(Path(__file__).parents[1] / "src" / "hccd" / "studies"))

import peer_script
from peer_script import Peer, read_arcs_and_edges, read_causal_learn_pc, read_pgmpy_pdag

#: What the interpreter of the peers runs.
SCRIPT = Path(__file__)
MIXED = "mixed"
#: Significance level of all that test, as ours.
ALPHA = 0.01


def frame(data: Any, kind: str) -> Any:
    """Return a data frame whose names give the column back; states are categories."""
    import pandas

    table = pandas.DataFrame(data[1:].astype(float), columns=[f"X{i}" for i in range(data.shape[1])])
    return table.astype({f"X{i}": "str" for i, states in enumerate(data[0]) if states}).astype(
        {f"X{i}": "category" for i, states in enumerate(data[0]) if states}
    )


def numbers(data: Any, kind: str) -> Any:
    """Return the codes as numbers."""
    return data[1:].astype(float)


def pybnesian_clg(table: Any, kind: str) -> Any:
    """Greedy hill climbing among conditional linear Gaussian networks, in which numbers are no parents of states."""
    import pybnesian

    discrete = [(name, pybnesian.DiscreteFactorType()) for name in table if table[name].dtype == "category"]
    return pybnesian.GreedyHillClimbing().estimate(
        operators=pybnesian.ArcOperatorSet(),
        score=pybnesian.BIC(table),
        start=pybnesian.CLGNetwork(list(table.columns), discrete),
    )


def pybnesian_pc(table: Any, kind: str) -> Any:
    """PC by the mutual information of mixed columns."""
    import pybnesian

    return pybnesian.PC().estimate(hypot_test=pybnesian.MutualInformation(table), alpha=ALPHA)


def pgmpy_climb(table: Any, kind: str) -> Any:
    """Hill climbing by BIC of conditional Gaussians."""
    from pgmpy.causal_discovery import HillClimbSearch

    return HillClimbSearch(scoring_method="bic-cg", show_progress=False).fit(table).causal_graph_


def pgmpy_pc(table: Any, kind: str) -> Any:
    """PC by Pillai's trace of the residuals of regressions."""
    from pgmpy.causal_discovery import PC

    search = PC(variant="stable", ci_test="pillai", significance_level=ALPHA, n_jobs=1, show_progress=False)
    return search.fit(table).causal_graph_


def causal_learn_kci(data: Any, kind: str) -> Any:
    """PC by the kernel test."""
    from causallearn.search.ConstraintBased.PC import pc

    return pc(data, ALPHA, "kci", stable=True, show_progress=False)


PEERS = {
    "pybnesian climbing (CLG, BIC)": Peer("pybnesian", frame, pybnesian_clg, read_arcs_and_edges, "", (MIXED,)),
    "pybnesian PC (mutual information)": Peer("pybnesian", frame, pybnesian_pc, read_arcs_and_edges, "", (MIXED,)),
    "pgmpy climbing (bic-cg)": Peer("pgmpy", frame, pgmpy_climb, read_pgmpy_pdag, "", (MIXED,)),
    "pgmpy PC (pillai)": Peer("pgmpy", frame, pgmpy_pc, read_pgmpy_pdag, "", (MIXED,)),
    "causal-learn PC (KCI)": Peer("causal-learn", numbers, causal_learn_kci, read_causal_learn_pc, "", (MIXED,)),
}


if __name__ == "__main__":
    peer_script.PEERS.update(PEERS)
    peer_script.serve()
