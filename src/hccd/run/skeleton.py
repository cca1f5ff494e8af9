"""The first half of a run: bind the test, grow the tree, learn the skeleton upwards. No direction is looked for.

Everything is computed in a canonical order of the variables, which comes from the content of their columns, and is
translated back at the end. So neither the order nor the names of the columns change anything, rounding included.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree, SpectralSplitter, grow_tree
from hccd.errors import DataWarning, InvalidParameterError
from hccd.independence import Marginals
from hccd.progress import Progress, ProgressFunction, silent
from hccd.result.marginal_separations import FreshPValues, MarginalSeparations
from hccd.run.binding import Binding, bind
from hccd.run.options import Options
from hccd.run.settings import Settings, settings_of
from hccd.scoring import score_for
from hccd.wrapper import Learned, Removals, backtrack


@dataclass(frozen=True, eq=False)
class Found:
    """A learned skeleton in canonical numbers, with all that it came from: what orientation goes on with.

    ``score`` is the name of the score that is to follow, if one is.
    """

    binding: Binding
    settings: Settings
    score: str | None
    marginals: Marginals
    clusters: ClusterTree
    learned: Learned
    parameters: dict[str, Any]
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
        return sealed(np.abs(self.marginals.association[back[:, 0], back[:, 1]]))


def search_skeleton(data: Any, options: Options, clock: Clock) -> Found:
    """Bind the test and learn the skeleton."""
    report = options.progress or silent
    settings, tree, seed, n_jobs = settings_of(options), options.tree, options.seed, options.n_jobs
    binding = bind(data, options.test, options.alpha, options.threshold, options.names, settings)
    for sentence in binding.warnings:
        warnings.warn(sentence, DataWarning, stacklevel=_callers_level())
    ci = binding.ci
    # A score that does not fit is refused now, not after hours of tests.
    score = score_for(ci, settings.scoring)
    settings = settings.before(score)
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
        checkpoint=options.checkpoint,
    )
    clock.lap("learning")
    parameters = {
        "method": options.method,
        "preset": options.preset,
        "test": ci.describe(),
        "n_samples": binding.n_samples,
        "tree": "given" if tree is not None else _described(settings.splitter),
        "baseline": settings.baseline.describe(),
        "refine": settings.refine,
        "inner_order": settings.inner_order,
        "seed": int(seed),
    }
    return Found(binding, settings, score, marginals, clusters, learned, parameters, report)


def _callers_level() -> int:
    """Return the stack level of the first frame outside this package: the line that a warning should point at."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("hccd."):
        level, frame = level + 1, frame.f_back
    return level


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
        return own_tree(given, names).relabelled(np.argsort(order))
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


def own_tree(given: ClusterTree | Sequence[Any], names: Sequence[str]) -> ClusterTree:
    """Return the caller's clusters as a tree over the variables of these names."""
    tree = given if isinstance(given, ClusterTree) else ClusterTree.from_nested(_named(given, names), names)
    if tree.n_variables != len(names):
        raise InvalidParameterError(
            f"the cluster tree has {tree.n_variables} variables, the data have {len(names)}: every column must be in it"
        )
    return tree


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
        self._laps[phase] = self._laps.get(phase, 0.0) + now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each phase, and in all."""
        return {"total": time.perf_counter() - self._start, **self._laps}
