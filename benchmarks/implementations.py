"""Every implementation as one call: from a table to the skeleton it found.

This file is read by the interpreter that has the package installed, so nothing but numpy is imported at the top. Other
packages are called as in the studies. Settings make the work the same as far as the packages allow: PC-stable, no limit
to the size of the sets, one thread, the same significance level, orientation included.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

# By its folder: the interpreter that has the packages has no hccd.
sys.path.append(str(Path(__file__).parents[1] / "src" / "hccd" / "studies"))

from peer_script import ALPHA, CONTINUOUS, PEERS, Peer, same, tiny

__all__ = ["IMPLEMENTATIONS", "Peer", "tiny"]


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

    def prepare(self, data: Any, kind: str) -> Any:
        """Bind the test, if that is not to be timed."""
        return self._test(kind).bind(data) if self.bound else data

    def learn(self, data: Any, kind: str) -> Any:
        """Run it; a bound test comes instead of the data."""
        options: dict[str, Any] = {"method": self.method, "correction": "none", "n_jobs": self.n_jobs}
        if not self.bound:
            test = self._test(kind)
            options["test"] = slowed(test, data, self.slow) if self.slow else test
        return skeleton_or_graph(data, self.colliders, options)

    def read(self, result: Any) -> dict[str, Any]:
        """Take pairs and counts from the result."""
        by_stage = {stage: list(counts) for stage, counts in result.tests.by_stage.items()}
        collider_tests = sum(by_stage.pop("colliders", []))
        by_order = [
            sum(counts[order] for counts in by_stage.values() if order < len(counts))
            for order in range(max(map(len, by_stage.values())))
        ]
        return {
            "undirected": result.skeleton.edges.tolist(),
            "tests": sum(by_order) + collider_tests,
            "skeleton_tests": by_order,
            "outcome": outcome_digest(result),
            "skeleton_only": self.colliders is None,
        }

    def _test(self, kind: str) -> Any:
        import hccd

        return (hccd.FisherZ if kind == CONTINUOUS else hccd.GTest)(ALPHA[kind])


def skeleton_or_graph(data: Any, colliders: str | None, options: dict[str, Any]) -> Any:
    """Learn the skeleton alone, or the graph with colliders by some rule."""
    import hccd

    if colliders is None:
        return hccd.learn_skeleton(data, **options)
    # The tests and what they decide: what a score costs on top is a figure of its own.
    return hccd.discover(data, bootstrap="none", colliders=colliders, scoring="none", **options)


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


def numpy_correlations(data: Any, kind: str) -> Any:
    """Compute the correlation matrix alone: what any test of partial correlations has to begin with."""
    centered = data.T - data.mean(axis=0)[:, None]
    centered /= np.sqrt(np.einsum("ij,ij->i", centered, centered))[:, None]
    return centered @ centered.T


def ours(method: str, colliders: str | None, **choices: Any) -> Peer:
    """One of our methods as an implementation."""
    chosen = Ours(method, colliders, **choices)
    # Fewer columns would make a single cluster, and grow no tree.
    return Peer("hccd", chosen.prepare, chosen.learn, chosen.read, "", warm_up=6 if chosen.slow else 40)


def whole_runs(bootstrap: int | str, n_jobs: int) -> Peer:
    """A whole run by default settings, with so many resamples."""

    def learn(data: Any, kind: str) -> Any:
        import hccd

        return hccd.discover(data, bootstrap=bootstrap, n_jobs=n_jobs, **{kind: range(data.shape[1])})

    return Peer("hccd", same, learn, read_whole, "", warm_up=40)


def read_whole(result: Any) -> dict[str, Any]:
    """Take the pairs, and a digest of all that graph.json says but for times."""
    content = {name: value for name, value in result.to_dict().items() if name != "seconds"}
    outcome = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    return {"undirected": result.skeleton.edges.tolist(), "outcome": outcome}


#: Whole runs: without resamples, and with 100 by one worker and by two.
WITHOUT, WITH_RESAMPLES = "hccd, no resamples", ("hccd, 100 resamples", "hccd, 100 resamples, 2 workers")

#: By name.
IMPLEMENTATIONS: dict[str, Peer] = {
    "hccd PC skeleton": ours("pc", None),
    "hccd PC": ours("pc", "separating-set"),
    "hccd PC max-p": ours("pc", "max-p"),
    "hccd HCCD skeleton": ours("hccd", None),
    "hccd HCCD": ours("hccd", "separating-set"),
    "hccd HCCD max-p": ours("hccd", "max-p"),
    **PEERS,
    "hccd PC skeleton, bound": ours("pc", None, bound=True),
    "hccd PC skeleton, bound, 2 workers": ours("pc", None, n_jobs=2, bound=True),
    "hccd PC skeleton, 2 workers": ours("pc", None, n_jobs=2),
    "hccd HCCD skeleton, 2 workers": ours("hccd", None, n_jobs=2),
    "hccd PC skeleton, 1 ms tests": ours("pc", None, slow=1e-3),
    "hccd HCCD skeleton, 1 ms tests": ours("hccd", None, slow=1e-3),
    WITHOUT: whole_runs("none", 1),
    **{name: whole_runs(100, workers) for workers, name in enumerate(WITH_RESAMPLES, 1)},
    "numpy correlations": Peer("numpy", same, numpy_correlations, lambda matrix: {}, "", (CONTINUOUS,)),
}
