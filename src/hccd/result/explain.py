"""Why there is an edge, or none, and why it points where it points: one answer in plain sentences, with evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hccd.errors import InvalidParameterError
from hccd.graphs import PAG
from hccd.result.condition import condition_told
from hccd.result.explain_marks import explain_marks

if TYPE_CHECKING:
    from hccd.result import HCCDResult, Removal


def explain(result: HCCDResult, x: int, y: int) -> str:
    """Explain the pair ``x``, ``y`` of a result."""
    if x == y:
        raise InvalidParameterError(f"explain needs two different variables, got {result.names[x]!r} twice")
    return _explained(result, x, y) + _resampled(result, x, y)


def _resampled(result: HCCDResult, x: int, y: int) -> str:
    """Say what resamples had between two variables, if any were drawn."""
    if result.confidence is None:
        return ""
    drawn, own = result.confidence.resamples, result.confidence.of(x, y)
    if not own.adjacent:
        return f" They are adjacent in none of {drawn:,} resamples of the rows."
    a, b = (f"'{result.names[v]}'" for v in (x, y))
    kinds = {f"{a} -> {b}": own.forward, f"{b} -> {a}": own.backward, "undirected": own.undirected}
    parts = ", ".join(f"{kind} {_share(part)}" for kind, part in kinds.items() if part)
    return f" The probability of an edge is {_share(own.adjacent)} ({parts}), from {drawn:,} resamples of the rows."


def _share(probability: float) -> str:
    return f"{100.0 * probability:.3g} %"


def _explained(result: HCCDResult, x: int, y: int) -> str:
    """Say why two variables are adjacent, or not."""
    known = result.constraints
    copy = _copy(result, x, y)
    if copy:
        return copy
    if result.skeleton.has_edge(x, y):
        if known is not None and known.adjacent[x, y]:
            return f"{_pair(result, x, y)} are adjacent: your knowledge requires the edge. {_direction(result, x, y)}"
        tested = result.tested.skeleton().has_edge(x, y)
        adjacency = _adjacency(result, x, y) if tested else _scored_adjacency(result, x, y)
        return f"{adjacency} {_direction(result, x, y)}"
    if known is not None and known.excluded[x, y]:
        return f"{_pair(result, x, y)} are not adjacent: your knowledge excludes the edge."
    return _absence(result, x, y)


def _copy(result: HCCDResult, x: int, y: int) -> str:
    """Say what follows if one of two variables is a copy; nothing otherwise."""
    copies = result.parameters.get("copies", {})
    for one, other in ((x, y), (y, x)):
        name = result.names[one]
        if name not in copies:
            continue
        if result.skeleton.has_edge(x, y):
            return f"{_pair(result, x, y)} are adjacent: '{name}' is a copy of '{copies[name]}'. " + _direction(
                result, x, y
            )
        return (
            f"{_pair(result, x, y)} are not adjacent: '{name}' is a copy of '{copies[name]}', so it has only "
            f"one edge, to that column. Ask about '{copies[name]}' and '{result.names[other]}' instead."
        )
    return ""


def _pair(result: HCCDResult, x: int, y: int) -> str:
    return f"'{result.names[x]}' and '{result.names[y]}'"


def _quoted(result: HCCDResult, *variables: int) -> str:
    return ", ".join(f"'{result.names[v]}'" for v in variables)


def _absence(result: HCCDResult, x: int, y: int) -> str:
    """Say what separated two variables, and where that was found."""
    removal = result.removal(x, y)
    pair = _pair(result, x, y)
    if result.tested.skeleton().has_edge(x, y):
        return f"{pair} are not adjacent: no tested set separated them, but the score is higher without an edge."
    if removal is None and result.constraints is not None:
        return f"{pair} are not adjacent, because your knowledge leaves no direction for an edge."
    if removal is None:
        return f"{pair} are not adjacent, though nothing separated them: the edge was ruled out from the start."
    return (
        f"{pair} are not adjacent: they are independent {condition_told(result, removal.given, removal.p_value)}. "
        f"This was found {_where(result, removal)}."
    )


def _where(result: HCCDResult, removal: Removal) -> str:
    """Say at what point two variables were separated."""
    place = next(
        cluster for number, cluster in enumerate(result.tree.clusters()) if result.tree.path(number) == removal.cluster
    )
    where = {
        "leaf": f"inside cluster {removal.cluster}",
        "between": f"between the parts of cluster {removal.cluster}",
        "refine": f"in the completeness pass of cluster {removal.cluster}",
        "possible-d-sep": "in the possible-d-sep search",
        "rfci": "in the tests of RFCI",
    }[removal.stage]
    return f"{where} ({len(place.variables)} variables)"


def _strength(result: HCCDResult, x: int, y: int) -> str:
    edges = result.skeleton.edges.tolist()
    strength = float(result.strength[edges.index([min(x, y), max(x, y)])])
    return "" if strength != strength else f" (unconditional strength {strength:.3g})"


def _scored_adjacency(result: HCCDResult, x: int, y: int) -> str:
    """Say what the tests found about an edge that the score put there."""
    removal = result.removal(x, y)
    found = (
        "no test was made for it"
        if removal is None
        else f"the tests found independence {condition_told(result, removal.given, removal.p_value)} "
        f"{_where(result, removal)}"
    )
    return (
        f"'{result.names[x]}' and '{result.names[y]}' are adjacent, because the score is higher with an edge"
        f"{_strength(result, x, y)}, though {found}."
    )


def _adjacency(result: HCCDResult, x: int, y: int) -> str:
    """Say why an edge was never removed."""
    # Tests that orient edges remove none.
    rows = [row for stage, row in result.tests.by_stage.items() if stage != "colliders"]
    order = max((size for row in rows for size, count in enumerate(row) if count), default=0)
    order = min(order, max(len(result.tested.neighbors(v)) for v in (x, y)) - 1)
    tested = "without any condition" if order < 1 else f"given every tested set of up to {order} of their neighbours"
    return f"{_pair(result, x, y)} are adjacent: they stayed dependent {tested}{_strength(result, x, y)}."


def _direction(result: HCCDResult, x: int, y: int) -> str:
    """Say why an edge points where it points."""
    if isinstance(result.graph, PAG):
        return explain_marks(result, x, y) + _conflict_note(result, x, y)
    if y in result.graph.undirected_neighbors(x):
        return (
            "The edge is undirected: graphs with either direction fit the independences equally well."
            + _conflict_note(result, x, y)
        )
    a, b = (x, y) if y in result.graph.children(x) else (y, x)
    arrow = f"It points '{result.names[a]}' -> '{result.names[b]}'"
    reason = result.reasons.get((a, b), "given")
    described = {
        "collider": _collider,
        "forced": _forced,
        "score": _scored,
        "knowledge": _known,
        "lingam": _by_noise,
        "R1": _rule_1,
        "R2": _rule_2,
        "R3": _rule_3,
        "R4": _rule_4,
    }.get(reason)
    because = described(result, a, b) if described else "it was given"
    return f"{arrow}, because {because}." + _conflict_note(result, x, y)


def _collider(result: HCCDResult, a: int, b: int) -> str:
    for triple in result.colliders:
        if triple.z == b and a in (triple.x, triple.y):
            other = triple.y if a == triple.x else triple.x
            condition = condition_told(result, [result.names[z] for z in triple.given], triple.p_value)
            return (
                f"'{result.names[b]}' is a collider between '{result.names[a]}' and '{result.names[other]}': these two "
                f"are independent {condition}, and '{result.names[b]}' is not in the conditioning set"
                f"{_dependence(triple.dependence)}"
            )
    return "the tests found a collider there, and stronger evidence overruled part of it"


def _dependence(p_value: float) -> str:
    return "" if p_value != p_value else f" (with it, p = {p_value:.3g})"


def _scored(result: HCCDResult, a: int, b: int) -> str:
    others = [c for c in result.pdag().parents(b) if c != a and not result.skeleton.has_edge(a, c)]
    return (
        f"the score is highest with '{result.names[b]}' as a collider between '{result.names[a]}' and "
        f"{_quoted(result, *others[:1])}"
    )


def _known(result: HCCDResult, a: int, b: int) -> str:
    return "your knowledge leaves no other direction"


def _by_noise(result: HCCDResult, a: int, b: int) -> str:
    return (
        "independences leave both directions open, but the noise is not normal and fits this direction better "
        "(LiNGAM, which assumes linear effects and no hidden common causes)"
    )


def _forced(result: HCCDResult, a: int, b: int) -> str:
    return (
        "the edges around it form a cycle without a chord, so that some variable on it must be a collider, "
        "and a collider here fits the data best"
    )


def _rule_1(result: HCCDResult, a: int, b: int) -> str:
    causes = [c for c in result.pdag().parents(a) if c != b and not result.skeleton.has_edge(c, b)]
    return (
        f"{_quoted(result, causes[0])} -> {_quoted(result, a)} is already directed, and the other direction would make "
        f"{_quoted(result, a)} a collider that the tests rule out (Meek's rule 1)"
        if causes
        else "the other direction would make a collider that the tests rule out (Meek's rule 1)"
    )


def _rule_2(result: HCCDResult, a: int, b: int) -> str:
    through = sorted(set(result.pdag().children(a)) & set(result.pdag().parents(b)))
    via = f" through {_quoted(result, through[0])}" if through else ""
    return f"a directed path leads there already{via}, and there are no cycles (Meek's rule 2)"


def _rule_3(result: HCCDResult, a: int, b: int) -> str:
    return "the other direction would force a cycle or a collider that the tests rule out (Meek's rule 3)"


def _rule_4(result: HCCDResult, a: int, b: int) -> str:
    return "the other direction would force a cycle or a collider that the tests rule out (Meek's rule 4)"


def _conflict_note(result: HCCDResult, x: int, y: int) -> str:
    """Mention verdicts about this edge that the graph does not follow."""
    touched = [
        conflict
        for conflict in result.conflicts
        if (conflict.z == y and x in (conflict.x, conflict.y)) or (conflict.z == x and y in (conflict.x, conflict.y))
    ]
    if not touched:
        return ""
    number = "one test" if len(touched) == 1 else f"{len(touched)} tests"
    return f" The graph disagrees with {number} for a collider at this edge: {touched[0].reason} (see conflicts)."
