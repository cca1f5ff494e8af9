"""A run of the leaderboard: one method on one set, its graph compared with the truth.

Our own methods learn here, under the same cap as others; a graph of another package comes with the task. Default
methods are given the rows themselves, as a user would give them.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from hccd.errors import DataWarning, HCCDError, NotExtendableError
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.metrics import arrowhead_retrieval, bdeu
from hccd.studies.board_data import BoardData, load_board_data
from hccd.studies.methods import interventions, learn, skeleton_tests, structure, timed
from hccd.studies.network_runs import coded_sample
from hccd.studies.peer_script import CONTINUOUS, DISCRETE, tiny
from hccd.studies.run_store import Case, Row
from hccd.studies.sources import Folders


class _Late(Exception):
    """A run of ours has used its CPU seconds."""


def measure_board(
    case: Case, options: Mapping[str, Any] | None, found: Mapping[str, Any] | None, cap: float, folders: Folders
) -> tuple[Case, list[Row]]:
    """Learn by our own method of these options, or take what another package found, and compare with the truth.

    Returns
    -------
    case, list of one row
        ``values`` and ``seconds``; or ``late`` or ``error``, as from `PeerServer.learn`.
    """
    data = load_board_data(case["data_set"], case["set"], folders)
    if found is not None:
        graph, values = read_graph(found, data.truth.n)
        return case, [{"values": values | compared(data, graph), "seconds": found["seconds"]}]
    assert options is not None
    if options.get("method") == "empty":
        return case, [{"values": {"tests": 0.0} | compared(data, PDAG.empty(data.truth.n)), "seconds": 0.0}]
    _warm_up()
    try:
        result, seconds = timed(_learned, data, options, cap)
    except _Late:
        return case, [{"late": cap}]
    except HCCDError as error:
        return case, [{"error": str(error)}]
    return case, [
        {"values": {"tests": float(skeleton_tests(result))} | compared(data, result.graph), "seconds": seconds}
    ]


def _learned(data: BoardData, options: Mapping[str, Any], cap: float) -> Any:
    n = data.training.shape[1]
    discrete = data.kind == DISCRETE
    if options.get("preset") == "paper":
        # The threshold is chosen by BDeu on the training set, as in the tables of the paper.
        chosen: dict[str, Any] = {"test": "mi" if discrete else "fisher-z"}
    else:
        chosen = {data.kind: range(n)}
    end = time.process_time() + cap

    def watch(_event: object) -> None:
        if time.process_time() > end:
            raise _Late

    with warnings.catch_warnings():
        # Samples of 500 rows hold constants and copies; they are what they are.
        warnings.simplefilter("ignore", DataWarning)
        return learn(data.training, {**options, **chosen, "progress": watch})


@cache
def _warm_up() -> None:
    """Learn something small once in a process, so that no run's time holds an import."""
    for kind in (DISCRETE, CONTINUOUS):
        data = BoardData(kind, tiny(kind, 12), None, PDAG.empty(12))
        # TSCB divides into four, which takes another library than dividing into two.
        for options in ({"preset": "default"}, {"preset": "paper"}, {"preset": "paper", "method": "tscb"}):
            _learned(data, options, np.inf)


def read_graph(found: Mapping[str, Any], n: int) -> tuple[PDAG, dict[str, float]]:
    """Make a graph of the edges that a package found, and count those with two arrowheads, which become lines.

    A DAG becomes the graph of its equivalence class; any other graph stays as it is, valid or not.
    """
    both = found.get("bidirected", [])
    graph = PDAG.from_edges(n, found["directed"], [*found.get("undirected", []), *both])
    return dag_to_cpdag(graph) if graph.is_dag() else graph, {"bidirected": float(len(both))}


def compared(data: BoardData, graph: PDAG) -> dict[str, float]:
    """Compute every metric; BDeu for discrete data only, and only if some DAG fits the graph."""
    values = {
        **structure(data.truth, graph),
        "f1_arrowheads": arrowhead_retrieval(data.truth, graph).f1,
        **interventions(data.truth, graph),
    }
    if data.test is None:
        return values
    try:
        return {**values, "bdeu": bdeu(graph, coded_sample(data.training, data.test))}
    except NotExtendableError:
        return values


def digest(found: Mapping[str, Any]) -> str:
    """Return the graph that a package found in few letters, so that what was measured on it is known to be its."""
    edges = [sorted(found.get(kind, [])) for kind in ("directed", "undirected", "bidirected")]
    return hashlib.sha256(repr(edges).encode()).hexdigest()[:12]
