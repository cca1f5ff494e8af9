"""The whole method on one page: bind the test, grow the tree, learn upwards, orient, translate back.

``discover`` is a pure function; ``HCCD`` in estimator.py and the command line are shells around it.

Everything is computed in a canonical order of the variables, which comes from the content of their columns, and is
translated back at the end. So neither the order nor the names of the columns change anything, rounding included.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import Baseline
from hccd.binding import bind
from hccd.clustering import ClusterTree, SpectralSplitter, grow_tree
from hccd.errors import DataWarning, InvalidParameterError
from hccd.events import Progress, ProgressFunction, silent
from hccd.independence import CITest, Marginals
from hccd.marginal_separations import FreshPValues, MarginalSeparations
from hccd.orientation import ColliderRule, ConflictPolicy, Evidence, judge_triples, orient
from hccd.result import HCCDResult
from hccd.settings import Settings, settings_for
from hccd.wrapper import Learned, Refine, Removals, backtrack


def discover(
    data: Any,
    *,
    test: str | CITest | Callable[..., Any] = "auto",
    alpha: float | None = None,
    threshold: float | None = None,
    method: str = "hccd",
    preset: str = "default",
    tree: ClusterTree | Sequence[Any] | None = None,
    splitter: SpectralSplitter | None = None,
    baseline: Baseline | None = None,
    refine: Refine | None = None,
    inner_order: int | None = -1,
    colliders: ColliderRule | None = None,
    conflicts: ConflictPolicy | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: ProgressFunction | None = None,
) -> HCCDResult:
    """Learn a causal graph.

    Parameters
    ----------
    data : table or BoundCITest
        A numpy array, a pandas, polars or Arrow table (rows are observations, columns are variables), or a test that
        is bound already (an oracle, a correlation matrix).
    test : str, specification or function
        ``"auto"`` (told from the columns), ``"fisher-z"``, ``"g"``, ``"chi2"``, ``"mi"``; a specification such as
        ``FisherZ(alpha=0.01)``; or a function ``f(data, x, y, given)`` that returns a p-value.
    alpha, threshold : float, optional
        Significance level, or amount of mutual information in nats (``"mi"``); None for the test's own default.
    method : {"hccd", "pc", "flat", "tscb", "not-c"}
        Which column of the paper's tables; see ``hccd.settings``.
    preset : {"default", "paper"}
        What measures best, or what the authors did.
    tree : ClusterTree or nested lists, optional
        Clusters to use instead of growing them, such as ``[["A", "B"], ["C", ["D", "E"]]]``.
    splitter, baseline, refine, inner_order, colliders, conflicts : optional
        Single choices that replace those of method and preset; ``inner_order`` -1 keeps the preset's.
    names : sequence of str, optional
        Names of the variables, where ``data`` has none.
    seed : int
        For k-means, which a division into more than two clusters uses.
    n_jobs : int, optional
        Number of workers, as in joblib; the result does not depend on it.
    progress : callable, optional
        Called with a ``Progress`` event at every step.

    Returns
    -------
    HCCDResult

    Examples
    --------
    >>> import numpy as np
    >>> import hccd
    >>> rng = np.random.default_rng(1)
    >>> rain = rng.normal(size=500); sprinkler = rng.normal(size=500)
    >>> wet = rain + sprinkler + 0.5 * rng.normal(size=500)
    >>> result = hccd.discover(np.column_stack([rain, sprinkler, wet]), names=["rain", "sprinkler", "wet"])
    >>> result.edges()
    [('rain', 'wet', 'directed'), ('sprinkler', 'wet', 'directed')]
    """
    clock = _Clock()
    _check_run(seed, n_jobs, progress)
    report = progress or silent
    settings = _chosen(method, preset, splitter, baseline, refine, inner_order, colliders, conflicts)
    if method == "pc" and (tree is not None or splitter is not None):
        raise InvalidParameterError("method 'pc' has one cluster: leave out tree and splitter, or choose method 'hccd'")
    binding = bind(data, test, alpha, threshold, names, settings)
    for sentence in binding.warnings:
        warnings.warn(sentence, DataWarning, stacklevel=_callers_level())
    ci, order = binding.ci, binding.order
    n = ci.n_variables

    report(Progress("marginal"))
    marginals = ci.marginals(n_jobs)
    clock.lap("learning")

    report(Progress("clustering", tests=n * (n - 1) // 2))
    clusters = _tree(tree, binding.names, order, settings, marginals, seed, n_jobs)
    clock.lap("clustering")

    learned = backtrack(
        clusters,
        settings.baseline,
        ci,
        marginals,
        refine=settings.refine,
        inner_order=settings.inner_order,
        n_jobs=n_jobs,
        progress=report,
    )
    clock.lap("learning")

    report(Progress("orientation", tests=learned.tests.total))
    triples, collider_tests = judge_triples(
        learned.skeleton,
        _evidence(learned, clusters, settings.baseline.exhaustive),
        marginals,
        ci,
        settings.colliders,
        settings.collider_order,
        settings.baseline.ordering == "strength",
    )
    oriented = orient(learned.skeleton, triples, settings.conflicts)
    clock.lap("orientation")

    separations, rows = learned.removals.separations.relabelled(order)
    back = np.argsort(order)
    graph = oriented.graph.relabelled(order)
    edges = back[graph.skeleton().edges]
    return HCCDResult(
        names=binding.names,
        graph=graph,
        tree=clusters.relabelled(order),
        removals=Removals(separations, learned.removals.stage[rows], learned.removals.cluster[rows]),
        marginal=MarginalSeparations(
            _sealed(marginals.independent.take(back, 0).take(back, 1)),
            FreshPValues(marginals, back) if ci.has_p_values else None,
        ),
        colliders=triples.taken(oriented.followed).relabelled(order),
        conflicts=oriented.conflicts.relabelled(order),
        reasons=oriented.reasons.relabelled(order),
        strength=_sealed(np.abs(marginals.ties[edges[:, 0], edges[:, 1]])),
        tests=learned.tests.with_stage("colliders", collider_tests),
        seconds=clock.seconds(),
        parameters={
            "method": method,
            "preset": preset,
            "test": ci.describe(),
            "n_samples": binding.n_samples,
            "tree": "given" if tree is not None else _described(settings.splitter),
            "baseline": settings.baseline.describe(),
            "refine": settings.refine,
            "inner_order": settings.inner_order,
            "colliders": settings.colliders,
            "collider_order": settings.collider_order,
            "conflicts": settings.conflicts,
            "seed": int(seed),
        },
        warnings=binding.warnings,
    )


def _check_run(seed: int, n_jobs: int | None, progress: ProgressFunction | None) -> None:
    """Refuse settings of the run itself that have no meaning."""
    if not (isinstance(seed, Integral) and not isinstance(seed, bool) and seed >= 0):
        raise InvalidParameterError(f"seed is {seed!r}; give a whole number from 0")
    if n_jobs is not None and not (isinstance(n_jobs, Integral) and n_jobs != 0):
        raise InvalidParameterError(f"n_jobs is {n_jobs!r}; give the number of workers, or -1 for all cores")
    if progress is not None and not callable(progress):
        raise InvalidParameterError(f"progress is {progress!r}; give a function that takes an event")


def _callers_level() -> int:
    """Return the stack level of the first frame outside this package: the line that a warning should point at."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("hccd."):
        level, frame = level + 1, frame.f_back
    return level


