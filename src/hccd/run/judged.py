"""Which triples of a learned skeleton are colliders, by the rule of the settings and what the search already knows."""

from __future__ import annotations

import numpy as np

from hccd.baselines import PC
from hccd.orientation import Evidence, Triples, judge_triples, with_dependence, with_excluded
from hccd.run.skeleton import Found
from hccd.wrapper import STAGES, TestCounts


def judged_triples(found: Found) -> tuple[Triples, TestCounts]:
    """Judge the unshielded triples of a skeleton; return them, and all tests made up to here."""
    prepared, learned = found.prepared, found.learned
    settings, constraints, ci = prepared.settings, prepared.constraints, found.binding.ci
    by_strength = settings.baseline.ordering == "strength"
    evidence, tests = _evidence(found), learned.tests
    if constraints is not None:
        evidence, excluded_tests = with_excluded(
            evidence,
            learned.skeleton,
            constraints,
            found.marginals,
            ci,
            settings.baseline.max_order,
            by_strength,
        )
        tests = tests.with_stage("colliders", excluded_tests)
    triples, collider_tests = judge_triples(
        learned.skeleton,
        evidence,
        found.marginals,
        ci,
        settings.colliders,
        settings.collider_order,
        by_strength,
    )
    tests = tests.with_stage("colliders", collider_tests)
    if settings.conflicts == "strongest":
        triples, dependence_tests = with_dependence(triples, ci)
        tests = tests.with_stage("colliders", dependence_tests)
    return triples, tests


def _evidence(found: Found) -> Evidence:
    """Hand the record of the search to the orientation; what was asked is known of exhaustive searches only.

    Of the pass that separated a pair it is known for PC alone, whose order of sets is known.
    """
    learned, layout = found.learned, found.clusters.layout()
    baseline = found.prepared.settings.baseline
    removals = learned.removals
    # Possible-d-sep sets are asked in an order of their own.
    in_order = isinstance(baseline, PC) & (removals.stage < len(STAGES))
    start = layout.start[removals.cluster].astype(np.int32)
    return Evidence(
        removals.separations,
        layout.position.astype(np.int32),
        learned.home_start,
        learned.home_stop,
        learned.home_order if baseline.exhaustive else np.full_like(learned.home_order, -1),
        start,
        np.where(in_order, layout.stop[removals.cluster], start).astype(np.int32),
    )
