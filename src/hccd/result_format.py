"""The file format ``hccd-graph``, version 1: a result as plain data and back.

Other programs rely on ``nodes``, ``edges`` (source, target, type), ``ci_tests``, ``seconds``, ``clusters`` and
``parameters``; the rest is evidence for ``explain``. Pairs that are listed neither as edges nor under ``separations``
are independent without any condition; their p-values are one block of text. In a file without tests (a graph that is
known, such as the truth behind simulated data) nothing was found independent, and pairs without an edge just have none.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hccd.clustering import ClusterTree
from hccd.errors import FileFormatError
from hccd.graphs import PDAG, check_validity
from hccd.graphs.separators import Separations
from hccd.marginal_separations import MarginalSeparations
from hccd.orientation import Conflict, Triple
from hccd.version import __version__
from hccd.wrapper import STAGES, Removals, TestCounts

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
        if kind == "directed":
            edge["reason"] = result.reasons.get((source, target), "given")
        edges.append(edge)
    layout = result.tree.layout()
    paths = [layout.path(cluster) for cluster in range(layout.n_clusters)]
    return {
        "format": FORMAT,
        "version": VERSION,
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
        "separations": [
            {
                "pair": [names[x] for x in separation.edge],
                "given": [names[z] for z in separation.given],
                "p_value": _number_or_none(separation.p_value),
                "stage": STAGES[result.removals.stage[row]],
                "cluster": paths[int(result.removals.cluster[row])],
            }
            for row, separation in enumerate(result.removals.separations)
        ],
        "marginal_p_values": result.marginal.encoded(),
        "colliders": [
            {
                "triple": [names[v] for v in (triple.x, triple.z, triple.y)],
                "given": [names[z] for z in triple.given],
                "p_value": _number_or_none(triple.p_value),
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
        "warnings": list(result.warnings),
        "software": {"hccd": __version__},
    }


def fields_from_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read the fields of a result from plain data."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        if not isinstance(data, Mapping):
            raise FileFormatError(f"this is not an {FORMAT}: a dictionary is expected, got {type(data).__name__}")
        raise FileFormatError(f"this is not an {FORMAT} file: its format is {data.get('format')!r}")
    if data.get("version") != VERSION:
        raise FileFormatError(
            f"this file has version {data.get('version')!r} of {FORMAT}; this program reads version {VERSION}"
        )
    try:
        return _fields(data)
    except FileFormatError:
        raise
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise FileFormatError(f"this {FORMAT} file is damaged: {error!r} is missing or of a wrong kind") from None
    except (ValueError, zlib.error) as error:
        sentence = " ".join(str(error).split())
        raise FileFormatError(f"this {FORMAT} file is damaged ({sentence}): save the result again") from None


def read_json(path: Path) -> Mapping[str, Any]:
    """Read a JSON object from a file, with one sentence for whatever is wrong with it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileFormatError(f"there is no file {str(path)!r}: check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"the file {str(path)!r} cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise FileFormatError(f"the file {str(path)!r} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise FileFormatError(f"the file {str(path)!r} does not hold a graph")
    return data


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    names = tuple(data["nodes"])
    number = {name: i for i, name in enumerate(names)}
    n = len(names)
    arrows, lines, strengths, reasons = [], [], {}, {}
    for edge in data["edges"]:
        source, target = number[edge["source"]], number[edge["target"]]
        pair = (min(source, target), max(source, target))
        if pair in strengths:
            raise ValueError(f"two edges between {edge['source']!r} and {edge['target']!r}")
        strengths[pair] = edge.get("strength")
        if edge["type"] == "directed":
            arrows.append((source, target))
            reasons[source, target] = edge.get("reason", "given")
        elif edge["type"] == "undirected":
            lines.append(pair)
        else:
            raise FileFormatError(
                f"the edge {edge['source']!r} - {edge['target']!r} is of type {edge['type']!r}; "
                "a result of this method has directed and undirected edges only"
            )
    graph = PDAG.from_edges(n, arrows, lines)
    tree = ClusterTree.from_dict(data["clusters"], names)
    removals = _removals(data, number, tree)
    independent = ~graph.skeleton().adjacency
    np.fill_diagonal(independent, False)
    x, y = removals.separations.pairs.T
    independent[x, y] = independent[y, x] = False
    counts = data["ci_tests"]
    by_stage = {stage: tuple(map(_count, by_order)) for stage, by_order in counts["by_stage"].items()}
    if not any(map(sum, by_stage.values())):
        # A graph that is known, not learned: without a test nothing was found independent.
        independent[:] = False
    layout = tree.layout()
    if len(counts["by_cluster"]) != layout.n_clusters:
        raise ValueError("the counts of tests do not fit the clusters")
    by_cluster = tuple(_count(counts["by_cluster"][layout.path(cluster)]) for cluster in range(layout.n_clusters))
    if not check_validity(graph).valid:
        raise ValueError("the graph has a cycle, or no DAG fits it")
    return dict(
        names=names,
        graph=graph,
        tree=tree,
        removals=removals,
        marginal=MarginalSeparations.decoded(independent, data.get("marginal_p_values")),
        colliders=tuple(
            Triple(x, z, y, True, tuple(number[name] for name in item["given"]), _number(item["p_value"]))
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
        warnings=tuple(data.get("warnings", ())),
    )


def _removals(data: Mapping[str, Any], number: Mapping[str, int], tree: ClusterTree) -> Removals:
    """Rebuild the record of removed edges."""
    layout = tree.layout()
    cluster_of = {layout.path(cluster): cluster for cluster in range(layout.n_clusters)}
    items = data["separations"]
    sizes = np.array([len(item["given"]) for item in items], np.int64)
    separations = Separations(
        np.array([[number[name] for name in item["pair"]] for item in items], np.int32).reshape(-1, 2),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array([number[name] for item in items for name in item["given"]], np.int32),
        np.array([_number(item["p_value"]) for item in items], np.float64),
    )
    return Removals(
        separations,
        np.array([STAGES.index(item["stage"]) for item in items], np.int8),
        np.array([cluster_of[item["cluster"]] for item in items], np.int32),
    )


def numbered_edges(graph: PDAG) -> list[tuple[int, int, str]]:
    """List the edges by number, sorted."""
    edges = [(i, j, "directed") for i, j in graph.directed_edges().tolist()]
    edges += [(i, j, "undirected") for i, j in graph.undirected_edges().tolist()]
    return sorted(edges)


def _count(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count of {value!r}")
    return value


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _number_or_none(value: float) -> float | None:
    """Return a finite number, or None: JSON has no nan."""
    return float(value) if math.isfinite(value) else None


def write_json(data: Mapping[str, Any], path: Path) -> None:
    """Write beside the target first and then move, so that a failure leaves no half of a file."""
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False, default=_plain)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _plain(value: object) -> object:
    """Return a number of numpy, as settings may be, as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a {type(value).__name__} cannot be written to a file")


def _umask() -> int:
    """Return the process's mask, which mkstemp does not honour."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
