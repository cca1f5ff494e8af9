"""The first half of a run: bind the test, grow the tree, learn the skeleton upwards. No direction is looked for.

Everything is computed in a canonical order of the variables, which comes from the content of their columns, and is
translated back at the end. So neither the order nor the names of the columns change anything, rounding included.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import Baseline
from hccd.binding import Binding, bind
from hccd.clustering import ClusterTree, SpectralSplitter, grow_tree
from hccd.errors import DataWarning, InvalidParameterError
from hccd.events import Progress, ProgressFunction, silent
from hccd.independence import CITest, Marginals
from hccd.marginal_separations import FreshPValues, MarginalSeparations
from hccd.orientation import ColliderRule, ConflictPolicy
from hccd.search_key import search_key
from hccd.settings import Settings, settings_for
from hccd.skeleton_result import SkeletonResult
from hccd.wrapper import Checkpoint, Keeping, Learned, Refine, Removals, backtrack


@dataclass(frozen=True, eq=False)
class Found:
    """A learned skeleton in canonical numbers, with all that it came from: what orientation goes on with."""

    binding: Binding
    settings: Settings
    marginals: Marginals
    clusters: ClusterTree
    learned: Learned
    parameters: dict[str, Any]
    clock: Clock
    report: ProgressFunction

    def translated_tree(self) -> ClusterTree:
        """Return the clusters under the caller's numbers."""
        return self.clusters.relabelled(self.binding.order)

    def translated_removals(self) -> Removals:
        """Return why edges fell under the caller's numbers."""
        removals = self.learned.removals
        separations, rows = removals.separations.relabelled(self.binding.order)
        return Removals(separations, removals.stage[rows], removals.cluster[rows])

    def translated_marginal(self) -> MarginalSeparations:
        """Return which pairs are independent without condition under the caller's numbers."""
        back = np.argsort(self.binding.order)
        p_values = FreshPValues(self.marginals, back) if self.binding.ci.has_p_values else None
        return MarginalSeparations(self.marginals.independent, p_values, back)

    def strength_of(self, edges: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the unconditional strength of edges in the caller's numbers."""
        back = np.argsort(self.binding.order)[edges]
        return sealed(np.abs(self.marginals.ties[back[:, 0], back[:, 1]]))


def learn_skeleton(
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
    names: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: ProgressFunction | None = None,
    checkpoint: Checkpoint | None = None,
) -> SkeletonResult:
    """Learn which variables are adjacent, with the set that separates each other pair; leave directions open.

    The parameters are those of :func:`hccd.discover`.

    Examples
    --------
    >>> import numpy as np
    >>> import hccd
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=500); y = x + rng.normal(size=500); z = y + rng.normal(size=500)
    >>> result = hccd.learn_skeleton(np.column_stack([x, y, z]), names=["x", "y", "z"])
    >>> result.edges()
    [('x', 'y'), ('y', 'z')]
    >>> result.separators[0, 2]
    (1,)
    """
    found = search_skeleton(
        data, test=test, alpha=alpha, threshold=threshold, method=method, preset=preset, tree=tree, splitter=splitter,
        baseline=baseline, refine=refine, inner_order=inner_order, colliders=None, conflicts=None, names=names,
        seed=seed, n_jobs=n_jobs, progress=progress, checkpoint=checkpoint,
    )  # fmt: skip
    skeleton = found.learned.skeleton.relabelled(found.binding.order)
    return SkeletonResult(
        names=found.binding.names,
        skeleton=skeleton,
        tree=found.translated_tree(),
        removals=found.translated_removals(),
        marginal=found.translated_marginal(),
        strength=found.strength_of(skeleton.edges),
        tests=found.learned.tests,
        seconds=found.clock.seconds(),
        parameters=found.parameters,
        warnings=found.binding.warnings,
    )


def search_skeleton(
    data: Any,
    *,
    test: str | CITest | Callable[..., Any],
    alpha: float | None,
    threshold: float | None,
    method: str,
    preset: str,
    tree: ClusterTree | Sequence[Any] | None,
    splitter: SpectralSplitter | None,
    baseline: Baseline | None,
    refine: Refine | None,
    inner_order: int | None,
    colliders: ColliderRule | None,
    conflicts: ConflictPolicy | None,
    names: Sequence[str] | None,
    seed: int,
    n_jobs: int | None,
    progress: ProgressFunction | None,
    checkpoint: Checkpoint | None,
) -> Found:
    """Check the arguments of a run and learn the skeleton."""
    clock = Clock()
    _check_run(seed, n_jobs, progress, checkpoint)
    report = progress or silent
    settings = _chosen(method, preset, splitter, baseline, refine, inner_order, colliders, conflicts)
    if method == "pc" and (tree is not None or splitter is not None):
        raise InvalidParameterError("method 'pc' has one cluster: leave out tree and splitter, or choose method 'hccd'")
    binding = bind(data, test, alpha, threshold, names, settings)
    for sentence in binding.warnings:
        warnings.warn(sentence, DataWarning, stacklevel=_callers_level())
    ci = binding.ci
    n = ci.n_variables

    report(Progress("marginal"))
    marginals = ci.marginals(n_jobs)
    clock.lap("learning")

    report(Progress("clustering", tests=n * (n - 1) // 2))
    clusters = _tree(tree, binding.names, binding.order, settings, marginals, seed, n_jobs)
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
        keeping=None if checkpoint is None else Keeping(checkpoint, search_key(ci, marginals, clusters, settings)),
    )
    clock.lap("learning")
    parameters = {
        "method": method,
        "preset": preset,
        "test": ci.describe(),
        "n_samples": binding.n_samples,
        "tree": "given" if tree is not None else _described(settings.splitter),
        "baseline": settings.baseline.describe(),
        "refine": settings.refine,
        "inner_order": settings.inner_order,
        "seed": int(seed),
    }
    return Found(binding, settings, marginals, clusters, learned, parameters, clock, report)


def _check_run(seed: int, n_jobs: int | None, progress: ProgressFunction | None, checkpoint: Checkpoint | None) -> None:
    """Refuse settings of the run itself that have no meaning."""
    if not (isinstance(seed, Integral) and not isinstance(seed, bool) and seed >= 0):
        raise InvalidParameterError(f"seed is {seed!r}; give a whole number from 0")
    if n_jobs is not None and not (isinstance(n_jobs, Integral) and n_jobs != 0):
        raise InvalidParameterError(f"n_jobs is {n_jobs!r}; give the number of workers, or -1 for all cores")
    if progress is not None and not callable(progress):
        raise InvalidParameterError(f"progress is {progress!r}; give a function that takes an event")
    if checkpoint is not None and (isinstance(checkpoint, type) or not callable(getattr(checkpoint, "resume", None))):
        raise InvalidParameterError(f"checkpoint is {checkpoint!r}; give one such as CheckpointFolder('folder')")


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


def _described(splitter: SpectralSplitter | None) -> object:
    """Return the splitter's settings as plain data."""
    if splitter is None:
        return "one cluster"
    rule = splitter.rule
    return {**vars(splitter), "rule": {"name": type(rule).__name__, **vars(rule)}}


def sealed(array: NDArray[Any]) -> NDArray[Any]:
    """Make a fresh array read-only: results are values."""
    array.flags.writeable = False
    return array


class Clock:
    """Seconds by phase."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps = {"clustering": 0.0, "learning": 0.0, "orientation": 0.0}

    def lap(self, phase: str) -> None:
        """Count the time since the last lap to this phase."""
        now = time.perf_counter()
        self._laps[phase] += now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each phase, and in all."""
        return {"total": time.perf_counter() - self._start, **self._laps}
