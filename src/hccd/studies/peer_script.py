"""Other packages: how each is called, how its graph is read, and a server that learns with them.

This file is run by the interpreter that has the packages, as ``python peer_script.py``, so nothing but numpy is
imported at the top, and nothing of ours ever. Tasks come as lines of JSON on standard input, answers go as lines of
JSON to standard output. The first line out says which packages there are. A task that takes more CPU seconds than it
may ends the whole process by the signal SIGXCPU: compiled code listens to nothing else.

Only the package's own call is timed. It is made on a tiny table first, so that no time holds an import. The benchmarks
read this file too, and time the same calls in their own way.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np

DISCRETE, CONTINUOUS = "discrete", "continuous"
#: Significance level by kind of data, of all that test.
ALPHA = {DISCRETE: 0.05, CONTINUOUS: 0.01}
#: The versions that are called here; they install together on Python 3.11.
PINS = {"pybnesian": "0.5.1", "causal-learn": "0.1.4.8", "pgmpy": "1.1.2", "pyagrum": "3.3.1"}
_GIGABYTE = 1 << 30


@dataclass(frozen=True)
class Peer:
    """A method of a package: ``prepare`` makes what it takes, ``learn`` is timed, ``read`` finds the edges.

    What is read are ``directed``, ``undirected`` and ``bidirected`` edges, and what else is known of the run.
    ``settings`` says how it is called, ``kinds`` are the data it takes, ``warm_up`` is the number of columns of the
    table it is tried on first: enough to meet every lazy import.
    """

    package: str
    prepare: Callable[[Any, str], Any]
    learn: Callable[[Any, str], Any]
    read: Callable[[Any], dict[str, Any]]
    settings: str
    kinds: tuple[str, ...] = (DISCRETE, CONTINUOUS)
    warm_up: int = 3


def same(data: Any, kind: str) -> Any:
    """Prepare nothing: the array is what the package takes."""
    return data


def frame(data: Any, kind: str) -> Any:
    """Return a data frame whose names give the column back; states are categories."""
    import pandas

    table = pandas.DataFrame(data, columns=[f"X{i}" for i in range(data.shape[1])])
    return table if kind == CONTINUOUS else table.astype(str).astype("category")


def numbered(edges: Iterable[tuple[Any, Any]]) -> list[list[int]]:
    """Return edges between columns, from edges between columns or their names."""
    return sorted([int(str(a).lstrip("X")), int(str(b).lstrip("X"))] for a, b in edges)


def read_arcs_and_edges(graph: Any) -> dict[str, Any]:
    """Read a graph of pyagrum or pybnesian; a DAG has no edges besides arcs."""
    lines = graph.edges() if hasattr(graph, "edges") else ()
    return {"directed": numbered(graph.arcs()), "undirected": numbered(lines)}


# ---- causal-learn ----


def causal_learn_pc(data: Any, kind: str) -> Any:
    """Stable PC; every other option is the package's default."""
    from causallearn.search.ConstraintBased.PC import pc

    return pc(data, ALPHA[kind], "fisherz" if kind == CONTINUOUS else "gsq", stable=True, show_progress=False)


def read_causal_learn_pc(found: Any) -> dict[str, Any]:
    """Read the graph; tests are those in the cache of p-values, of which three entries describe the data."""
    return {**read_causal_learn(found.G), "tests": len(found.test.pvalue_cache) - 3}


def causal_learn_ges(data: Any, kind: str) -> Any:
    """Greedy equivalence search, without a limit to the number of parents."""
    from causallearn.search.ScoreBased.GES import ges

    return ges(data, "local_score_BIC" if kind == CONTINUOUS else "local_score_BDeu")["G"]


def read_causal_learn(graph: Any) -> dict[str, Any]:
    """Read the matrix: -1 at i and 1 at j is i -> j, -1 twice a line, 1 twice an edge with two arrowheads."""
    marks = np.asarray(graph.graph)
    tail, head = marks == -1, marks == 1
    return {
        "directed": np.argwhere(tail & head.T).tolist(),
        "undirected": np.argwhere(np.triu(tail & tail.T)).tolist(),
        "bidirected": np.argwhere(np.triu(head & head.T)).tolist(),
    }


