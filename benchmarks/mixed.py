"""Mixed tables of known DAGs: the default beside discretising everything and beside taking everything as continuous.

The tables are those of ``hccd.studies.mixed_models``.

With ``--peers`` other packages learn too (``mixed_peers.py``); one that takes more CPU seconds than ``--cap`` for a
table is not asked again.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hccd
from benchmarks import mixed_peers, peers
from hccd.graphs import PDAG
from hccd.metrics import adjacency_retrieval, arrowhead_retrieval, shd
from hccd.studies.mixed_models import random_mixed
from hccd.studies.peer_server import PeerServer
from hccd.tables import Table
from hccd.tables.bins import equal_frequency

Floats = NDArray[np.float64]
#: Classes of a continuous column that is discretised.
CLASSES = 4


def natively(table: Table) -> Any:
    """Learn by the default."""
    return hccd.discover(table, bootstrap="none")


def discretised(table: Table) -> Any:
    """Learn from classes of all continuous columns."""
    columns = [
        equal_frequency(values, CLASSES) if kind.value == "continuous" else values
        for values, kind in zip(table.columns, table.kinds, strict=True)
    ]
    return hccd.discover(
        Table.from_columns(table.names, columns, categorical=range(table.n_columns)), bootstrap="none", test="g"
    )


def as_continuous(table: Table) -> Any:
    """Learn from the codes of states as if they were quantities."""
    columns = [
        np.unique(values, return_inverse=True)[1] if values.dtype == object else values for values in table.columns
    ]
    return hccd.discover(np.column_stack(columns).astype(float), bootstrap="none", test="fisher-z", transform="none")


def by_tests(test: str) -> Callable[[Table], Any]:
    """Return a method that learns by tests alone."""
    return lambda table: hccd.discover(table, bootstrap="none", test=test, scoring="none")


METHODS: Mapping[str, Callable[[Table], Any]] = {
    "default (dg)": natively,
    "tests alone (dg)": by_tests("dg"),
    "tests alone (regression)": by_tests("regression"),
    "discretised (g, bd)": discretised,
    "as continuous (fisher-z, bic)": as_continuous,
}


def main(arguments: Sequence[str]) -> int:
    """Print a table of means."""
    parser = argparse.ArgumentParser(prog="benchmarks mixed")
    parser.add_argument("--graphs", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50])
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 2000])
    parser.add_argument("--peers", action="store_true", help="let other packages learn as well")
    parser.add_argument("--cap", type=float, default=20.0, help="CPU seconds that a peer may take for one table")
    parser.add_argument("--only", nargs="+", default=[""], help="methods whose name has one of these texts")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    python = str(peers.install()) if given.peers else None
    server = PeerServer(python, mixed_peers.SCRIPT)
    learners = {name: _timed(learn) for name, learn in METHODS.items()}
    if given.peers:
        learners |= {name: _asked(server, name, given.cap) for name in mixed_peers.PEERS}
    learners = {name: learn for name, learn in learners.items() if any(text in name for text in given.only)}
    print("| effects | variables | rows | method | F1 of edges | F1 of arrowheads | SHD | CPU seconds |")
    print("|---|---|---|---|---|---|---|---|")
    late: set[str] = set()
    try:
        for n in given.sizes:
            for n_rows in given.rows:
                for curved in (False, True):
                    late |= _print_cell(curved, n, n_rows, given.graphs, learners, late)
    finally:
        server.close()
    return 0


#: Returns a graph and CPU seconds; None if it takes too long, or fails.
Learner = Callable[[Table], "tuple[PDAG, float] | None"]


def _timed(learn: Callable[[Table], Any]) -> Learner:
    """Return a learner of our own."""

    def learner(table: Table) -> tuple[PDAG, float]:
        start = time.process_time()
        graph = learn(table).graph
        return graph, time.process_time() - start

    return learner


def _asked(server: PeerServer, name: str, cap: float) -> Learner:
    """Return a learner of another package."""

    def learner(table: Table) -> tuple[PDAG, float] | None:
        codes = [
            np.unique(values, return_inverse=True)[1] if kind.value == "discrete" else values
            for values, kind in zip(table.columns, table.kinds, strict=True)
        ]
        states = [kind.value == "discrete" for kind in table.kinds]
        found = server.learn(name, np.vstack([states, np.column_stack(codes)]), mixed_peers.MIXED, cap)
        if "seconds" not in found:
            print(f"{name}: {found}", file=sys.stderr, flush=True)
            return None
        # An edge with two arrowheads is an edge.
        lines = [*found.get("undirected", ()), *found.get("bidirected", ())]
        return PDAG.from_edges(table.n_columns, found["directed"], lines), found["seconds"]

    return learner


def _print_cell(
    curved: bool, n: int, n_rows: int, graphs: int, learners: Mapping[str, Learner], late: Collection[str]
) -> set[str]:
    """Print the means of one kind of data; return who did not come to an end."""
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in learners if name not in late}
    gone: set[str] = set()
    for seed in range(graphs):
        truth, table = random_mixed(seed, n, n_rows, curved)
        for name in [each for each in found if each not in gone]:
            learned = learners[name](table)
            if learned is None:
                gone.add(name)
                continue
            graph, spent = learned
            edges, heads = adjacency_retrieval(truth, graph), arrowhead_retrieval(truth, graph)
            found[name].append((edges.f1, heads.f1, shd(truth, graph).total, spent))
    for name, values in found.items():
        what = f"| {'curved' if curved else 'linear'} | {n} | {n_rows:,} | {name} | "
        if name in gone:
            print(f"{what}no answer | | | |", flush=True)
        else:
            f1, arrows, distance, spent = np.nanmean(values, axis=0)
            print(f"{what}{f1:.3f} | {arrows:.3f} | {distance:.1f} | {spent:.2f} |", flush=True)
    return gone
