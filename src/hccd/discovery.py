"""The whole method on one page: learn the skeleton, judge its triples, orient, let a score search on, translate back.

``discover`` is a pure function; ``HCCD`` in estimator.py and the command line are shells around it. ``learn_skeleton``
stops at the first half, which is in run/skeleton.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hccd._kernels.scores.families import Families
from hccd.ancestral import OrientedPAG
from hccd.clustering import ClusterTree
from hccd.confidence import Kept, confidence_of, resamples_for
from hccd.errors import InvalidParameterError
from hccd.fit import Judged, at_strictness, choose, judge
from hccd.graphs import PDAG, AnyGraph, Skeleton, pdag_to_dag
from hccd.graphs.constraints import Constraints
from hccd.orientation import Oriented, Triples, follow, orient
from hccd.orientation.lingam import directed_further
from hccd.preflight.check import table_told
from hccd.preflight.quick import expected_phases
from hccd.progress import Progress
from hccd.result import HCCDResult
from hccd.result.confidence import Confidence
from hccd.result.skeleton_result import SkeletonResult
from hccd.run.clock import Clock
from hccd.run.conducted import conducted
from hccd.run.hidden import Hidden, allowing_for_hidden
from hccd.run.judged import judged_triples
from hccd.run.options import Options, SkeletonOptions
from hccd.run.prepared import Prepared, prepare
from hccd.run.score import search_by_score
from hccd.run.signature import takes
from hccd.run.skeleton import Found, search_skeleton, warn
from hccd.run.strictness import left_to_the_data
from hccd.run.threshold import choose_threshold
from hccd.scoring import BestDag, CandidateParents, ScoreSearch, candidates_for, most_parents, search_nearby
from hccd.wrapper import TestCounts


@takes(Options)
def discover(data: Any, options: Options) -> HCCDResult:
    """Learn a causal graph from a table of observations.

    An arrow ``A -> B`` in the result means that A is a cause of B, if no common cause is missing from the table, there
    is no feedback, rows are independent and not selected, and the independences in the data are those of the graph.

    Parameters
    ----------
    data : table, path, Stream or BoundCITest
        A numpy array, a pandas, polars or Arrow table (rows are observations, columns are variables), the name of a
        file or a folder, what :func:`hccd.stream` takes or returns, or a test that is bound already (an oracle, a
        correlation matrix).
    **options
        The fields of `hccd.run.options.Options`.

    Returns
    -------
    HCCDResult
        The graph, with the evidence for each edge and its probability.

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
    with conducted(options) as run:
        prepared = prepare(data, run.options)
        run.followers.expect(lambda: expected_phases(prepared))
        return run.over(learn_graph(prepared))


