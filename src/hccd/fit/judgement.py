"""The look at a learned graph, as a run takes it: how it fits, and what speaks against its families."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hccd.fit.bends import Bends
from hccd.fit.likelihood import Likelihoods, of_numbers, of_tables
from hccd.fit.numbers import Numbers, numbers_of
from hccd.fit.regressions import Ints, parents_of
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
    numbers = numbers_of(prepared.table, binding)
    pairs, p_value, n_pairs = remaining_pairs(binding.ci, prepared.marginals, dag, parents, order, n_tests)
    likelihood = _likelihood(binding, numbers, parents, order)
    fit = Fit(
        *((None, None, None) if likelihood is None else likelihood),
        pairs=len(pairs),
        remaining=_remaining(binding, pairs, p_value, n_pairs),
    )
    return Judged(fit, tuple(() if numbers is None else _about_families(binding, numbers, parents)))


def _likelihood(
    binding: Binding, numbers: Numbers | None, parents: Sequence[Ints], order: Sequence[int]
) -> Likelihoods | None:
    if numbers is not None:
        return of_numbers(numbers, parents, order)
    if isinstance(binding.ci, BoundTableTest) and not binding.ci.has_gaps:
        codes, states = binding.ci.data.repeated()
        return of_tables(codes, states.astype(np.int64), parents, order)
    return None


def _remaining(binding: Binding, pairs: Ints, p_value: np.ndarray, n_pairs: int) -> tuple[Remaining, ...]:
    """Return the pairs that are listed, in the caller's numbers, smallest p-values first."""
    q = q_values(p_value, n_pairs)
    own = np.sort(binding.columns[pairs], axis=1)
    listed_rows = [row for row in np.argsort(p_value, kind="stable").tolist() if q[row] < LISTED_BELOW]
    return tuple(Remaining(*own[row].tolist(), float(p_value[row]), float(q[row])) for row in listed_rows)


def _about_families(binding: Binding, numbers: Numbers, parents: Sequence[Ints]) -> list[Finding]:
    """Say where residuals do not look as the test and the score take them to."""
    findings = []
    families = Families(numbers, parents)
    if not numbers.curves:
        found = families.that_show(Bends())
        if len(found.edges):
            findings.append(
                _finding(
                    binding,
                    FindingKind.NON_LINEAR,
                    found,
                    "bends",
                    "bend",
                    "which is taken for a line, so that edges nearby may be missing, too many or wrongly directed: "
                    "compare with the transform 'curves'",
                )
            )
    found = families.that_show(Spread())
    if len(found.edges):
        findings.append(
            _finding(
                binding,
                FindingKind.UNEVEN,
                found,
                "has noise of uneven size",
                "have noise of uneven size",
                "(heteroscedasticity), for which p-values and the score make no allowance, so that edges nearby may "
                "be too many: compare with the transforms 'log' and 'normal-scores'",
            )
        )
    return findings


def _finding(binding: Binding, kind: FindingKind, found: Shown, does: str, do: str, so: str) -> Finding:
    """Name the edges, strongest first."""
    edges = binding.columns[found.edges]
    names = [f"{quoted(binding.names[x])} and {quoted(binding.names[y])}" for x, y in edges.tolist()]
    verb = does if len(names) == 1 else do
    of_all = "" if len(names) == 1 else f" ({len(names)} of {counted(found.asked, 'edge')} between numbers)"
    relation = "relation" if len(names) == 1 else "relations"
    return Finding(
        kind,
        tuple(sorted({int(v) for v in edges.ravel()})),
        f"the {relation} of {listed(names, 3)} {verb}{of_all}, {so}" if so.startswith("which") else
        f"the {relation} of {listed(names, 3)} {verb}{of_all} {so}",
    )
