"""The file format ``hccd-graph``, version 1: a result as plain data and back.

Other programs rely on ``nodes``, ``edges`` (source, target, type), ``ci_tests``, ``seconds``, ``clusters`` and
``parameters``; the rest is evidence for ``explain``. Pairs that are listed neither as edges nor under ``separations``
(:mod:`hccd.result.removals_format`) are independent without any condition; their p-values are two blocks of text. Where
a ``score`` searched on, all this is about the edges that the tests left, which are listed there. Where somebody knew
that pairs have no edge, those that nothing separated are listed under ``unseparated``. Where resamples of the rows were
learned, edges have a ``confidence``, and pairs that have none but had one in some resample are listed there. The graph
of a run that allows for hidden causes says ``graph_type: "PAG"``, and its edges have the ``reason`` of the mark at
their target and the ``source_reason`` of that at their source, where that is no circle. A run on a file has the
``data_digest`` of it (blake2b, 16 bytes, of the unpacked content). In a file without tests (a
graph that is known, such as the truth behind simulated data) nothing was found independent, and pairs without an edge
just have none.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hccd.clustering import ClusterTree
from hccd.errors import FileFormatError
from hccd.graphs import PAG, PDAG, AnyGraph, check_validity
from hccd.graphs.formats.hccd_graph import is_pag
from hccd.graphs.marks import EdgeType, Mark, TypedEdge
from hccd.graphs.typed import OF_PDAG, typed_graph
from hccd.orientation import Conflict, Triple
from hccd.result.confidence import DIGITS, Confidence
from hccd.result.fit import Fit
from hccd.result.marginal_separations import MarginalSeparations
from hccd.result.removals_format import cluster_paths, decoded_removals, encoded_removals
from hccd.scoring import ScoreSearch
from hccd.tables import Finding
from hccd.version import __version__
from hccd.wrapper import TestCounts

if TYPE_CHECKING:
    from hccd.result import HCCDResult

FORMAT = "hccd-graph"
VERSION = 1


def to_dict(result: HCCDResult) -> dict[str, Any]:
    """Return the result as plain data."""
    names = result.names
    strength = dict(zip(map(tuple, result.skeleton.edges.tolist()), result.strength.tolist(), strict=True))
    edges = []
    for source, target, kind in numbered_edges(result.graph):
        edge: dict[str, Any] = {"source": names[source], "target": names[target], "type": kind}
        edge["strength"] = _number_or_none(strength[min(source, target), max(source, target)])
        edge |= reasons_of(result, source, target, EdgeType(kind))
        if result.confidence is not None:
            probabilities = result.confidence.of(source, target)
            edge["confidence"] = round(probabilities.adjacent, DIGITS)
            edge["probabilities"] = probabilities._asdict()
        edges.append(edge)
    paths = cluster_paths(result.tree)
    return {
        "format": FORMAT,
        "version": VERSION,
        # Near the beginning, so that one can tell whose run a file is without reading all of it.
        **({"data_digest": result.data_digest} if result.data_digest else {}),
        **({"graph_type": "PAG"} if isinstance(result.graph, PAG) else {}),
        "nodes": list(names),
        "edges": edges,
        "ci_tests": {
            "total": result.tests.total,
            "by_order": list(result.tests.by_order),
            "by_stage": {stage: list(counts) for stage, counts in result.tests.by_stage.items()},
            "by_cluster": dict(zip(paths, result.tests.by_cluster, strict=True)),
        },
        "seconds": dict(result.seconds),
        "clusters": result.tree.to_dict(names),
        "parameters": dict(result.parameters),
        "separations": encoded_removals(result.removals, paths),
        "marginal_p_values": result.marginal.encoded(),
        **({} if result.constraints is None else {"unseparated": result.unseparated.tolist()}),
        "colliders": [
            {
                "triple": [names[v] for v in (triple.x, triple.z, triple.y)],
                "given": [names[z] for z in triple.given],
                "p_value": _number_or_none(triple.p_value),
                "dependence": _number_or_none(triple.dependence),
            }
            for triple in result.colliders
        ],
        "conflicts": [
            {
                "kind": conflict.kind,
                "triple": [names[v] for v in (conflict.x, conflict.z, conflict.y)],
                "p_value": _number_or_none(conflict.p_value),
                "reason": conflict.reason,
            }
            for conflict in result.conflicts
        ],
        "warnings": [finding.to_dict(names) for finding in result.findings],
        **({} if result.score is None else {"score": {**_encoded_score(result.score, names), "edges": len(edges)}}),
        **({} if result.fit is None else {"fit": result.fit.to_dict(names)}),
        **({} if result.confidence is None else {"confidence": result.confidence.to_dict(result.skeleton.edges)}),
        "software": {"hccd": __version__},
    }


def fields_from_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read the fields of a result from plain data."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        if not isinstance(data, Mapping):
            raise FileFormatError(f"this is not an {FORMAT}: a dictionary is expected, got {type(data).__name__}")
        other = f" but one of format {data['format']!r}" if "format" in data else ""
        raise FileFormatError(f"this is not an {FORMAT} file{other}: give the graph.json that hccd learn wrote")
    if data.get("version") != VERSION:
        raise FileFormatError(
            f"this file has version {data.get('version')!r} of {FORMAT}; this program reads version {VERSION}"
        )
    if "clusters" not in data and "nodes" in data and "edges" in data:
        raise FileFormatError(
            "this file holds a graph without the evidence behind it: give the graph.json that hccd learn wrote"
        )
    try:
        return _fields(data)
    except FileFormatError:
        raise
    except KeyError as error:
        raise FileFormatError(f"this {FORMAT} file is damaged: {error} is missing or of a wrong kind") from None
    except (TypeError, IndexError, AttributeError, ValueError, OverflowError, zlib.error) as error:
        sentence = " ".join(str(error).split()).rstrip(".")[:200]
        raise FileFormatError(f"this {FORMAT} file is damaged ({sentence}): save the result again") from None


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(data["nodes"], list) or not all(isinstance(name, str) for name in data["nodes"]):
        raise ValueError("'nodes' is not a list of texts")
    names = tuple(data["nodes"])
    number = {name: i for i, name in enumerate(names)}
    n = len(names)
    pag, edges = is_pag(data), list[TypedEdge]()
    strengths, reasons, probabilities = {}, {}, {}
    for edge in data["edges"]:
        source, target, kind = number[edge["source"]], number[edge["target"]], EdgeType(edge["type"])
        pair = (min(source, target), max(source, target))
        if pair in strengths:
            raise ValueError(f"two edges between {edge['source']!r} and {edge['target']!r}")
        strengths[pair] = edge.get("strength")
        if "probabilities" in edge:
            probabilities[source, target] = edge["probabilities"]
        if not pag and kind not in OF_PDAG:
            raise FileFormatError(
                f"the edge {edge['source']!r} - {edge['target']!r} is of type {edge['type']!r}; a result that is no "
                "PAG has directed and undirected edges only"
            )
        edges.append((source, target, kind))
        for field, ends in (("reason", (source, target)), ("source_reason", (target, source))):
            if field in edge or (field == "reason" and kind is EdgeType.DIRECTED):
                reasons[ends] = edge.get(field, "given")
    graph = typed_graph(n, edges, pag=pag)
    tree = ClusterTree.from_dict(data["clusters"], names)
    paths = cluster_paths(tree)
    removals = decoded_removals(data["separations"], names, paths)
    score = _decoded_score(data["score"], names) if data.get("score") is not None else None
    if score is not None and isinstance(graph, PAG):
        raise ValueError("no score leads to a PAG")
    if score is not None and data["score"]["edges"] != len(data["edges"]):
        raise ValueError("the edges are not as many as the score left")
    # What the tests found is told by the graph that they gave.
    independent = ~(graph if score is None else score.tested).skeleton().adjacency
    np.fill_diagonal(independent, False)
    x, y = removals.separations.pairs.T
    independent[x, y] = independent[y, x] = False
    for x, y in data.get("unseparated", ()):
        independent[x, y] = independent[y, x] = False
    counts = data["ci_tests"]
    by_stage = {stage: tuple(map(_count, by_order)) for stage, by_order in counts["by_stage"].items()}
    if not any(map(sum, by_stage.values())):
        # A graph that is known, not learned: without a test nothing was found independent.
        independent[:] = False
    if len(counts["by_cluster"]) != len(paths):
        raise ValueError("the counts of tests do not fit the clusters")
    by_cluster = tuple(_count(counts["by_cluster"][path]) for path in paths)
    if isinstance(graph, PDAG) and not check_validity(graph).valid:
        raise ValueError("the graph has a cycle, or no DAG fits it")
    return dict(
        names=names,
        graph=graph,
        tree=tree,
        removals=removals,
        marginal=MarginalSeparations.decoded(independent, data.get("marginal_p_values")),
        colliders=tuple(
            Triple(
                x,
                z,
                y,
                True,
                tuple(number[name] for name in item["given"]),
                _number(item["p_value"]),
                # Older files have none.
                _number(item.get("dependence")),
            )
            for item in data.get("colliders", ())
            for x, z, y in [[number[name] for name in item["triple"]]]
        ),
        conflicts=tuple(
            Conflict(item["kind"], x, z, y, _number(item["p_value"]), item["reason"])
            for item in data.get("conflicts", ())
            for x, z, y in [[number[name] for name in item["triple"]]]
        ),
        reasons=reasons,
        strength=np.array([_number(strengths[pair]) for pair in map(tuple, graph.skeleton().edges.tolist())]),
        tests=TestCounts(by_stage, by_cluster),
        seconds=dict(data["seconds"]),
        parameters=dict(data["parameters"]),
        findings=tuple(Finding.from_dict(item, names) for item in data.get("warnings", ())),
        score=score,
        fit=None if data.get("fit") is None else Fit.from_dict(data["fit"], names),
        data_digest=str(data.get("data_digest", "")),
        confidence=(
            None if data.get("confidence") is None else Confidence.from_dict(data["confidence"], probabilities, n)
        ),
    )


_NUMBERS_OF_SCORE = ("name", "price", "candidates", "evaluations", "before", "after", "start")


def _encoded_score(score: ScoreSearch, names: Sequence[str]) -> dict[str, Any]:
    """Return what a score did as plain data."""
    tested = [
        {"source": names[source], "target": names[target], "type": kind}
        for source, target, kind in numbered_edges(score.tested)
    ]
    numbers = {name: getattr(score, name) for name in _NUMBERS_OF_SCORE}
    return {**numbers, "edges_of_tests": tested}


def _decoded_score(data: Mapping[str, Any], names: Sequence[str]) -> ScoreSearch:
    """Read what a score did."""
    number = {name: i for i, name in enumerate(names)}
    edges: dict[str, list[tuple[int, int]]] = {"directed": [], "undirected": []}
    for edge in data["edges_of_tests"]:
        edges[edge["type"]].append((number[edge["source"]], number[edge["target"]]))
    return ScoreSearch(
        name=str(data["name"]),
        price=float(data["price"]),
        candidates=_count(data["candidates"]),
        before=float(data["before"]),
        after=float(data["after"]),
        start=str(data["start"]),
        tested=PDAG.from_edges(len(names), edges["directed"], edges["undirected"]),
        # Older files have none.
        evaluations=_count(data.get("evaluations", 0)),
    )


def numbered_edges(graph: AnyGraph) -> list[tuple[int, int, str]]:
    """List the edges by number, sorted."""
    return [(source, target, kind.value) for source, target, kind in graph.typed_edges()]


def reasons_of(result: HCCDResult, source: int, target: int, kind: EdgeType) -> dict[str, str]:
    """Return why the marks of an edge are what they are: in a PDAG arrowheads have a reason, in a PAG tails as well."""
    told = (Mark.ARROW, Mark.TAIL) if isinstance(result.graph, PAG) else (Mark.ARROW,)
    ends = {"reason": (source, target), "source_reason": (target, source)}
    marks = zip(ends, kind.marks[::-1], strict=True)
    return {field: result.reasons.get(ends[field], "given") for field, mark in marks if mark in told}


def _count(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count of {value!r}")
    return value


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _number_or_none(value: float) -> float | None:
    """Return a finite number, or None: JSON has no nan."""
    return float(value) if math.isfinite(value) else None
