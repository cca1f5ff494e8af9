"""How far from the truth our graphs are on fresh synthetic data, and those of other searches by a score.

    python -m benchmarks accuracy [--seeds 5] [--first 1000] [--only TEXT] [--up-to N] [--peers] [--learners TEXT ...]
                                  [--cap 60] [--as-they-are] [--networks DIR] [--report] [--scores] [--out FOLDER]

For every cell of ``accuracy_design.py`` and every seed, each learner gets the same table. What it finds goes to a
ledger as soon as it is known, by cell, seed, learner and version (ours is that of its source): what is interrupted goes
on where it was, and peers are not asked again when only our own code has changed. Small cells come first, and all of
them with one seed before the next. With ``--peers`` other packages (``accuracy_peers.py``) learn too; one that takes
more CPU seconds than ``--cap`` is not asked again in that cell, nor in larger ones of the family.

Then ``accuracy_report.py`` prints what the ledger has, and with ``--scores`` ``accuracy_scores.py`` whose graphs score
higher. ``--report`` learns nothing and prints only.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import hccd
from benchmarks import accuracy_peers, accuracy_report, accuracy_scores, peers
from benchmarks.accuracy_design import chosen
from benchmarks.measure import source_digest
from benchmarks.report import RESULTS
from benchmarks.store import DONE, FAILED, STOPPED, Record, known_by, measurements
from hccd.graphs import PDAG
from hccd.metrics import adjacency_retrieval
from hccd.studies.cells import MIXED, AnyCell, NetworkCell, distance, truth_of
from hccd.studies.peer_script import CONTINUOUS, DISCRETE, PEERS
from hccd.studies.peer_server import PeerServer
from hccd.studies.run_store import RunStore

LEDGER = "accuracy.jsonl"
#: The environment of the peers that want an older numpy than the others.
HOME = peers.HOME.with_name(".venv-accuracy")
#: Name, and the options of ``hccd.discover`` behind it.
OURS: dict[str, dict[str, Any]] = {
    "tests alone": {"scoring": "none"},
    "default": {},
}
#: The same, whatever the data look like.
AS_THEY_ARE: dict[str, dict[str, Any]] = {
    "tests alone, no transform": {"scoring": "none", "transform": "none"},
    "score, no transform": {"scoring": "auto", "transform": "none"},
}
#: Peers are told the kind of data, so we are: a column of many codes looks like numbers.
TEST = {CONTINUOUS: "auto", DISCRETE: "g", MIXED: "auto"}


@dataclass(frozen=True)
class Learner:
    """Somebody who learns a graph from a table of some kind.

    ``learn`` returns ``status`` and, if that is DONE, CPU ``seconds`` and ``directed`` and ``undirected`` edges.
    """

    name: str
    version: str
    kinds: tuple[str, ...]
    learn: Callable[[Any, str], Record]


def ours(named: dict[str, dict[str, Any]] = OURS) -> list[Learner]:
    """Return the learners that call ``hccd.discover`` with options."""
    version = f"{hccd.__version__}+{source_digest(Path(hccd.__file__).parent)}"

    def learner(name: str, options: dict[str, Any]) -> Learner:
        def learn(data: Any, kind: str) -> Record:
            start = time.process_time()
            found = hccd.discover(data, bootstrap="none", test=TEST[kind], n_jobs=1, **options)
            seconds, score = time.process_time() - start, found.score
            scored = {} if score is None else {"score": score.after, "price": score.price}
            edges = {
                "directed": found.graph.directed_edges().tolist(),
                "undirected": found.graph.undirected_edges().tolist(),
            }
            return {"status": DONE, "seconds": seconds, **edges, **scored}

        return Learner(name, f"{version}: {options}", (CONTINUOUS, DISCRETE, MIXED), learn)

    return [learner(name, options) for name, options in named.items()]


def theirs(ask: Callable[..., dict[str, Any]], cap: float) -> list[Learner]:
    """Return the learners of other packages; ``ask`` takes a peer's name, data, their kind and the cap."""

    def learner(name: str) -> Learner:
        def learn(data: Any, kind: str) -> Record:
            answer = ask(name, data, kind, cap)
            if "late" in answer:
                return {"status": STOPPED, "cap": cap}
            return {"status": FAILED if "error" in answer else DONE, **answer}

        peer = accuracy_peers.PEERS[name]
        version = f"{peer.package} {pins_of(peer.package)[1][peer.package]}: {peer.settings}"
        return Learner(name, version, peer.kinds, learn)

    return [learner(name) for name in accuracy_peers.PEERS]


def pins_of(package: str) -> tuple[Path, dict[str, str]]:
    """Return the environment of a package, and what is installed there."""
    return (HOME, accuracy_peers.PINS) if package in accuracy_peers.PINS else (peers.HOME, peers.PINS)


@contextmanager
def asking() -> Iterator[Callable[..., dict[str, Any]]]:
    """Yield a function that asks a peer; environments are made, and servers started, at the first question."""
    servers: dict[Path, PeerServer] = {}

    def ask(name: str, data: Any, kind: str, cap: float) -> dict[str, Any]:
        home, pins = pins_of((PEERS | accuracy_peers.PEERS)[name].package)
        if home not in servers:
            servers[home] = PeerServer(str(peers.install(home, pins, accuracy_peers.BARE)), accuracy_peers.SCRIPT)
        return servers[home].learn(name, data, kind, cap)

    try:
        yield ask
    finally:
        for server in servers.values():
            server.close()


