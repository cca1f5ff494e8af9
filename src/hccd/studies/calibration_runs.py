"""A run of the study of confidence: one table, its graph, and how often each pair is joined in resamples of the rows.

Of each pair that the graph joins, or some resample, these are kept: how the graph has it, how many resamples have it
forward, backward and undirected, and how the true class has it. Probabilities are made of that when the study is
reported. Other packages give no confidence: they learn the table, then resamples of its rows, drawn as ours are.
"""

from __future__ import annotations

import atexit
import time
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.confidence.calibration import BACKWARD, FORWARD, UNDIRECTED
from hccd.discovery import discover
from hccd.errors import DataWarning
from hccd.graphs import PDAG, dag_to_cpdag
from hccd.studies.board_runs import read_graph
from hccd.studies.calibration_families import cell_of
from hccd.studies.cells import HIDDEN, MIXED, AnyCell, Cell, truth_of
from hccd.studies.description import Study
from hccd.studies.peer_script import PEERS
from hccd.studies.peer_server import PeerServer
from hccd.studies.run_store import Row
from hccd.tables.resamples import drawn

Ints = NDArray[np.int64]
#: A pair is joined as in the map of probabilities; or somehow, where variables are hidden.
SOMEHOW = UNDIRECTED + 1


def measure_calibration(study: Study, case: Mapping[str, Any]) -> list[Row]:
    """Learn one table and its resamples by every method that takes it."""
    cell = cell_of(case)
    table, dag = cell.make(20_000 + case["graph"])
    truth = _truth(cell, dag)
    rows: list[Row] = []
    for method in study.methods:
        peer = method.options.get("peer")
        asked = case if peer is None else case["peers"][peer]
        if peer is not None and not is_given(case, peer):
            continue
        learned = _ours(table, cell, case) if peer is None else _theirs(table, cell, case["graph"], peer, asked)
        if learned is not None:
            graph, counts, seconds = learned
            listed = _listed(graph, counts, truth)
            values = {"pairs": listed.tolist(), "resamples": asked["resamples"]}
            rows.append({"method": method.label, "values": values, "seconds": seconds})
    return rows


def is_given(case: Mapping[str, Any], peer: str) -> bool:
    """Tell whether another package is given a table: it has ``graphs`` of its own, and perhaps ``families``."""
    asked = case["peers"][peer]
    wanted = case["family"] in asked.get("families", (case["family"],))
    return wanted and case["graph"] <= asked["graphs"] and cell_of(case).kind in PEERS[peer].kinds


def joined(graph: PDAG) -> Ints:
    """Return how each pair x < y is joined."""
    found = np.zeros((graph.n, graph.n), np.int64)
    for x, y in graph.directed_edges().tolist():
        found[min(x, y), max(x, y)] = FORWARD if x < y else BACKWARD
    for x, y in graph.undirected_edges().tolist():
        found[min(x, y), max(x, y)] = UNDIRECTED
    return found


def _truth(cell: AnyCell, dag: NDArray[np.bool_]) -> Ints:
    if isinstance(cell, Cell) and cell.model == HIDDEN:
        return SOMEHOW * np.triu(dag | dag.T, 1)
    return joined(dag_to_cpdag(truth_of(dag)))


def _ours(table: Any, cell: AnyCell, case: Mapping[str, Any]) -> tuple[PDAG, Ints, float]:
    """Learn by the default, and count what its resamples say."""
    given: dict[str, Any] = {} if cell.kind == MIXED else {cell.kind: range(cell.n)}
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        result = discover(table, bootstrap=case["resamples"], seed=case["graph"], **given)
    seconds = time.process_time() - start
    found = result.confidence
    assert found is not None and found.counts is not None
    counts = np.zeros((cell.n, cell.n, 4), np.int64)
    x, y = found.pairs.T
    counts[x, y, FORWARD:] = found.counts
    return result.pdag(), counts, seconds


@cache
def _server(peer: str) -> PeerServer:
    """Return the process of another package: its imports take longer than a small table."""
    server = PeerServer()
    atexit.register(server.close)
    return server


def _theirs(
    table: Any, cell: AnyCell, seed: int, peer: str, asked: Mapping[str, Any]
) -> tuple[PDAG, Ints, float] | None:
    """Learn by another package; None if it fails, or if its first graph says that all of them will take too long."""
    server, cap, seconds = _server(peer), float(asked["cap"]), 0.0
    rows, resamples = len(table), asked["resamples"]
    counts = np.zeros((cell.n, cell.n, 4), np.int64)
    graphs = []
    for k in range(-1, resamples):
        taken = np.arange(rows) if k < 0 else np.repeat(np.arange(rows), drawn(seed, k, rows).astype(np.int64))
        limit = cap / resamples if k < 0 else cap - seconds
        found = server.learn(peer, np.ascontiguousarray(table[taken]), cell.kind, limit)
        if "seconds" not in found:
            return None
        seconds += found["seconds"]
        if seconds > cap:
            return None
        graphs.append(read_graph(found, cell.n)[0])
    for graph in graphs[1:]:
        np.add.at(counts, (*np.indices((cell.n, cell.n)), joined(graph)), 1)
    return graphs[0], counts, seconds


def _listed(graph: PDAG, counts: Ints, truth: Ints) -> Ints:
    """Return a row (in the graph, forward, backward, undirected, in truth) of each pair that something joins."""
    drawn = joined(graph)
    x, y = np.nonzero(np.triu((drawn > 0) | (counts[:, :, FORWARD:].sum(axis=2) > 0), 1))
    return np.column_stack([drawn[x, y], counts[x, y, FORWARD:], truth[x, y]])