@takes(SkeletonOptions)
def learn_skeleton(data: Any, options: SkeletonOptions) -> SkeletonResult:
    """Learn the skeleton: which variables are adjacent, and which set separates each other pair.

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
    if "score" in (options.method, options.baseline):
        raise InvalidParameterError("learn_skeleton needs conditional tests, but 'score' makes none: use discover")
    with conducted(options) as run:
        return run.over(_skeleton_of(prepare(data, Options(**vars(run.options), scoring="none", bootstrap="none"))))


def _skeleton_of(prepared: Prepared) -> SkeletonResult:
    """Learn a skeleton of data that are ready."""
    if prepared.settings.pag is not None:
        raise InvalidParameterError(
            f"baseline {prepared.settings.named!r} removes edges during its orientation, so it has no skeleton before "
            "that: use discover(...).skeleton"
        )
    if prepared.thresholds:
        tested, chosen = _with_threshold(prepared)
        found = tested.found
    else:
        warn(prepared.binding.findings)
        prepared, chosen = _with_strictness(prepared)
        found = search_skeleton(prepared)
    skeleton = found.learned.skeleton.relabelled(found.binding.columns)
    return SkeletonResult(
        names=found.binding.names,
        skeleton=skeleton,
        tree=found.translated_tree(),
        removals=found.translated_removals(),
        marginal=found.translated_marginal(),
        strength=found.strength_of(skeleton.edges),
        tests=found.learned.tests,
        seconds=prepared.clock.seconds(),
        parameters=found.parameters() | chosen,
        findings=found.prepared.findings,
    )


def learn_graph(prepared: Prepared) -> HCCDResult:
    """Learn a causal graph of data that are ready: the second half of ``discover``."""
    clock, settings = prepared.clock, prepared.settings
    # What a caller has done since the data were ready is not a part of the run.
    clock.rest()
    if prepared.thresholds:
        tested, chosen = _with_threshold(prepared)
    else:
        warn(prepared.binding.findings)
        prepared, chosen = _with_strictness(prepared)
        tested = _tested(prepared)
    if settings.pag is not None:
        hidden = allowing_for_hidden(tested.found, tested.triples, tested.tests)
        clock.lap("orientation")
        return _result(hidden, hidden.oriented, clock, chosen)
    scored = _scored(tested)
    found = tested.found
    if scored.record is not None:
        clock.lap("score")
    oriented = scored.oriented
    if prepared.non_normal is not None:
        oriented = directed_further(oriented, prepared.non_normal)
        clock.lap("undirected")
    judged = judge(found.prepared, oriented.graph, tested.tests.total)
    warn(judged.findings)
    clock.lap("fit")
    resamples, confidence = resamples_for(found.prepared, tested.tests, scored.dag), None
    if resamples:
        kept = Kept(found.prepared, found.clusters, scored.dag)
        confidence = confidence_of(found.prepared, resamples, scored.oriented.graph, _Again.after(tested, scored), kept)
        clock.lap("bootstrap")
    return _result(tested, oriented, clock, chosen, scored.record, judged, resamples, confidence)


def _result(
    tested: Tested | Hidden,
    oriented: Oriented | OrientedPAG,
    clock: Clock,
    chosen: dict[str, Any],
    score: ScoreSearch | None = None,
    judged: Judged | None = None,
    resamples: int = 0,
    confidence: Confidence | None = None,
) -> HCCDResult:
    """Translate what was found to the caller's numbers; ``chosen`` is what the data were left to choose."""
    judged = judged or Judged(None)
    found = tested.found
    options, settings, columns = found.prepared.options, found.prepared.settings, found.binding.columns
    graph = oriented.graph.relabelled(columns)
    return HCCDResult(
        names=found.binding.names,
        graph=graph,
        tree=found.translated_tree(),
        removals=found.translated_removals(),
        marginal=found.translated_marginal(),
        colliders=tested.triples.taken(oriented.followed).relabelled(columns),
        conflicts=oriented.conflicts.relabelled(columns),
        reasons=oriented.reasons.relabelled(columns),
        strength=found.strength_of(graph.skeleton().edges),
        tests=tested.tests,
        seconds=clock.seconds(),
        parameters={
            **found.parameters(),
            **chosen,
            "colliders": settings.colliders,
            "collider_order": settings.collider_order,
            "conflicts": settings.conflicts,
            **({} if found.prepared.non_normal is None else {"undirected": settings.undirected}),
            "scoring": "none" if score is None else score.name,
            **({} if score is None or options.price is None else {"price": score.price}),
            **({} if settings.pag != "fci" else {"dsep_order": settings.dsep_order}),
            **({} if settings.dsep_length is None else {"dsep_length": settings.dsep_length}),
            "bootstrap": resamples,
            **({"table": told} if (told := table_told(found.prepared)) else {}),
        },
        findings=(*found.prepared.findings, *judged.findings),
        score=score,
        fit=judged.fit,
        confidence=confidence,
        data_digest="" if found.prepared.table is None else found.prepared.table.digest,
        table=found.prepared.table,
    )


@dataclass(frozen=True, eq=False)
class _Again:
    """Learns the graphs of resamples, with what is known of all rows: the clusters, or where the score led to.

    The score goes on from the DAG of all rows, and nothing is tested: rows that are there several times make tests see
    dependence where there is none, and the graph is none the better for a start from there (docs/ACCURACY.md).
    """

    clusters: ClusterTree
    triples: Triples
    dag: PDAG | None = None
    candidates: CandidateParents | None = None

    @classmethod
    def after(cls, tested: Tested, scored: Scored) -> _Again:
        """Take what a run has found, and no more: workers elsewhere are sent it."""
        if scored.record is None or scored.dag is None or scored.families is None:
            return cls(tested.clusters, tested.triples)
        found, price = tested.found, scored.record.price
        candidates = candidates_for(
            scored.families, found.marginals, scored.dag, tested.score_constraints, price, tested.score_within
        )
        return cls(tested.clusters, tested.triples, scored.dag, candidates)

    def __call__(self, prepared: Prepared) -> PDAG:
        dag, constraints = self.dag, prepared.constraints
        if dag is None or self.candidates is None:
            return _tested(prepared, self.clusters).graph
        families = prepared.binding.ci.completed(dag).families(most_parents(dag, constraints))
        return follow(search_nearby(families, self.candidates, dag), self.triples, constraints).graph


@dataclass(frozen=True, eq=False)
class Tested:
    """What the tests say, in canonical numbers: the skeleton, its judged triples, and the graph they give."""

    found: Found
    triples: Triples
    oriented: Oriented
    tests: TestCounts

    @property
    def clusters(self) -> ClusterTree:
        """The clusters that were used."""
        return self.found.clusters

    @property
    def score_within(self) -> Skeleton | None:
        """The edges that a search by a score has to keep to; None: any."""
        return self.graph.skeleton() if self.found.prepared.settings.score_within_skeleton else None

    @property
    def score_constraints(self) -> Constraints | None:
        """What a search by a score is held to: what is known, and that."""
        known, within = self.found.prepared.constraints, self.score_within
        return known if within is None else (known or Constraints.none(within.n)).within(within)

    @property
    def graph(self) -> PDAG:
        """The graph that the tests give."""
        return self.oriented.graph