def seeds_of(cell: AnyCell, seeds: range) -> range:
    """Return the seeds of a cell: as many as asked for, unless it has a number of its own."""
    return range(seeds.start, seeds.start + (cell.seeds or len(seeds)))


def settled(store: RunStore, cell: AnyCell, seed: int, learner: Learner, cap: float) -> bool:
    """Whether nothing is to be done: it is known, or it would take too long, as another seed did or a smaller cell."""
    known = store.find(known_by(cell.name, learner.name, seed, learner.version))
    if known is not None and known["status"] != STOPPED:
        return True
    size = (cell.n, cell.degree, cell.rows)
    return any(
        record["status"] == STOPPED
        and (record["implementation"], record["version"]) == (learner.name, learner.version)
        and record["family"] == cell.family
        and record["cap"] >= cap
        and all(theirs <= own for theirs, own in zip(record["size"], size, strict=True))
        for record in store.runs.values()
    )


def digest(data: Any) -> str:
    """Return a table in few letters."""
    return hashlib.sha256(np.ascontiguousarray(data).tobytes()).hexdigest()[:16]


def learn_all(cells: Iterable[AnyCell], learners: Sequence[Learner], seeds: range, cap: float, store: RunStore) -> None:
    """Let everybody learn from everything that is not in the ledger yet."""
    ordered = sorted(cells, key=lambda cell: (cell.n, cell.rows, cell.degree))
    most = max((len(seeds_of(cell, seeds)) for cell in ordered), default=0)
    for place in range(most):
        for cell in ordered:
            if place < len(seeds_of(cell, seeds)):
                learn_one(cell, seeds.start + place, learners, cap, store)


def learn_one(cell: AnyCell, seed: int, learners: Sequence[Learner], cap: float, store: RunStore) -> None:
    """Let everybody learn from one table who has not yet."""
    waiting = [each for each in learners if cell.kind in each.kinds and not settled(store, cell, seed, each, cap)]
    if not waiting:
        return
    data, dag = cell.make(seed)
    truth, table = truth_of(dag), digest(data)
    for record in store.runs.values():
        if (record["workload"], record["repeat"]) == (cell.name, seed) and record["table"] != table:
            raise SystemExit(f"{store.path} has runs on another table of {cell.name!r}: choose another --out")
    for learner in waiting:
        record = {
            **known_by(cell.name, learner.name, seed, learner.version),
            "family": cell.family,
            "size": (cell.n, cell.degree, cell.rows),
            "table": table,
            **learner.learn(data, cell.kind),
        }
        if record["status"] == DONE:
            graph = PDAG.from_edges(cell.n, record["directed"], record["undirected"])
            record["shd"] = distance(cell, truth, graph)
            record["f1"] = adjacency_retrieval(truth, graph).f1
        store.add(record)
        print(seed, cell.name, learner.name, *said(record), sep="; ", file=sys.stderr, flush=True)


def said(record: Record) -> tuple[str, ...]:
    """Return what came out, for those who wait."""
    if record["status"] == DONE:
        return f"SHD {record['shd']}", f"{record['seconds']:.2f} s"
    return (str(record.get("error", record["status"])),)


def warm_up(learners: Sequence[Learner]) -> None:
    """Load what is loaded at the first call; it is not timed."""
    values = np.random.default_rng(0).normal(size=(100, 5))
    for learner in learners:
        learner.learn(values, CONTINUOUS)
        learner.learn((values > 0).astype(np.int64), DISCRETE)


def main(arguments: list[str]) -> None:
    """Learn what is not known yet, then print a table for each kind of cell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="graphs of each cell, but for cells that have a number")
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--only", default="", help="cells whose name, or whose table's, has this text")
    parser.add_argument("--up-to", type=int, default=1 << 30, help="cells of at most so many variables")
    parser.add_argument("--as-they-are", action="store_true", help="learn without transforms, by tests and score, too")
    parser.add_argument("--peers", action="store_true", help="let other packages learn as well")
    parser.add_argument("--learners", nargs="+", default=[""], help="learners whose name has one of these texts")
    parser.add_argument("--cap", type=float, default=60.0, help="CPU seconds that a peer may take for one table")
    parser.add_argument("--networks", type=Path, help="a folder of BIF files, used before those of pgmpy")
    parser.add_argument("--report", action="store_true", help="learn nothing, print what is known")
    parser.add_argument("--scores", action="store_true", help="compare the scores of all graphs as well")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder of the ledger")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    NetworkCell.folder = options.networks
    tables, seeds = chosen(options.only, options.up_to), range(options.first, options.first + options.seeds)
    store = measurements(options.out / LEDGER)
    with threadpool_limits(1), asking() as ask:
        own, others = ours(OURS | (AS_THEY_ARE if options.as_they_are else {})), theirs(ask, options.cap)
        learners = [*own, *others]
        if not options.report:
            known_here = learners if options.peers else own
            active = [each for each in known_here if any(text in each.name for text in options.learners)]
            warm_up([each for each in active if each in own])
            learn_all((cell for cells in tables.values() for cell in cells), active, seeds, options.cap, store)
        known = accuracy_report.Known(store, {each.name: each.version for each in learners}, seeds)
        accuracy_report.print_all(tables, known)
        if options.scores:
            accuracy_scores.print_all([cell for cells in tables.values() for cell in cells], known)


if __name__ == "__main__":
    main([])
