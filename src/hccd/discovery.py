"""The whole method on one page: learn the skeleton, judge its triples, orient, let a score search on, translate back.

``discover`` is a pure function; ``HCCD`` in estimator.py and the command line are shells around it. ``learn_skeleton``
stops at the first half, which is in skeleton_search.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hccd.baselines import Baseline
from hccd.clustering import ClusterTree, SpectralSplitter
from hccd.errors import InvalidParameterError
from hccd.graphs import pdag_to_dag
from hccd.independence import BoundCITest, CITest
from hccd.orientation import ColliderRule, ConflictPolicy, Evidence, Oriented, Triples, follow, judge_triples, orient
from hccd.progress import Progress, ProgressFunction
from hccd.result import HCCDResult
from hccd.result.skeleton_result import SkeletonResult
from hccd.run.options import Options
from hccd.run.settings import Scoring
from hccd.run.skeleton import Clock, Found, own_tree, search_skeleton
from hccd.run.threshold import choose_threshold, grid_of
from hccd.scoring import MOST_CANDIDATES, CandidateParents, ScoreSearch, ascend, most_parents
from hccd.tables import Table, as_table
from hccd.wrapper import Checkpoint, Learned, Refine


def discover(
    data: Any,
    *,
    test: str | CITest | Callable[..., Any] = "auto",
    alpha: float | None = None,
    threshold: float | Sequence[float] | None = None,
    discrete: Iterable[object] | str = (),
    continuous: Iterable[object] | str = (),
    method: str = "hccd",
    preset: str = "default",
    tree: ClusterTree | Sequence[Any] | None = None,
    splitter: SpectralSplitter | None = None,
    baseline: Baseline | None = None,
    refine: Refine | None = None,
    inner_order: int | None = -1,
    colliders: ColliderRule | None = None,
    conflicts: ConflictPolicy | None = None,
    scoring: Scoring | None = None,
    names: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: ProgressFunction | None = None,
    checkpoint: Checkpoint | None = None,
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
    alpha : float, optional
        Significance level; None for the test's own default.
    threshold : float or sequence of float, optional
        For ``"mi"``: information in nats up to which variables count as independent. Of a list the one is taken whose
        graph has the highest BDeu on the data. None for 0.015; for the preset ``"paper"`` a list of its own.
    discrete, continuous : columns
        Columns to take as such for ``test="auto"``, whatever they look like: names, ranges ``"first:last"``, positions.
    method : {"hccd", "pc", "flat", "tscb", "not-c"}
        Which column of the paper's tables; see ``hccd.run.settings``.
    preset : {"default", "paper"}
        What measures best, or what the authors did.
    tree : ClusterTree or nested lists, optional
        Clusters to use instead of growing them, such as ``[["A", "B"], ["C", ["D", "E"]]]``.
    splitter, baseline, refine, inner_order, colliders, conflicts : optional
        Single choices that replace those of method and preset; ``inner_order`` -1 keeps the preset's.
    scoring : {"auto", "none", "bic", "bd"}, optional
        What searches on from the graph that the tests leave: ``bic`` for continuous data, ``bd`` (Bayesian Dirichlet)
        for discrete data, ``auto`` the one that fits, ``none`` for the tests alone, which are what the paper's theorems
        are about. By default ``auto`` for the method ``"hccd"`` of the preset ``"default"``, and ``none`` for all
        others. ``result.score`` says what it did, and has the graph of the tests.
    names : sequence of str, optional
        Names of the variables, where ``data`` has none.
    seed : int
        For k-means, which a division into more than two clusters uses.
    n_jobs : int, optional
        Number of workers, as in joblib; the result does not depend on it.
    progress : callable, optional
        Called with a ``Progress`` event at every step.
    checkpoint : Checkpoint, optional
        Where the state of the search is left now and then, such as ``hccd.CheckpointFolder("folder")``; a run on the
        same data with the same settings goes on from there.

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
    options = Options(
        test=test, alpha=alpha, threshold=threshold, discrete=discrete, continuous=continuous, method=method,
        preset=preset, tree=tree, splitter=splitter, baseline=baseline, refine=refine, inner_order=inner_order,
        colliders=colliders, conflicts=conflicts, scoring=scoring,
        names=names, seed=seed, n_jobs=n_jobs, progress=progress, checkpoint=checkpoint,
    )  # fmt: skip
    return _discovered(data, options)


def learn_skeleton(
    data: Any,
    *,
    test: str | CITest | Callable[..., Any] = "auto",
    alpha: float | None = None,
    threshold: float | Sequence[float] | None = None,
    discrete: Iterable[object] | str = (),
    continuous: Iterable[object] | str = (),
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
    options = Options(
        test=test, alpha=alpha, threshold=threshold, discrete=discrete, continuous=continuous, method=method,
        preset=preset, tree=tree, splitter=splitter, baseline=baseline, refine=refine, inner_order=inner_order,
        colliders=None, conflicts=None, scoring="none", names=names,
        seed=seed, n_jobs=n_jobs, progress=progress, checkpoint=checkpoint,
    )  # fmt: skip
    clock = Clock()
    data, options, chosen = _with_threshold(data, options, clock)
    found = search_skeleton(data, options, clock)
    skeleton = found.learned.skeleton.relabelled(found.binding.order)
    return SkeletonResult(
        names=found.binding.names,
        skeleton=skeleton,
        tree=found.translated_tree(),
        removals=found.translated_removals(),
        marginal=found.translated_marginal(),
        strength=found.strength_of(skeleton.edges),
        tests=found.learned.tests,
        seconds=clock.seconds(),
        parameters=found.parameters | chosen,
        warnings=found.binding.warnings,
    )


def _discovered(data: Any, options: Options) -> HCCDResult:
    """Do what ``discover`` says."""
    clock = Clock()
    data, options, chosen = _with_threshold(data, options, clock)
    found = search_skeleton(data, options, clock)
    settings, learned, order = found.settings, found.learned, found.binding.order

    found.report(Progress("orientation", tests=learned.tests.total))
    triples, collider_tests = judge_triples(
        learned.skeleton,
        _evidence(learned, found.clusters, settings.baseline.exhaustive),
        found.marginals,
        found.binding.ci,
        settings.colliders,
        settings.collider_order,
        settings.baseline.ordering == "strength",
    )
    oriented = orient(learned.skeleton, triples, settings.conflicts)
    clock.lap("orientation")
    oriented, score = _scored(found, oriented, triples)
    if score is not None:
        clock.lap("score")

    graph = oriented.graph.relabelled(order)
    return HCCDResult(
        names=found.binding.names,
        graph=graph,
        tree=found.translated_tree(),
        removals=found.translated_removals(),
        marginal=found.translated_marginal(),
        colliders=triples.taken(oriented.followed).relabelled(order),
        conflicts=oriented.conflicts.relabelled(order),
        reasons=oriented.reasons.relabelled(order),
        strength=found.strength_of(graph.skeleton().edges),
        tests=learned.tests.with_stage("colliders", collider_tests),
        seconds=clock.seconds(),
        parameters={
            **found.parameters,
            **chosen,
            "colliders": settings.colliders,
            "collider_order": settings.collider_order,
            "conflicts": settings.conflicts,
            "scoring": "none" if score is None else score.name,
        },
        warnings=found.binding.warnings,
        score=score,
    )


def _scored(found: Found, oriented: Oriented, triples: Triples) -> tuple[Oriented, ScoreSearch | None]:
    """Search on from the tests' graph by the score, if there is to be one; all in canonical numbers but the record."""
    ci, name = found.binding.ci, found.score
    if name is None:
        return oriented, None
    start = pdag_to_dag(oriented.graph)
    families = ci.families(most_parents(start))
    n, tests = ci.n_variables, found.learned.tests.total
    found.report(Progress("score", edges=n, tests=tests))
    candidates = CandidateParents.of(families, found.marginals.independent, start, MOST_CANDIDATES[name])
    ascended = ascend(
        families,
        candidates,
        start,
        lambda done: found.report(Progress("score", edges=n, done=done, tests=tests)),
    )
    record = ScoreSearch(
        name=name,
        price=candidates.price,
        candidates=candidates.rows.n_slots // 2,
        before=ascended.before,
        after=ascended.after,
        start="tests" if ascended.from_learned else "empty",
        tested=oriented.graph.relabelled(found.binding.order),
    )
    return follow(ascended.dag, triples), record


