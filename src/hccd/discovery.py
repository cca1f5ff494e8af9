"""The whole method on one page: learn the skeleton, judge its triples, orient, let a score search on, translate back.

``discover`` is a pure function; ``HCCD`` in estimator.py and the command line are shells around it. ``learn_skeleton``
stops at the first half, which is in skeleton_search.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hccd.clustering import ClusterTree
from hccd.errors import InvalidParameterError
from hccd.graphs import pdag_to_dag
from hccd.independence import BoundCITest
from hccd.orientation import Evidence, Oriented, Triples, follow, judge_triples, orient
from hccd.progress import Progress
from hccd.result import HCCDResult
from hccd.result.skeleton_result import SkeletonResult
from hccd.run.options import Options, SkeletonOptions
from hccd.run.settings import settings_of
from hccd.run.signature import takes
from hccd.run.skeleton import Clock, Found, own_tree, search_skeleton
from hccd.run.threshold import choose_threshold, grid_of
from hccd.scoring import MOST_CANDIDATES, CandidateParents, ScoreSearch, ascend, most_parents
from hccd.tables import Table, as_table
from hccd.wrapper import Learned


@takes(Options)
def discover(data: Any, options: Options) -> HCCDResult:
    """Learn a causal graph.

    Parameters
    ----------
    data : table or BoundCITest
        A numpy array, a pandas, polars or Arrow table (rows are observations, columns are variables), or a test that
        is bound already (an oracle, a correlation matrix).
    **options
        The fields of `hccd.run.options.Options`.

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
    return _discovered(data, options)


@takes(SkeletonOptions)
def learn_skeleton(data: Any, options: SkeletonOptions) -> SkeletonResult:
    """Learn which variables are adjacent, with the set that separates each other pair; leave directions open.

    Parameters
    ----------
    data : table or BoundCITest
        As for :func:`hccd.discover`.
    **options
        The fields of `hccd.run.options.SkeletonOptions`.

    Returns
    -------
    SkeletonResult

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
    clock = Clock()
    data, tested, chosen = _with_threshold(data, Options(**vars(options), scoring="none"), clock)
    found = search_skeleton(data, tested, clock)
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
    settings = settings_of(options)
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
