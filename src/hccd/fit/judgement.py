"""The look at a learned graph, as a run takes it: how it fits, and what speaks against its families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hccd.fit.bends import Bends
from hccd.fit.likelihood import Likelihoods, of_numbers, of_tables
from hccd.fit.numbers import Numbers, numbers_of
from hccd.fit.regressions import Floats, Ints, parents_of
from hccd.fit.remaining import answers_quickly, q_values, remaining_pairs
from hccd.fit.residuals import Families, Shown
from hccd.fit.spread import Spread
from hccd.graphs import PDAG, pdag_to_dag
from hccd.independence.tables import BoundTableTest
from hccd.result.fit import LISTED_BELOW, Fit, Remaining
from hccd.run.binding import Binding
from hccd.run.prepared import Prepared
from hccd.tables import Finding, FindingKind
from hccd.wording import counted, listed, quoted

#: Transforms that keep the order of values alone.
RANKED = ("normal-scores", "ranks")
#: A graph that leaves more than so many pairs unexplained is wrong all over.
MOST_LISTED = 1000


@dataclass(frozen=True, eq=False)
class Judged:
    """How a graph fits, None if that cannot be told; and findings. Variables have the caller's numbers."""

    fit: Fit | None
    findings: tuple[Finding, ...] = ()


def judge(prepared: Prepared, graph: PDAG, n_tests: int) -> Judged:
    """Look at a graph in canonical numbers; ``n_tests`` were made to learn it."""
    binding = prepared.binding
    if not answers_quickly(binding.ci):
        return Judged(None)
    dag = pdag_to_dag(graph)
    parents, order = parents_of(dag), dag.topological_order()
    assert order is not None
    numbers = numbers_of(prepared.table, binding)
    pairs, p_value, n_pairs = remaining_pairs(binding.ci, prepared.marginals, dag, parents, order, n_tests)
    likelihood = _likelihood(binding, numbers, parents, order)
    learned, empty, full = (None, None, None) if likelihood is None else likelihood
    fit = Fit(learned, empty, full, len(pairs), _remaining(binding, pairs, p_value, n_pairs))
    findings = [] if numbers is None else _about_families(binding, numbers, parents)
    return Judged(fit, tuple(findings))


def _likelihood(
    binding: Binding, numbers: Numbers | None, parents: Sequence[Ints], order: Sequence[int]
) -> Likelihoods | None:
    if numbers is not None:
        return of_numbers(numbers, parents, order)
    if isinstance(binding.ci, BoundTableTest) and not binding.ci.has_gaps:
        codes, states = binding.ci.data.repeated()
        return of_tables(codes, states.astype(np.int64), parents, order)
    return None


def _remaining(binding: Binding, pairs: Ints, p_value: Floats, n_pairs: int) -> tuple[Remaining, ...]:
    """Return the pairs that are listed, in the caller's numbers, smallest p-values first."""
    q = q_values(p_value, n_pairs)
    own = np.sort(binding.columns[pairs], axis=1)
    rows = np.argsort(p_value, kind="stable")
    rows = rows[q[rows] < LISTED_BELOW][:MOST_LISTED]
    return tuple(
        Remaining(int(x), int(y), float(p_value[row]), float(q[row]))
        for row, (x, y) in zip(rows.tolist(), own[rows].tolist(), strict=True)
    )


def _about_families(binding: Binding, numbers: Numbers, parents: Sequence[Ints]) -> list[Finding]:
    """Say where residuals do not look as the test and the score take them to."""
    if numbers.curves or (binding.suited is not None and binding.suited.transform in RANKED):
        # What a curve leaves is even in the true direction alone, and which that is nobody knows; and ranks make curves
        # of lines.
        return []
    families = Families(numbers, parents)
    bent = families.that_show(Bends())
    # What a line leaves of a curve is uneven as well.
    uneven = families.that_show(Spread()).without(bent.edges)
    findings = []
    if len(bent.edges):
        findings.append(
            _finding(
                binding,
                FindingKind.NON_LINEAR,
                bent.edges,
                f"relations are curved ({_some(bent)}: {{}}) but treated as linear: edges nearby may be missing, extra "
                "or wrongly directed, so compare with the transform 'curves'",
            )
        )
    if len(uneven.edges):
        findings.append(
            _finding(
                binding,
                FindingKind.UNEVEN,
                uneven.edges,
                f"the noise is heteroscedastic ({_some(uneven)}: {{}}), which p-values and the score ignore: there may "
                "be extra edges nearby, so compare with the transforms 'log' and 'normal-scores'",
            )
        )
    return findings


def _some(found: Shown) -> str:
    """Say how many edges there are, of how many."""
    return f"{len(found.edges):,} of {counted(found.asked, 'edge')} checked"


def _finding(binding: Binding, kind: FindingKind, edges: Ints, sentence: str) -> Finding:
    """Name some of the edges, the surest first."""
    own = binding.columns[edges]
    named = [f"{quoted(binding.names[x])} with {quoted(binding.names[y])}" for x, y in own.tolist()]
    return Finding(kind, tuple(sorted({int(v) for v in own.ravel()})), sentence.format(listed(named, 3)))