def _chosen(
    method: str,
    preset: str,
    splitter: SpectralSplitter | None,
    baseline: Baseline | None,
    refine: Refine | None,
    inner_order: int | None,
    colliders: ColliderRule | None,
    conflicts: ConflictPolicy | None,
) -> Settings:
    """Return the settings of method and preset, with single choices replaced."""
    settings = settings_for(method, preset)
    single: dict[str, Any] = {
        "splitter": splitter,
        "baseline": baseline,
        "refine": refine,
        "colliders": colliders,
        "conflicts": conflicts,
    }
    settings = replace(settings, **{name: value for name, value in single.items() if value is not None})
    if inner_order != -1:
        settings = replace(settings, inner_order=inner_order)
    settings.check()
    return settings


def _tree(
    given: ClusterTree | Sequence[Any] | None,
    names: Sequence[str],
    order: NDArray[np.int64],
    settings: Settings,
    marginals: Marginals,
    seed: int,
    n_jobs: int | None,
) -> ClusterTree:
    """Return the clusters in canonical numbers: the caller's, or grown from the strengths."""
    n = len(order)
    if given is not None:
        tree = given if isinstance(given, ClusterTree) else ClusterTree.from_nested(_named(given, names), names)
        if tree.n_variables != n:
            raise InvalidParameterError(
                f"the cluster tree has {tree.n_variables} variables, the data have {n}: every column must be in it"
            )
        return tree.relabelled(np.argsort(order))
    if settings.splitter is None:
        return ClusterTree.single(n)
    return grow_tree(
        marginals.strength,
        settings.splitter,
        bias=marginals.bias,
        independent=marginals.independent,
        seed=seed,
        n_jobs=n_jobs,
    )


def _named(nested: Any, names: Sequence[str]) -> Any:
    """Replace column numbers in nested lists by names, so that both may be written."""
    if isinstance(nested, Integral):
        column = int(nested)
        if not 0 <= column < len(names):
            raise InvalidParameterError(f"the cluster tree has a column {column}; columns are 0 to {len(names) - 1}")
        return names[column]
    if isinstance(nested, str):
        return nested
    if not isinstance(nested, Iterable):
        raise InvalidParameterError(f"the cluster tree has a part {nested!r}; give columns, or lists of them")
    return [_named(part, names) for part in nested]


def _evidence(learned: Learned, tree: ClusterTree, exhaustive: bool) -> Evidence:
    """Hand the record of the search to the orientation; what was asked is known of exhaustive searches only."""
    layout = tree.layout()
    cluster = learned.removals.cluster
    return Evidence(
        learned.removals.separations,
        layout.position.astype(np.int32),
        learned.home_start,
        learned.home_stop,
        learned.home_order if exhaustive else np.full_like(learned.home_order, -1),
        layout.start[cluster].astype(np.int32),
        (layout.stop if exhaustive else layout.start)[cluster].astype(np.int32),
    )


def _described(splitter: SpectralSplitter | None) -> object:
    """Return the splitter's settings as plain data."""
    if splitter is None:
        return "one cluster"
    rule = splitter.rule
    return {**vars(splitter), "rule": {"name": type(rule).__name__, **vars(rule)}}


def _sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Make a fresh array read-only: results are values."""
    array.flags.writeable = False
    return array


class _Clock:
    """Seconds by phase."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps = {"clustering": 0.0, "learning": 0.0, "orientation": 0.0}

    def lap(self, phase: str) -> None:
        now = time.perf_counter()
        self._laps[phase] += now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        return {"total": time.perf_counter() - self._start, **self._laps}
