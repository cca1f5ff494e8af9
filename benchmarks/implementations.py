"""Every implementation as one call: from a table to the skeleton it found.

This file is read by the interpreter that has the package installed, so nothing but numpy is imported at the top.
Three steps, of which the second is timed: ``prepare`` turns the array into what the package takes (a data frame, say),
``learn`` is the package's own call, ``read`` takes the skeleton from its answer. Settings make the work the same as far
as the packages allow: PC-stable, no limit to the size of the sets, one thread, the same significance level, orientation
included.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

KINDS = ("continuous", "discrete")


class Learned(NamedTuple):
    """The adjacent pairs, and what else is known of the run."""

    pairs: Any
    facts: dict[str, Any]


def same(data: Any, kind: str, alpha: float) -> Any:
    """Prepare nothing: the array is what the package takes."""
    return data


@dataclass(frozen=True)
class Implementation:
    """Something to be measured; ``package`` says which interpreter has it, ``kinds`` what data it takes.

    ``warm_up`` is the number of columns of the table it is tried on first: enough to meet every lazy import.
    """

    package: str
    learn: Callable[[Any, str, float], Any]
    read: Callable[[Any], Learned]
    prepare: Callable[[Any, str, float], Any] = same
    kinds: tuple[str, ...] = KINDS
    warm_up: int = 6


# ---- ours ----


@dataclass(frozen=True)
class Ours:
    """One of our methods; ``colliders`` None is the skeleton alone.

    ``bound`` starts from a test that knows its data (a correlation matrix, coded columns), ``slow`` makes every test
    take so many seconds.
    """

    method: str
    colliders: str | None
    n_jobs: int = 1
    bound: bool = False
    slow: float = 0.0

    def prepare(self, data: Any, kind: str, alpha: float) -> Any:
        """Bind the test, if that is not to be timed."""
        return self._test(kind, alpha).bind(data) if self.bound else data

    def learn(self, data: Any, kind: str, alpha: float) -> Any:
        """Run it; a bound test comes instead of the data."""
        options: dict[str, Any] = {"method": self.method, "n_jobs": self.n_jobs}
        if not self.bound:
            test = self._test(kind, alpha)
            options["test"] = slowed(test, data, self.slow) if self.slow else test
        return skeleton_or_graph(data, self.colliders, options)

    def read(self, result: Any) -> Learned:
        """Take pairs and counts from the result."""
        by_stage = {stage: list(counts) for stage, counts in result.tests.by_stage.items()}
        collider_tests = sum(by_stage.pop("colliders", []))
        by_order = [
            sum(counts[order] for counts in by_stage.values() if order < len(counts))
            for order in range(max(map(len, by_stage.values())))
        ]
        facts = {
            "tests": sum(by_order) + collider_tests,
            "skeleton_tests": by_order,
            "outcome": outcome_digest(result),
            "skeleton_only": self.colliders is None,
        }
        return Learned(np.asarray(result.skeleton.edges), facts)

    def _test(self, kind: str, alpha: float) -> Any:
        import hccd

        return hccd.FisherZ(alpha) if kind == "continuous" else hccd.GTest(alpha)


def skeleton_or_graph(data: Any, colliders: str | None, options: dict[str, Any]) -> Any:
    """Learn the skeleton alone, or the graph with colliders by some rule."""
    import hccd

    if colliders is None:
        return hccd.learn_skeleton(data, **options)
    # The tests and what they decide: what a score costs on top is a figure of its own.
    return hccd.discover(data, colliders=colliders, scoring="none", **options)


def slowed(test: Any, data: Any, seconds: float) -> Any:
    """Return the same test as a Python function that is busy for so many CPU seconds at every call."""
    import hccd

    bound = test.bind(data)

    def busy(_: Any, x: int, y: int, given: tuple[int, ...]) -> Any:
        end = time.process_time() + seconds
        answer = bound.test(x, y, given)
        while time.process_time() < end:
            pass
        return answer

    return hccd.CustomTest(busy, test.alpha)


def outcome_digest(result: Any) -> str:
    """Everything a skeleton run decided, in few letters: two equal runs have equal digests."""
    content = hashlib.sha256(np.ascontiguousarray(result.skeleton.edges).tobytes())
    content.update(repr(sorted((k, tuple(v)) for k, v in result.tests.by_stage.items())).encode())
    removals = getattr(result, "removals", None)
    if removals is not None:
        for values in (removals.stage, removals.cluster, removals.separations.p_value):
            content.update(np.ascontiguousarray(values).tobytes())
    return content.hexdigest()[:16]


def numpy_correlations(data: Any, kind: str, alpha: float) -> Any:
    """Compute the correlation matrix alone: what any test of partial correlations has to begin with."""
    centered = data.T - data.mean(axis=0)[:, None]
    centered /= np.sqrt(np.einsum("ij,ij->i", centered, centered))[:, None]
    return centered @ centered.T


# ---- theirs ----


def names(n: int) -> list[str]:
    """Column names that give the number back."""
    return [f"X{i}" for i in range(n)]


def pairs_of(edges: Any) -> Any:
    """Return pairs x < y, each once, from edges between numbers or names."""
    numbers = [(int(str(a).lstrip("X")), int(str(b).lstrip("X"))) for a, b in edges]
    return np.array(sorted({(min(pair), max(pair)) for pair in numbers}), np.int64).reshape(-1, 2)


def frame(data: Any, kind: str, alpha: float) -> Any:
    """Return a data frame; states are categories."""
    import pandas

    table = pandas.DataFrame(data, columns=names(data.shape[1]))
    return table if kind == "continuous" else table.astype(str).astype("category")


def pybnesian_pc(use_sepsets: bool) -> Implementation:
    """PC of pybnesian: colliders from the separating set found, or by a majority of all separating sets."""

    def learn(table: Any, kind: str, alpha: float) -> Any:
        import pybnesian

        test = pybnesian.LinearCorrelation(table) if kind == "continuous" else pybnesian.ChiSquare(table)
        return pybnesian.PC().estimate(test, alpha=alpha, use_sepsets=use_sepsets)

    return Implementation("pybnesian", learn, read_mixed_graph, frame)


def read_mixed_graph(graph: Any) -> Learned:
    """Read arcs and edges as methods, of pybnesian and pyagrum alike."""
    return Learned(pairs_of([*graph.arcs(), *graph.edges()]), {"tests": None})


def causal_learn_pc(data: Any, kind: str, alpha: float) -> Any:
    """PC-stable of causal-learn, Fisher z or G square."""
    from causallearn.search.ConstraintBased.PC import pc

    return pc(data, alpha, "fisherz" if kind == "continuous" else "gsq", stable=True, show_progress=False)


def read_causal_learn(found: Any) -> Learned:
    """Read the matrix; tests are those in the cache of p-values, of which three entries describe the data."""
    return Learned(np.argwhere(np.triu(found.G.graph != 0, 1)), {"tests": len(found.test.pvalue_cache) - 3})


def pgmpy_pc(table: Any, kind: str, alpha: float) -> Any:
    """PC-stable of pgmpy; its default limit to the size of the sets is lifted."""
    from pgmpy.causal_discovery import PC

    learner = PC(
        variant="stable",
        ci_test="fisher_z" if kind == "continuous" else "g_sq",
        significance_level=alpha,
        max_cond_vars=table.shape[1],
        n_jobs=1,
        show_progress=False,
    )
    return learner.fit(table)


def pyagrum_learner(data: Any, kind: str, alpha: float) -> Any:
    """Let pyagrum read the table, as it would read a file."""
    import pandas
    import pyagrum

    learner = pyagrum.BNLearner(pandas.DataFrame(data, columns=names(data.shape[1])).astype(str))
    learner.setNumberOfThreads(1)
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(alpha)
    return learner


def ours(method: str, colliders: str | None, **choices: Any) -> Implementation:
    """One of our methods as an implementation."""
    chosen = Ours(method, colliders, **choices)
    # Fewer columns would make a single cluster, and grow no tree.
    return Implementation("hccd", chosen.learn, chosen.read, chosen.prepare, warm_up=6 if chosen.slow else 40)


#: By name, in the order of the tables.
IMPLEMENTATIONS: dict[str, Implementation] = {
    "hccd PC skeleton": ours("pc", None),
    "hccd PC": ours("pc", "separating-set"),
    "hccd PC max-p": ours("pc", "max-p"),
    "hccd HCCD skeleton": ours("hccd", None),
    "hccd HCCD": ours("hccd", "separating-set"),
    "hccd HCCD max-p": ours("hccd", "max-p"),
    "pybnesian PC": pybnesian_pc(use_sepsets=True),
    "pybnesian PC majority": pybnesian_pc(use_sepsets=False),
    "pyagrum PC": Implementation(
        "pyagrum", lambda learner, kind, alpha: learner.learnPDAG(), read_mixed_graph, pyagrum_learner, ("discrete",)
    ),
    "causal-learn PC": Implementation("causal-learn", causal_learn_pc, read_causal_learn),
    "pgmpy PC": Implementation(
        "pgmpy", pgmpy_pc, lambda learner: Learned(pairs_of(learner.skeleton_.edges()), {"tests": None}), frame
    ),
    "hccd PC skeleton, bound": ours("pc", None, bound=True),
    "hccd PC skeleton, bound, 2 workers": ours("pc", None, n_jobs=2, bound=True),
    "hccd PC skeleton, 2 workers": ours("pc", None, n_jobs=2),
    "hccd HCCD skeleton, 2 workers": ours("hccd", None, n_jobs=2),
    "hccd PC skeleton, 1 ms tests": ours("pc", None, slow=1e-3),
    "hccd HCCD skeleton, 1 ms tests": ours("hccd", None, slow=1e-3),
    "numpy correlations": Implementation(
        "numpy",
        numpy_correlations,
        lambda matrix: Learned(np.zeros((0, 2), np.int64), {"tests": None}),
        kinds=("continuous",),
    ),
}