def _tested(prepared: Prepared, clusters: ClusterTree | None = None) -> Tested:
    """Learn the graph of the tests."""
    found = search_skeleton(prepared, clusters)
    settings, learned, progress = prepared.settings, found.learned, prepared.progress
    if settings.score_alone:
        # Which pairs depend on each other without condition is what the tests say; the score begins with what is known.
        dependent = PDAG.from_edges(learned.skeleton.n, (), learned.skeleton.edges)
        return Tested(found, Triples.of(()), replace(_known(prepared), graph=dependent), learned.tests)
    progress(Progress("orientation", tests=learned.tests.total))
    triples, tests = judged_triples(found)
    oriented = orient(learned.skeleton, triples, settings.conflicts, prepared.constraints)
    prepared.clock.lap("orientation")
    return Tested(found, triples, oriented, tests)


def _with_threshold(prepared: Prepared) -> tuple[Tested, dict[str, Any]]:
    """Choose the threshold by the data; return what the tests say with it, and what to record."""
    best, choice = choose_threshold(prepared, _tested)
    prepared.clock.take(best.found.prepared.clock.seconds(), "threshold_choice")
    warn(best.found.prepared.findings)
    return best, {"threshold_choice": choice.describe()}


def _with_strictness(prepared: Prepared) -> tuple[Prepared, dict[str, Any]]:
    """Let the data choose what is left to them, if anything is; return the data with it, and what to record."""
    name = left_to_the_data(prepared.options)
    if name is None:
        return prepared, {}
    choice = choose(prepared, name, graph_at)
    prepared.clock.lap(f"{name}_choice")
    return at_strictness(prepared, **{name: choice.chosen}), {f"{name}_choice": choice.describe()}


def graph_at(prepared: Prepared) -> tuple[PDAG, float | None]:
    """Learn a graph in canonical numbers; return the price of its edges as well, if a score followed."""
    scored = searched(prepared)
    return scored.oriented.graph, None if scored.record is None else scored.record.price


def searched(prepared: Prepared) -> Scored:
    """Make the tests and the search by the score, if there is one; nothing is judged or resampled."""
    return _scored(_tested(prepared))


def last_graph_at(prepared: Prepared) -> tuple[AnyGraph, float | None]:
    """Do the same up to the last stage, which may allow for hidden variables."""
    if prepared.settings.pag is None:
        return graph_at(prepared)
    tested = _tested(prepared)
    return allowing_for_hidden(tested.found, tested.triples, tested.tests).oriented.graph, None


@dataclass(frozen=True, eq=False)
class Scored:
    """The graph after the score, if there is one: the record of its search, the DAG it found, and the score itself."""

    oriented: Oriented
    record: ScoreSearch | None = None
    dag: PDAG | None = None
    families: Families | None = None


def _scored(tested: Tested) -> Scored:
    """Search on from the tests' graph by the score, if there is to be one; all in canonical numbers but the record."""
    found, prepared = tested.found, tested.found.prepared
    name = prepared.score
    if name is None:
        return Scored(tested.oriented)
    searched = search_by_score(found, _start(tested), tested.score_constraints, tested.score_within)
    best = searched.best
    record = ScoreSearch(
        name=name,
        price=searched.price,
        candidates=searched.pairs,
        evaluations=searched.evaluations,
        before=best.before,
        after=best.after,
        start=_begun(found, best),
        tested=tested.graph.relabelled(found.binding.columns),
    )
    return Scored(follow(best.dag, tested.triples, prepared.constraints), record, best.dag, searched.families)


def _start(tested: Tested) -> PDAG:
    """Return the DAG from which the score searches: of the tests' class, or with nothing but what is known."""
    prepared, constraints = tested.found.prepared, tested.score_constraints
    graph = _known(prepared).graph if prepared.settings.score_alone else tested.graph
    return pdag_to_dag(graph if constraints is None else constraints.with_arrows_to_copies(graph))


def _known(prepared: Prepared) -> Oriented:
    """Return a graph of nothing but the edges that must be."""
    n, constraints = prepared.binding.ci.n_variables, prepared.constraints
    edges = np.zeros((0, 2)) if constraints is None else np.argwhere(np.triu(constraints.adjacent))
    return orient(Skeleton(n, edges.astype(np.int32)), (), prepared.settings.conflicts, constraints)


def _begun(found: Found, best: BestDag) -> str:
    """Say where the search of a score began that ended highest."""
    if found.prepared.settings.score_alone:
        return "alone" if found.clusters.depth == 0 else "clusters"
    return "tests" if best.from_learned else "empty"
