"""Explanations as lines for people and as data for programs: of a pair, of a variable, of the whole graph."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from hccd.graphs import PAG
from hccd.graphs.meaning import neighbour_lists
from hccd.graphs.typed import edge_counts, edge_of, edges_told
from hccd.result import HCCDResult
from hccd.result.format import reasons_of
from hccd.result.rules import rule_names
from hccd.wording import counted, listed, quoted

_LABEL_WIDTH = 11
_MOST_NAMED = 10
#: Colliders in the plural; other reasons are told as everywhere.
_REASONS = {
    "collider": "colliders",
    "forced": "colliders that a cycle forces",
    "score": "colliders of the score search",
}


@dataclass(frozen=True)
class Explained:
    """Lines of (label, text), and the same as plain data."""

    lines: list[tuple[str, str]]
    data: dict[str, Any]


def of_pair(result: HCCDResult, _run: str, x: str, y: str) -> Explained:
    """Explain one pair of variables, given by their names."""
    text = result.explain(x, y)
    return Explained(
        [("", text)], {"pair": [x, y], **_pair_data(result, result.index(x), result.index(y)), "text": text}
    )


def of_variable(result: HCCDResult, run: str, x: str) -> Explained:
    """Explain every edge of a variable."""
    v = result.index(x)
    groups = neighbour_lists(result.graph, v)
    width = max(_LABEL_WIDTH, *(len(kind) + 1 for kind, group in groups.items() if group), 0)
    neighbours = [other for group in groups.values() for other in group]
    others = len(result.names) - 1 - len(neighbours)
    lines = [
        (
            "",
            f"{quoted(x)} has {counted(len(neighbours), 'neighbour')} "
            f"among {counted(len(result.names) - 1, 'other variable')}.",
        )
    ]
    explained = []
    for kind, group in groups.items():
        for other in group:
            text = result.explain(v, other)
            lines.append((f"{kind.removesuffix('s'):<{width}}", text))
            explained.append(
                {"variable": result.names[other], "kind": _key(kind), **_pair_data(result, v, other), "text": text}
            )
    if others:
        lines.append(("", f"It is not adjacent to {counted(others, 'other')}: hccd explain {run} X Y says why."))
    data = {_key(kind): [result.names[other] for other in group] for kind, group in groups.items()}
    return Explained(lines, {"variable": x, **data, "edges": explained, "not_adjacent": others})


def of_graph(result: HCCDResult, run: str) -> Explained:
    """Describe a graph as a whole."""
    n = len(result.names)
    degree = Counter({name: len(result.skeleton.neighbors(v)) for v, name in enumerate(result.names)})
    hubs = [(name, edges) for name, edges in degree.most_common(_MOST_NAMED) if edges]
    alone = [name for name in result.names if not degree[name]]
    reasons = Counter(result.reasons.values())
    leaves = len(result.tree.leaves())
    data = {
        "variables": n,
        "edges": edge_counts(result.graph),
        "directions": dict(sorted(reasons.items())),
        "conflicts": len(result.conflicts),
        "score": None
        if result.score is None
        else {"name": result.score.name, **result.score.changes(result.pdag())._asdict()},
        "clusters": {"leaves": leaves, "depth": result.tree.depth},
        "tests": {"total": result.tests.total, "by_order": list(result.tests.by_order)},
        "most_neighbours": [{"variable": name, "neighbours": edges} for name, edges in hubs],
        "no_neighbours": alone,
        "parameters": dict(result.parameters),
        "warnings": [finding.to_dict(result.names) for finding in result.findings],
    }
    parameters = result.parameters
    test = parameters.get("test")
    by_order = [f"{tests:,} of order {order}" for order, tests in enumerate(result.tests.by_order)]
    rows: list[tuple[str, str]] = [
        ("variables", f"{n:,}"),
        ("edges", edges_told(result.graph)),
    ]
    if reasons:
        words = rule_names(result.graph) | ({} if isinstance(result.graph, PAG) else _REASONS)
        why = [f"{count:,} by {words.get(reason, reason)}" for reason, count in reasons.most_common()]
        rows.append(("marks" if isinstance(result.graph, PAG) else "directions", listed(why, most=20)))
    if isinstance(test, dict):
        limits = [f"{key} {value}" for key, value in test.items() if key != "name"]
        rows.append(("test", ", ".join([str(test.get("name")), *limits])))
    if "method" in parameters:
        rows.append(("method", f"{parameters['method']}, preset {parameters.get('preset')}"))
    if parameters.get("n_samples") is not None:
        rows.append(("rows", f"{parameters['n_samples']:,}"))
    rows += [
        ("clusters", f"{counted(leaves, 'leaf', 'leaves')}, depth {result.tree.depth}" if leaves > 1 else "none"),
        ("tests", f"{result.tests.total:,}" + (f": {listed(by_order, most=20)}" if result.tests.total else "")),
        *([] if result.score is None else [("score", result.score.told(result.pdag()))]),
        ("conflicts", _conflicts(result)),
    ]
    if hubs:
        rows.append(
            ("neighbours", "most have " + listed([f"{quoted(name)} ({edges})" for name, edges in hubs], most=20))
        )
    if alone:
        rows.append(("alone", listed([quoted(name) for name in alone], most=_MOST_NAMED)))
    rows += [("warning", sentence) for sentence in result.warnings]
    rows.append(("more", f"hccd explain {run} X for the edges of a variable, hccd explain {run} X Y for a pair"))
    return Explained([(f"{label:<{_LABEL_WIDTH}}", text) for label, text in rows], data)


def _conflicts(result: HCCDResult) -> str:
    """Say how much of the evidence the graph does not follow."""
    if not result.conflicts:
        return "0: the graph agrees with all tests for colliders"
    tests = counted(len(result.conflicts), "test")
    return f"the graph disagrees with {tests} for a collider, where the tests contradict each other or the score"


def _pair_data(result: HCCDResult, x: int, y: int) -> dict[str, Any]:
    """Return the evidence about a pair as plain data."""
    names = result.names
    if not result.skeleton.has_edge(x, y):
        removal = result.removal(x, y)
        if removal is None:
            return {"adjacent": False, "separated": None}
        return {
            "adjacent": False,
            "separated": {
                "given": list(removal.given),
                "p_value": _finite(removal.p_value),
                "stage": removal.stage,
                "cluster": removal.cluster,
            },
        }
    source, target, kind = edge_of(result.graph, x, y)
    if kind.symmetric:
        source, target = x, y
    strength = float(result.strength[result.skeleton.edges.tolist().index([min(x, y), max(x, y)])])
    edge: dict[str, Any] = {"source": names[source], "target": names[target], "type": kind.value}
    edge |= reasons_of(result, source, target, kind)
    by_score = not result.tested.skeleton().has_edge(x, y)
    return {"adjacent": True, "edge": edge, "strength": _finite(strength), "added_by_score": by_score}


def _key(name: str) -> str:
    """Return the name of a list as a key of JSON."""
    return name.replace(" ", "_")


def _finite(number: float) -> float | None:
    """Return a number that JSON has, or None."""
    return number if math.isfinite(number) else None