# ---- pyagrum ----


def pyagrum_learner(data: Any, kind: str) -> Any:
    """Let pyagrum read the table, as it would read a file."""
    import pyagrum

    learner = pyagrum.BNLearner(frame(data, kind).astype(str))
    learner.setNumberOfThreads(1)
    return learner


def pyagrum_climb(learner: Any, kind: str) -> Any:
    """Greedy hill climbing by BDeu."""
    learner.useScoreBDeu()
    learner.useGreedyHillClimbing()
    return learner.learnDAG()


def pyagrum_tabu(learner: Any, kind: str) -> Any:
    """Hill climbing with a list of forbidden moves, by BDeu; the package's default length of the list."""
    learner.useScoreBDeu()
    learner.useLocalSearchWithTabuList()
    return learner.learnDAG()


def pyagrum_miic(learner: Any, kind: str) -> Any:
    """MIIC with the package's default correction; its graph before free edges are directed."""
    learner.useMIIC()
    return learner.learnPDAG()


def pyagrum_pc(learner: Any, kind: str) -> Any:
    """PC by the G test."""
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(ALPHA[kind])
    return learner.learnPDAG()


# ---- pybnesian ----


def pybnesian_pc(use_sepsets: bool) -> Peer:
    """PC; colliders from the separating set found, or by a majority of all separating sets."""

    def learn(table: Any, kind: str) -> Any:
        import pybnesian

        test = pybnesian.LinearCorrelation(table) if kind == CONTINUOUS else pybnesian.ChiSquare(table)
        return pybnesian.PC().estimate(test, alpha=ALPHA[kind], use_sepsets=use_sepsets)

    settings = f"ChiSquare at 0.05, LinearCorrelation at 0.01; use_sepsets {use_sepsets}"
    return Peer("pybnesian", frame, learn, read_arcs_and_edges, settings)


# ---- pgmpy ----


def pgmpy_climb(table: Any, kind: str) -> Any:
    """Hill climbing with the package's defaults, by BDeu (equivalent sample size 10) or Gaussian BIC."""
    from pgmpy.causal_discovery import HillClimbSearch

    score = "bic-g" if kind == CONTINUOUS else "bdeu"
    return HillClimbSearch(scoring_method=score, return_type="dag", show_progress=False).fit(table).causal_graph_


def pgmpy_mmhc(table: Any, kind: str) -> Any:
    """Max-min hill climbing with the package's defaults."""
    from pgmpy.estimators import MmhcEstimator

    return MmhcEstimator(table).estimate()


def pgmpy_pc(table: Any, kind: str) -> Any:
    """Stable PC; the package's default limit to the size of the sets is lifted."""
    from pgmpy.causal_discovery import PC

    learner = PC(
        variant="stable",
        ci_test="fisher_z" if kind == CONTINUOUS else "g_sq",
        significance_level=ALPHA[kind],
        max_cond_vars=table.shape[1],
        n_jobs=1,
        show_progress=False,
    )
    return learner.fit(table).causal_graph_


def read_pgmpy(graph: Any) -> dict[str, Any]:
    """Read the arcs of a DAG between names."""
    return {"directed": numbered(graph.edges())}


def read_pgmpy_pdag(graph: Any) -> dict[str, Any]:
    """Read the two kinds of edges of a graph that is no DAG."""
    return {"directed": numbered(graph.directed_edges), "undirected": numbered(graph.undirected_edges)}


