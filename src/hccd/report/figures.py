"""The run in figures and plain sentences: what was learned, at what cost, what the clusters did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hccd.choices import BASELINES
from hccd.graphs import PAG
from hccd.graphs.typed import types_told
from hccd.independence.transforms import SAID
from hccd.result.fit import LISTED_BELOW
from hccd.tables.findings import DEPENDENT_ROWS
from hccd.wording import STAGES, TEST_NAMES, counted, listed, quoted

if TYPE_CHECKING:
    from hccd.result import HCCDResult

_TESTS = TEST_NAMES | {"fisher-z": "Fisher's z test", "oracle": "oracle (d-separation in a known graph)"}
_SCORES = {"bic": "BIC", "bd": "Bayesian Dirichlet score"}


def test_name(result: HCCDResult) -> str:
    """Say which test was used, and with what limit."""
    test = result.parameters.get("test")
    if not isinstance(test, dict):
        return ""
    name = str(test.get("name", ""))
    limits = [f"alpha {test['alpha']}"] if "alpha" in test else []
    limits += [f"threshold {test['threshold']} nats"] if "threshold" in test else []
    done = SAID.get(result.parameters.get("transform", "none"), "")
    return ", ".join([_TESTS.get(name, f"test {name!r}"), *limits, *([done] if done else [])])


def headline(result: HCCDResult) -> list[list[str]]:
    """Return the essentials as (figure, what it counts, a note)."""
    edges = result.skeleton.n_edges
    linked = np.count_nonzero(result.skeleton.adjacency.any(axis=1))
    alone = len(result.names) - linked
    rows = result.parameters.get("n_samples")
    figures = [
        [f"{len(result.names):,}", _noun(len(result.names), "variable"), f"{alone:,} without an edge" if alone else ""],
        [f"{edges:,}", _noun(edges, "edge"), types_told(result.graph)],
    ]
    if isinstance(rows, int):
        figures.append([f"{rows:,}", _noun(rows, "row"), ""])
    leaves = _sizes(result)
    if len(leaves) > 1:
        figures.append([f"{len(leaves):,}", "clusters", f"of {min(leaves):,} to {max(leaves):,} variables"])
    total = result.tests.total
    figures.append([f"{total:,}", _noun(total, "test"), test_name(result)])
    if result.score is not None and result.score.without_tests:
        scored = result.score.evaluations
        figures.append(
            [f"{scored:,}", "family scored" if scored == 1 else "families scored", _SCORES[result.score.name]]
        )
    elif result.score is not None:
        changes = result.score.changes(result.pdag())
        figures.append([f"{sum(changes):,}", f"{_noun(sum(changes), 'change')} by the score", str(changes)])
    return figures


def clustering_story(result: HCCDResult) -> list[str]:
    """Say in plain sentences what the clusters were and how the tests were spent."""
    leaves, total = _sizes(result), result.tests.total
    if not total:
        return ["No test was made: this graph is known, not learned."]
    without_tests = result.score is not None and result.score.without_tests
    if len(leaves) == 1:
        if without_tests:
            return [*_score_story(result), *_knowledge_story(result)]
        return [
            f"There are no clusters: {baseline_name(result)} ran over all variables.",
            f"It made {counted(total, 'test')}.",
            *_pag_story(result),
            *_knowledge_story(result),
        ]
    n = len(result.names)
    by_stage = {stage: sum(counts) for stage, counts in result.tests.by_stage.items()}
    pairs_inside = sum(size * (size - 1) // 2 for size in leaves)
    story = [
        f"The {n:,} variables were divided into {len(leaves):,} clusters of {min(leaves):,} to {max(leaves):,} "
        f"variables, in {counted(result.tree.depth, 'step')}; only {_share(pairs_inside, n * (n - 1) // 2)} of all "
        "pairs lie inside a cluster, and each cluster was learned without the others.",
        "Then the clusters were merged step by step, to find the edges between them. The completeness pass tested "
        "the remaining edges again, with conditioning sets that may span clusters.",
    ]
    if without_tests:
        return [*story, *_score_story(result), *_knowledge_story(result)]
    return [
        *story,
        f"Of {counted(total, 'test')}, {_share(by_stage.get('leaf', 0), total)} were made inside clusters, "
        f"{_share(by_stage.get('between', 0), total)} between them, {_share(by_stage.get('refine', 0), total)} in the "
        f"completeness pass and {_share(by_stage.get('colliders', 0), total)} for the orientation.",
        *_pag_story(result),
        *_knowledge_story(result),
        *_score_story(result),
        f"To compare with plain {baseline_name(result)}, which makes no clusters, learn again with --method pc "
        '(method="pc").',
    ]


#: What there is where causes may be hidden: nothing in a plain run tells whether they are (docs/CHECKS.md).
HIDDEN_CAUSES = '--baseline fci (baseline="fci") allows for common causes that are not in the table'


def baseline_name(result: HCCDResult) -> str:
    """Return what the algorithm inside of the wrapper is called; names that all users know in capitals."""
    described = result.parameters.get("baseline")
    name = str(described.get("name", "pc")) if isinstance(described, dict) else "pc"
    return name.upper() if name.lower() in BASELINES else name


def _pag_story(result: HCCDResult) -> list[str]:
    """Say how to read the graph of a run that allows for hidden causes, or that this one did not."""
    if not isinstance(result.graph, PAG):
        return [f"Hidden causes were not looked for: {HIDDEN_CAUSES}."]
    return [
        f"{baseline_name(result)} allows for hidden causes and for selected rows. An arrowhead means that the variable "
        "there is not a cause of the other one, a tail (plain end) that it is one, and a circle that the data leave it "
        "open. Two arrowheads mean a hidden common cause."
    ]


def _knowledge_story(result: HCCDResult) -> list[str]:
    """Say what knowledge of the user's own decided."""
    if "knowledge" not in result.parameters:
        return []
    return [f"Background knowledge: {knowledge_settled(result)}."]


