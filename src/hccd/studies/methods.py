"""From the words of a description to a run of the method, and from a learned graph to the figures of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import numpy as np

import hccd.discovery as discovery
from hccd.baselines import PC
from hccd.clustering import Eigengap, FixedK, NearZero, SeparabilityRule, SpectralSplitter
from hccd.graphs import PDAG
from hccd.independence import FisherZ
from hccd.metrics import adjacency_retrieval, causal_accuracy, edge_errors, shd, sid
from hccd.result import HCCDResult
from hccd.run.options import Options
from hccd.run.settings import settings_of

T = TypeVar("T")

_SEPARABILITY: dict[str, SeparabilityRule] = {"near-zero": NearZero(), "eigengap": Eigengap()}


def timed(function: Callable[..., T], *arguments: Any) -> tuple[T, float]:
    """Call a function; return what it returns and the CPU seconds it took: those of other programs do not count."""
    start = time.process_time()
    returned = function(*arguments)
    return returned, time.process_time() - start


def learn(data: Any, options: Mapping[str, Any]) -> HCCDResult:
    """Learn a graph.

    Parameters
    ----------
    data : table or BoundCITest
        What `hccd.discover` takes.
    options : mapping
        ``test``, ``threshold``, ``discrete``, ``continuous``, ``method``, ``preset``, ``correction``, ``refine``,
        ``inner_order``, ``colliders``, ``collider_order``, ``conflicts`` and ``progress`` as in `hccd.discover`;
        ``stable`` and ``ordering`` of PC;
        ``clusters``, ``depth`` and ``leaves`` of the tree: into how many parts, how often, and down to which size;
        ``max_order`` of PC; ``measure``, ``screen`` and ``min_fraction`` of the tree; ``clusters`` may be ``near-zero``
        or ``eigengap``;
        ``scoring``, none unless it is named: the paper's tables are about tests.
    """
    passed = (
        "test", "threshold", "discrete", "continuous", "method", "preset", "correction", "refine", "inner_order",
        "colliders", "collider_order", "conflicts", "scoring", "progress",
    )  # fmt: skip
    chosen = {"scoring": "none", "bootstrap": "none", **{name: options[name] for name in passed if name in options}}
    of_pc = {name: options[name] for name in ("stable", "ordering", "max_order") if name in options}
    if of_pc:
        baseline = settings_of(Options(**chosen)).baseline
        assert isinstance(baseline, PC)
        chosen["baseline"] = replace(baseline, **of_pc)
    if "clusters" in options:
        clusters = options["clusters"]
        chosen["splitter"] = SpectralSplitter(
            rule=FixedK(clusters) if isinstance(clusters, int) else _SEPARABILITY[clusters],
            max_depth=options.get("depth"),
            min_size=options["leaves"],
            measure=options.get("measure", "strength"),
            screen=options.get("screen", True),
            min_fraction=options.get("min_fraction", 0.0),
        )
    return discovery.discover(data, **chosen)


@cache
def warm_up() -> None:
    """Learn something small once in a process, so that no run's time holds the import of what others have by then."""
    test = FisherZ().bind(np.random.default_rng(0).normal(size=(50, 12)))
    for method in ("pc", "flat"):
        learn(test, {"method": method, "preset": "paper"})


def skeleton_tests(result: HCCDResult) -> int:
    """Count the tests made for the skeleton: those of the collider rule are not the wrapper's."""
    return result.tests.total - sum(result.tests.by_stage.get("colliders", ()))


def structure(truth: PDAG, learned: PDAG) -> dict[str, float]:
    """Compare a learned graph with the true DAG by the metrics of the paper, SID apart, and by F1."""
    errors = edge_errors(truth, learned)
    return {
        "shd": shd(truth, learned).total,
        "causal_accuracy": causal_accuracy(truth, learned),
        "cauacc": causal_accuracy(truth, learned, variant="cauacc"),
        "f1": adjacency_retrieval(truth, learned).f1,
        "extra": errors.extra,
        "missing": errors.missing,
    }


def interventions(truth: PDAG, learned: PDAG) -> dict[str, float]:
    """Compute the bounds of the SID and their middle."""
    distance = sid(truth, learned)
    return {"sid_lower": distance.lower, "sid_upper": distance.upper, "sid": distance.mid}