#: By the name in tables.
PEERS: dict[str, Peer] = {
    "pybnesian PC": pybnesian_pc(use_sepsets=True),
    "pybnesian PC majority": pybnesian_pc(use_sepsets=False),
    "pyagrum PC": Peer(
        "pyagrum", pyagrum_learner, pyagrum_pc, read_arcs_and_edges, "useG2Test at 0.05; learnPDAG", (DISCRETE,)
    ),
    "causal-learn PC": Peer(
        "causal-learn", same, causal_learn_pc, read_causal_learn_pc, "stable; gsq at 0.05, fisherz at 0.01"
    ),
    "causal-learn GES": Peer(
        "causal-learn", same, causal_learn_ges, read_causal_learn, "local_score_BDeu, local_score_BIC"
    ),
    "pyagrum hill climbing": Peer("pyagrum", pyagrum_learner, pyagrum_climb, read_arcs_and_edges, "BDeu", (DISCRETE,)),
    "pyagrum tabu": Peer("pyagrum", pyagrum_learner, pyagrum_tabu, read_arcs_and_edges, "BDeu", (DISCRETE,)),
    "pyagrum MIIC": Peer("pyagrum", pyagrum_learner, pyagrum_miic, read_arcs_and_edges, "learnPDAG", (DISCRETE,)),
    "pgmpy PC": Peer("pgmpy", frame, pgmpy_pc, read_pgmpy_pdag, "stable; g_sq at 0.05, fisher_z at 0.01"),
    "pgmpy hill climbing": Peer("pgmpy", frame, pgmpy_climb, read_pgmpy, "bdeu, bic-g; tabu_length 100"),
    "pgmpy MMHC": Peer("pgmpy", frame, pgmpy_mmhc, read_pgmpy, "BDeu; 0.01; tabu_length 10", (DISCRETE,)),
}


def available() -> dict[str, str]:
    """Return the version of each package that is there, without importing it."""
    there = {each.metadata["Name"].lower(): each.version for each in metadata.distributions() if each.metadata["Name"]}
    return {package: there[package] for package in sorted(PINS) if package in there}


def tiny(kind: str, n_columns: int) -> Any:
    """Return a small table in which each column depends on the one before."""
    values = np.random.default_rng(0).normal(size=(100, n_columns))
    values[:, 1:] += values[:, :-1]
    return values if kind == CONTINUOUS else (values > 0).astype(np.int64)


def limit_cpu(seconds: float | None) -> None:
    """Let the process use so many CPU seconds more, or any number; without such limits the caller's clock must do."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if seconds is None:
        soft = hard
    else:
        used = resource.getrusage(resource.RUSAGE_SELF)
        # The limit is in whole seconds; the least that is not too few.
        soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def limit_memory(gigabytes: float) -> None:
    """Make what asks for more memory fail by itself, before the machine does."""
    try:
        import resource
    except ImportError:
        return
    for what, most in ((resource.RLIMIT_AS, int(gigabytes * _GIGABYTE)), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(what, (most, hard))


def answer(task: dict[str, Any], warm: set[tuple[str, str]]) -> dict[str, Any]:
    """Carry out a task; ``warm`` remembers which methods have been tried on a tiny table."""
    peer, kind = PEERS[task["peer"]], task["kind"]
    try:
        if (task["peer"], kind) not in warm:
            peer.learn(peer.prepare(tiny(kind, peer.warm_up), kind), kind)
            warm.add((task["peer"], kind))
        prepared = peer.prepare(np.load(task["data"]), kind)
        limit_cpu(task["cap"])
        start, start_of_thread = time.process_time(), time.thread_time()
        learned = peer.learn(prepared, kind)
        # Under a limit some systems read the clock of the process coarsely, but not that of a thread.
        seconds = max(time.process_time() - start, time.thread_time() - start_of_thread)
        limit_cpu(None)
        return {**peer.read(learned), "seconds": seconds}
    except MemoryError:
        return {"error": "out of memory"}
    except Exception as error:  # Whatever a package raises is its answer.
        first = (str(error).strip().splitlines() or [""])[0]
        return {"error": f"{type(error).__name__}: {first[:200]}".rstrip(": ")}
    finally:
        limit_cpu(None)


def serve() -> None:
    """Answer tasks until there are no more."""
    warnings.simplefilter("ignore")
    # Packages print; what they print must not come between our lines.
    lines_out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def say(line: dict[str, Any]) -> None:
        lines_out.write(json.dumps(line) + "\n")
        lines_out.flush()

    say(available())
    warm: set[tuple[str, str]] = set()
    for line in sys.stdin:
        task = json.loads(line)
        if "memory" in task:
            limit_memory(task["memory"])
        else:
            say(answer(task, warm))


if __name__ == "__main__":
    serve()