def knowledge_settled(result: HCCDResult) -> str:
    """Say what knowledge decided before any test, and how many arrows are there because of it."""
    pairs = result.parameters.get("settled_pairs", {})
    arrows = sum(reason == "knowledge" for reason in result.reasons.values())
    directed = f"{counted(arrows, 'arrow')} by knowledge"
    if not any(pairs.values()):
        return directed
    spared = result.parameters.get("pairs_spared")
    saved = f" (which saved the conditional tests of {counted(spared, 'dependent pair')})" if spared else ""
    return (
        f"{counted(pairs.get('absent', 0), 'pair')} without an edge and {pairs.get('present', 0):,} with one were not "
        f"tested{saved}; {directed}"
    )


def _score_story(result: HCCDResult) -> list[str]:
    """Say what a score did, after the tests or instead of them."""
    if result.score is None:
        return []
    if result.score.without_tests:
        return [
            f"A score search ({_SCORES[result.score.name]}) learned the graph, starting without edges. It scored "
            f"{counted(result.score.evaluations, 'family', 'families')}, each a variable with a set of parents. The "
            f"only tests were unconditional ones of {counted(result.tests.total, 'pair')}, for the strengths of edges."
        ]
    return [
        f"A score search ({_SCORES[result.score.name]}) started from the graph of the tests: "
        f"{result.score.changes(result.pdag())}. Learn with --scoring none for the graph of the tests alone."
    ]


def fit_story(result: HCCDResult) -> list[str]:
    """Say in plain sentences how the graph fits the data."""
    fit = result.fit
    if fit is None:
        return []
    story = []
    if fit.learned is not None and fit.empty is not None:
        full = "" if fit.full is None else f", and {fit.full:,.2f} with all edges"
        story.append(
            f"Log-likelihood of held-out rows, in nats per row: {fit.learned:,.2f} with the edges of the graph, "
            f"{fit.empty:,.2f} without edges{full}. Parameters were estimated from the other rows, edges from all "
            f"rows. {_verdict(fit.learned, fit.empty, fit.full)}"
        )
    if fit.remaining:
        named = [f"{quoted(result.names[x])} with {quoted(result.names[y])}" for x, y, *_ in fit.remaining]
        story.append(
            f"{counted(len(fit.remaining), 'pair')} without an edge "
            f"{'is' if len(named) == 1 else 'are'} still dependent given the parents of one variable of the pair "
            f"(q-value below {LISTED_BELOW}): {listed(named, 10)}. Edges may be missing there, or there is a hidden "
            "cause."
        )
    elif fit.pairs:
        story.append(
            f"{counted(fit.pairs, 'pair')} without an edge {'was' if fit.pairs == 1 else 'were'} tested given the "
            f"parents of one variable: none is still dependent (all q-values are at least {LISTED_BELOW})."
        )
    return story


def fit_line(result: HCCDResult) -> str:
    """Say in one or two short sentences whether the graph fits; nothing where that is not known.

    Rows that depend on each other are predicted by their neighbours, so they do not tell.
    """
    fit = result.fit
    if fit is None or any(finding.kind in DEPENDENT_ROWS for finding in result.findings):
        return ""
    said = []
    if fit.learned is not None and fit.empty is not None:
        said.append(_verdict(fit.learned, fit.empty, fit.full))
    if fit.remaining:
        verb = "is" if len(fit.remaining) == 1 else "are"
        said.append(f"{counted(len(fit.remaining), 'pair')} without an edge {verb} still dependent.")
    return " ".join(said)


def fit_summary(result: HCCDResult) -> str:
    """Say how the graph fits in a line."""
    fit = result.fit
    if fit is None:
        return ""
    parts = []
    if fit.learned is not None and fit.empty is not None:
        full = "" if fit.full is None else f", {fit.full:,.2f} with all"
        parts.append(f"{fit.learned:,.2f} nats per held-out row ({fit.empty:,.2f} without edges{full})")
    remaining = counted(len(fit.remaining), "pair") if fit.remaining else "no pair"
    return "; ".join([*parts, f"{remaining} without an edge still dependent"])


def _verdict(learned: float, empty: float, full: float | None) -> str:
    """Say what the likelihoods mean."""
    if learned <= empty:
        return "The edges do not help to predict new rows: do not rely on them."
    if full is not None and full > learned:
        return "A graph with all edges predicts new rows better: this graph misses something."
    others = "one without edges" if full is None else "one without edges and one with all edges"
    return f"The graph predicts new rows better than {others}."


def test_counts(result: HCCDResult) -> dict[str, Any]:
    """Return the tests by stage and order."""
    return {
        "total": result.tests.total,
        "by_order": list(result.tests.by_order),
        "by_stage": [
            {"stage": STAGES.get(stage, stage), "tests": list(counts)}
            for stage, counts in result.tests.by_stage.items()
        ],
    }


def _sizes(result: HCCDResult) -> list[int]:
    layout = result.tree.layout()
    return [int(size) for size in (layout.stop - layout.start)[layout.height == 0].tolist()]


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _share(part: int, whole: int) -> str:
    """Write a part as a percentage that never hides that there is something."""
    if not whole or not part:
        return "none"
    percent = 100.0 * part / whole
    return "less than 1%" if percent < 1.0 else f"{percent:.0f}%"