def _with_threshold(data: Any, options: Options, clock: Clock) -> tuple[Any, Options, dict[str, Any]]:
    """Choose the threshold if the settings leave it to the data; return what to go on with, and what to record."""
    data, options = _declared(data, options)
    settings = options.settings()
    grid = grid_of(data, options.test, options.threshold, settings)
    if not grid:
        return data, options, {}
    given = options.tree
    tried = replace(options, test="auto", alpha=None, threshold=None, scoring="none", checkpoint=None)
    table, choice = choose_threshold(
        data,
        options.test,
        options.names,
        grid,
        settings,
        None if given is None else lambda names: own_tree(given, names),
        lambda ci, tree, names: _discovered(ci, replace(tried, tree=tree, names=names)),
    )
    if choice is None:
        return table, options, {}
    clock.lap("threshold_choice")
    return table, replace(options, threshold=choice.threshold), {"threshold_choice": choice.describe()}


def _declared(data: Any, options: Options) -> tuple[Any, Options]:
    """Make a table of the data if columns are declared discrete or continuous, which then is settled."""
    if not options.discrete and not options.continuous:
        return data, options
    if isinstance(data, BoundCITest):
        raise InvalidParameterError("discrete and continuous cannot be set any more: the test is bound already")
    names = None if isinstance(data, Table) else options.names
    table = as_table(data, names, discrete=options.discrete, continuous=options.continuous)
    return table, replace(options, discrete=(), continuous=(), names=None)


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
