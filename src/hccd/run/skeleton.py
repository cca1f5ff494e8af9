"""The first half of a run: grow the tree, learn the skeleton upwards. No direction is looked for.

Everything is computed in a canonical order of the variables, which comes from the content of their columns, and is
translated back at the end. So neither the order nor the names of the columns change anything, rounding included.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.baselines import BRAI, Baseline
from hccd.clustering import ClusterTree, grow_tree
from hccd.errors import DataWarning, InvalidParameterError
from hccd.graphs.edges import sealed
from hccd.independence import Marginals
from hccd.progress import Progress
from hccd.result.marginal_separations import FreshPValues, MarginalSeparations
from hccd.run.binding import Binding
from hccd.run.prepared import Prepared
from hccd.run.settings import described_splitter
from hccd.tables import Finding, FindingKind
from hccd.tables.resamples import drawn
from hccd.tables.weights import are_counts
from hccd.wrapper import Learned, Removals, backtrack


@dataclass(frozen=True, eq=False)
class Found:
    """A learned skeleton in canonical numbers, with all that it came from: what orientation goes on with."""

    prepared: Prepared
    clusters: ClusterTree
    learned: Learned

    @property
    def binding(self) -> Binding:
        """The test with its data."""
        return self.prepared.binding

    @property
    def marginals(self) -> Marginals:
        """Every unconditional test."""
        return self.prepared.marginals

    def parameters(self) -> dict[str, Any]:
        """Return what the skeleton depends on, for the record of the run."""
        options, settings = self.prepared.options, self.prepared.settings
        return {
            "method": options.method,
            "preset": options.preset,
            "test": self.binding.ci.describe(),
            **({} if self.binding.suited is None else {"transform": self.binding.suited.transform}),
            **({} if self.binding.missing is None else {"missing": self.binding.missing}),
            **({} if options.discretize is None else {"reading": {"discretize": options.discretize}}),
            "n_samples": self.binding.n_samples,
            **({} if self.binding.streamed is None else {"streamed": dict(self.binding.streamed)}),
            **self._weights(),
            "correction": settings.correction,
            "tree": "given" if options.tree is not None else described_splitter(settings.splitter),
            "baseline": settings.described_baseline(),
            "refine": settings.refine,
            "inner_order": settings.inner_order,
            "seed": self.prepared.seed,
            **self._knowledge(),
        }

    def _weights(self) -> dict[str, Any]:
        """Return which rows were weighted by what, and how the weights were understood."""
        table = self.prepared.table
        if table is None or table.weights is None or self.binding.streamed is not None:
            return {}
        kind = "counts" if are_counts(table.weights) else "sampling"
        return {"weights": table.weighted_by or "given", "weighting": {"kind": kind, "rows": table.n_rows}}

    def _knowledge(self) -> dict[str, Any]:
        """Return what was known and what was a copy, and how many pairs that settled before any test."""
        constraints = self.prepared.constraints
        if constraints is None:
            return {}
        copies = {"copies": self.prepared.copies} if self.prepared.copies else {}
        if not self.prepared.knowledge:
            return copies
        is_copy = np.isin([self.binding.names[v] for v in self.binding.columns], list(self.prepared.copies))
        known = ~(is_copy[:, None] | is_copy[None, :])
        settled = {"absent": constraints.excluded & known, "present": constraints.adjacent & known}
        counts = {name: int(pairs.sum()) // 2 for name, pairs in settled.items()}
        # Every other pair that depends without condition is asked given sets, if any is.
        asked = not self.prepared.settings.score_alone
        spared = (settled["absent"] | settled["present"]) & ~self.marginals.independent
        return {
            "knowledge": self.prepared.knowledge.describe(),
            "settled_pairs": counts,
            "pairs_spared": int(spared.sum()) // 2 if asked else 0,
            **copies,
        }

    def translated_tree(self) -> ClusterTree:
        """Return the clusters under the caller's numbers."""
        return self.clusters.relabelled(self.binding.columns)

    def translated_removals(self) -> Removals:
        """Return why edges fell under the caller's numbers."""
        removals = self.learned.removals
        separations, rows = removals.separations.relabelled(self.binding.columns)
        return Removals(separations, removals.stage[rows], removals.cluster[rows])

    def translated_marginal(self) -> MarginalSeparations:
        """Return which pairs are independent without condition under the caller's numbers."""
        back = np.argsort(self.binding.columns)
        p_values = FreshPValues(self.marginals, back) if self.binding.ci.has_p_values else None
        independent, constraints = self.marginals.independent, self.prepared.constraints
        if constraints is not None:
            independent = independent & ~constraints.adjacent
        return MarginalSeparations(independent, p_values, back)

    def strength_of(self, edges: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the unconditional strength of edges in the caller's numbers."""
        back = np.argsort(self.binding.columns)[edges]
        return sealed(np.abs(self.marginals.association[back[:, 0], back[:, 1]]))


def search_skeleton(prepared: Prepared, clusters: ClusterTree | None = None) -> Found:
    """Learn the skeleton, over these clusters in canonical numbers, or over the caller's, or over grown ones."""
    options, settings, clock = prepared.options, prepared.settings, prepared.clock
    progress = prepared.progress
    n = prepared.binding.ci.n_variables
    progress(Progress("marginal"))
    marginals = prepared.marginals
    if not prepared.thresholds:
        warn(prepared.determined)

    progress(Progress("clustering", tests=n * (n - 1) // 2))
    clusters = clusters or _tree(prepared)
    clock.lap("clustering")

    learned = backtrack(
        clusters,
        _bound_baseline(prepared),
        prepared.binding.ci,
        marginals,
        constraints=prepared.constraints,
        refine=settings.refine,
        inner_order=settings.inner_order,
        n_jobs=options.n_jobs,
        progress=progress,
        checkpoint=options.checkpoint,
    )
    if prepared.constraints is not None:
        skeleton = prepared.constraints.admitted(learned.skeleton, np.abs(marginals.association))
        learned = replace(learned, skeleton=skeleton)
    clock.lap("learning")
    return Found(prepared, clusters, learned)


def _bound_baseline(prepared: Prepared) -> Baseline:
    """Return the baseline of a run; one that goes by resamples gets tests on these, if there are rows and a score."""
    baseline, ci = prepared.settings.baseline, prepared.binding.ci
    again, units = prepared.binding.reweighted, prepared.units
    if not isinstance(baseline, BRAI) or again is None or units is None or ci.score_name is None or ci.has_gaps:
        return baseline
    tests = [again(drawn(prepared.seed, k, *units, again=False)) for k in range(baseline.n_resamples)]
    return baseline.with_tests(tests, prepared.seed)


def warn(findings: Iterable[Finding]) -> None:
    """Give what was found about the data as warnings, at the caller's line; that rows were streamed is none."""
    for finding in findings:
        if finding.kind is FindingKind.STREAMED:
            continue
        warnings.warn(finding.sentence, DataWarning, stacklevel=_callers_level())


def _callers_level() -> int:
    """Return the stack level of the first frame outside this package: the line that a warning should point at."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("hccd."):
        level, frame = level + 1, frame.f_back
    return level


def _tree(prepared: Prepared) -> ClusterTree:
    """Return the clusters in canonical numbers: the caller's, or grown from the strengths."""
    options, binding, splitter, marginals = (
        prepared.options, prepared.binding, prepared.settings.splitter, prepared.marginals,
    )  # fmt: skip
    if options.tree is not None:
        return _own_tree(options.tree, binding.names).relabelled(np.argsort(binding.columns))
    if splitter is None:
        return ClusterTree.single(len(binding.columns))
    return grow_tree(
        marginals.association,
        splitter,
        bias=marginals.bias,
        independent=marginals.independent,
        seed=prepared.seed,
        n_jobs=options.n_jobs,
        signed=True,
    )


def _own_tree(given: ClusterTree | Sequence[Any], names: Sequence[str]) -> ClusterTree:
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
