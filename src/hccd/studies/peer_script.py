"""Other packages as a server: learn from a table, answer with the edges.

This file is run by the interpreter that has the packages, as ``python peer_script.py``, so nothing but numpy is
imported at the top, and nothing of ours ever. Tasks come as lines of JSON on standard input, answers go as lines of
JSON to standard output. The first line out says which packages there are. A task that takes more CPU seconds than it
may ends the whole process by the signal SIGXCPU: compiled code listens to nothing else.

Only the package's own call is timed. It is made on a tiny table first, so that no time holds an import.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np

DISCRETE, CONTINUOUS = "discrete", "continuous"
_GIGABYTE = 1 << 30


@dataclass(frozen=True)
class Peer:
    """A method of a package: ``prepare`` makes what it takes, ``learn`` is timed, ``read`` finds the edges.

    ``kinds`` are the data it takes, ``settings`` says how it is called.
    """

    package: str
    prepare: Callable[[Any, str], Any]
    learn: Callable[[Any, str], Any]
    read: Callable[[Any, int], dict[str, Any]]
    settings: str
    kinds: tuple[str, ...] = (DISCRETE, CONTINUOUS)


def names(n: int) -> list[str]:
    """Column names that give the number back."""
    return [f"X{i}" for i in range(n)]


def same(data: Any, kind: str) -> Any:
    """Prepare nothing: the array is what the package takes."""
    return data


def frame(data: Any, kind: str) -> Any:
    """Return a data frame; states are categories."""
    import pandas

    table = pandas.DataFrame(data, columns=names(data.shape[1]))
    return table if kind == CONTINUOUS else table.astype(str).astype("category")


# ---- causal-learn ----


def causal_learn_pc(data: Any, kind: str) -> Any:
    """Stable PC; every other option is the package's default."""
    from causallearn.search.ConstraintBased.PC import pc

    alpha, test = (0.01, "fisherz") if kind == CONTINUOUS else (0.05, "gsq")
    return pc(data, alpha, test, stable=True, show_progress=False).G


def causal_learn_ges(data: Any, kind: str) -> Any:
    """Greedy equivalence search, without a limit to the number of parents."""
    from causallearn.search.ScoreBased.GES import ges

    return ges(data, "local_score_BIC" if kind == CONTINUOUS else "local_score_BDeu")["G"]


def read_causal_learn(graph: Any, n: int) -> dict[str, Any]:
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


def read_pyagrum(graph: Any, n: int) -> dict[str, Any]:
    """Read arcs, and edges where there are any; nodes are numbers in the order of the columns."""
    lines = graph.edges() if hasattr(graph, "edges") else ()
    return {"directed": [list(map(int, arc)) for arc in graph.arcs()], "undirected": [list(map(int, e)) for e in lines]}


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


def read_pgmpy(graph: Any, n: int) -> dict[str, Any]:
    """Read the arcs of a DAG between names."""
    return {"directed": sorted([int(a[1:]), int(b[1:])] for a, b in graph.edges())}


#: By the name in tables.
PEERS: dict[str, Peer] = {
    "causal-learn PC": Peer(
        "causal-learn", same, causal_learn_pc, read_causal_learn, "stable; gsq at 0.05, fisherz at 0.01"
    ),
    "causal-learn GES": Peer(
        "causal-learn", same, causal_learn_ges, read_causal_learn, "local_score_BDeu, local_score_BIC"
    ),
    "pyagrum hill climbing": Peer("pyagrum", pyagrum_learner, pyagrum_climb, read_pyagrum, "BDeu", (DISCRETE,)),
    "pyagrum tabu": Peer("pyagrum", pyagrum_learner, pyagrum_tabu, read_pyagrum, "BDeu", (DISCRETE,)),
    "pyagrum MIIC": Peer("pyagrum", pyagrum_learner, pyagrum_miic, read_pyagrum, "learnPDAG", (DISCRETE,)),
    "pgmpy hill climbing": Peer("pgmpy", frame, pgmpy_climb, read_pgmpy, "bdeu, bic-g; tabu_length 100"),
    "pgmpy MMHC": Peer("pgmpy", frame, pgmpy_mmhc, read_pgmpy, "BDeu; 0.01; tabu_length 10", (DISCRETE,)),
}


def available() -> dict[str, str]:
    """Return the version of each package that is there, without importing it."""
    there = {each.metadata["Name"].lower(): each.version for each in metadata.distributions() if each.metadata["Name"]}
    wanted = sorted({peer.package for peer in PEERS.values()})
    return {package: there[package] for package in wanted if package in there}


def tiny(kind: str) -> Any:
    """Return a table of three columns that depend on each other a little."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(100, 3))
    values[:, 2] += values[:, 0] + values[:, 1]
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
            peer.learn(peer.prepare(tiny(kind), kind), kind)
            warm.add((task["peer"], kind))
        data = np.load(task["data"])
        prepared = peer.prepare(data, kind)
        limit_cpu(task["cap"])
        start, start_of_thread = time.process_time(), time.thread_time()
        learned = peer.learn(prepared, kind)
        # Under a limit some systems read the clock of the process coarsely, but not that of a thread.
        seconds = max(time.process_time() - start, time.thread_time() - start_of_thread)
        limit_cpu(None)
        return {**peer.read(learned, data.shape[1]), "seconds": seconds}
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
