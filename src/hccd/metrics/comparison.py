"""All metrics at once: a learned graph compared with the true one, as one object.

A metric that cannot be computed is omitted, and `Comparison.unavailable` states the reason: the SID if the true graph
is no DAG, the distances of gadjid if it is not installed or a graph is no CPDAG, scores if a graph has no DAG
extension, and most metrics if a graph is a PAG. Invalid input, such as graphs over different variables or data that
are not discrete, raises an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar

from hccd.errors import InvalidGraphError, InvalidParameterError, NotInstalledError
from hccd.graphs import PAG, AnyGraph
from hccd.metrics.aid import ADJUSTMENTS, AID, aid
from hccd.metrics.bdeu import bdeu
from hccd.metrics.bic import bic
from hccd.metrics.causal_accuracy import VARIANTS, causal_accuracy
from hccd.metrics.edge_errors import EdgeErrors, edge_errors
from hccd.metrics.pairing import GraphLike, Pair, paired
from hccd.metrics.retrieval import Retrieval, adjacency_retrieval, arrowhead_retrieval
from hccd.metrics.sample import Sample
from hccd.metrics.shd import SHD, shd
from hccd.metrics.sid import SID, STEPS, sid

T = TypeVar("T")


@dataclass(frozen=True)
class Score:
    """The score of both graphs on the same data; higher is better."""

    learned: float
    truth: float


@dataclass(frozen=True)
class Comparison:
    """A learned graph compared with the true one.

    Attributes
    ----------
    n_variables : int
        Number of variables.
    learned_edges : int
        Number of edges of the learned graph; that of the true graph is in ``edges``.
    shd : SHD
        Structural Hamming distance, with its components.
    edges : EdgeErrors
        Missing and extra edges.
    adjacencies, arrowheads : Retrieval
        Precision, recall and F1.
    causal_accuracy : mapping
        By variant; empty where a graph is a PAG.
    sid : SID or None
        Structural intervention distance.
    aid : mapping
        Adjustment identification distances, by adjustment set.
    bdeu, bic : Score or None
        Scores on data, if data were given.
    as_cpdag : bool
        Whether DAGs were compared as the CPDAGs of their equivalence classes.
    pags : bool
        Whether one of the graphs is a PAG.
    unavailable : mapping
        The reason why a metric is missing, by the name of its field.
    """

    n_variables: int
    learned_edges: int
    shd: SHD
    edges: EdgeErrors
    adjacencies: Retrieval
    arrowheads: Retrieval
    causal_accuracy: Mapping[str, float]
    sid: SID | None
    aid: Mapping[str, AID]
    bdeu: Score | None
    bic: Score | None
    as_cpdag: bool
    unavailable: Mapping[str, str]
    pags: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data for JSON; infinite and missing values are None."""
        return {
            "format": "hccd-comparison",
            "version": 1,
            "n_variables": self.n_variables,
            "as_cpdag": self.as_cpdag,
            "edges": {"truth": self.edges.true_edges, "learned": self.learned_edges},
            "shd": {"total": self.shd.total, **asdict(self.shd)},
            "missing_edges": {"count": self.edges.missing, "ratio": _finite(self.edges.missing_ratio)},
            "extra_edges": {"count": self.edges.extra, "ratio": _finite(self.edges.extra_ratio)},
            "adjacencies": _retrieval_dict(self.adjacencies),
            "arrowheads": _retrieval_dict(self.arrowheads),
            "causal_accuracy": dict(self.causal_accuracy),
            "sid": None if self.sid is None else _sid_dict(self.sid),
            "aid": {name: {"mistakes": each.mistakes, "normalised": each.normalised} for name, each in self.aid.items()}
            or None,
            "bdeu": None if self.bdeu is None else {k: _finite(v) for k, v in asdict(self.bdeu).items()},
            "bic": None if self.bic is None else {k: _finite(v) for k, v in asdict(self.bic).items()},
            "unavailable": dict(self.unavailable),
        }

    def table(self) -> list[tuple[str, str]]:
        """Return all metrics as text, in rows of (name, value)."""
        rows = [
            ("variables", f"{self.n_variables:,}"),
            ("edges", f"{self.learned_edges:,} learned, {self.edges.true_edges:,} true"),
            ("compared as", self._compared_as()),
            ("SHD", _shd_words(self.shd, self.pags)),
            ("missing edges", f"{self.edges.missing:,}, {self.edges.missing_ratio:.3f} per true edge"),
            ("extra edges", f"{self.edges.extra:,}, {self.edges.extra_ratio:.3f} per true edge"),
            ("adjacencies", _retrieval_words(self.adjacencies)),
            ("arrowheads", _retrieval_words(self.arrowheads)),
        ]
        accuracy = ", ".join(f"{each:.3f} ({name})" for name, each in self.causal_accuracy.items())
        rows += [("causal accuracy", accuracy)] if accuracy else self._absent("causal accuracy", "causal_accuracy")
        rows += [("SID", _sid_words(self.sid))] if self.sid else self._absent("SID", "sid")
        for name, each in self.aid.items():
            rows.append((f"AID, {name}", f"{each.mistakes:,} of {each.pairs:,} effects ({each.normalised:.3f})"))
        rows += self._absent("AID", "aid")
        for label, score in (("BDeu", self.bdeu), ("BIC", self.bic)):
            if score is not None:
                rows.append((label, f"{score.learned:,.2f} learned, {score.truth:,.2f} true"))
            else:
                rows += self._absent(label, label.lower())
        return rows

    def _compared_as(self) -> str:
        if self.pags:
            return "PAGs, by the marks at the ends of edges"
        return "CPDAGs, for SID as given" if self.as_cpdag else "given"

    def _absent(self, label: str, field: str) -> list[tuple[str, str]]:
        return [(label, f"not available: {self.unavailable[field]}")] if field in self.unavailable else []

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.table())
        return "\n".join(f"{name:<{width}}  {value}" for name, value in self.table())


def compare(
    truth: GraphLike,
    learned: GraphLike,
    data: Any = None,
    *,
    reference: Any = None,
    ess: float = 1.0,
    as_cpdag: bool = True,
    sid_limit: int = STEPS,
) -> Comparison:
    """Compare a learned graph with the true one by all metrics.

    Parameters
    ----------
    truth, learned : GraphLike
        A `PDAG` or `PAG`, a result, a network, a square matrix from row to column, a data frame that holds one, or a
        networkx.DiGraph. Both have the same variables; graphs with names are matched by name.
    data : optional
        Discrete data for BDeu and BIC, preferably not the rows from which the graph was learned; anything that
        `hccd.tables.as_table` takes.
    reference : optional
        A source of further states of each variable; see `bdeu`.
    ess : float
        Equivalent sample size of BDeu.
    as_cpdag : bool
        Replace each DAG by the CPDAG of its equivalence class, for all metrics except the SID. A PAG is not replaced:
        compare it with a true PAG, by SHD, adjacencies and arrowheads.
    sid_limit : int
        The number of steps after which the bounds of the SID become looser; see `sid`.

    Raises
    ------
    InvalidGraphError
        If an input is not a graph, or the two graphs have different variables.
    InvalidDataError
        If the data lack a variable or are not discrete.

    Examples
    --------
    >>> from hccd.graphs import PDAG
    >>> found = compare(PDAG.from_edges(3, [(0, 1), (2, 1)]), PDAG.from_edges(3, [(0, 1)], [(1, 2)]))
    >>> found.shd.total, found.causal_accuracy["edge_marks"], found.sid.lower, found.sid.upper
    (1, 0.75, 3, 3)
    """
    if reference is not None and data is None:
        raise InvalidParameterError("A reference adds to the states of data, but there are no data: give them too.")
    given = paired(truth, learned)
    drawn = given.as_classes() if as_cpdag else given
    unavailable: dict[str, str] = {}

    def tried(field: str, metric: Callable[[], T]) -> T | None:
        try:
            return metric()
        except (InvalidGraphError, NotInstalledError) as error:
            unavailable[field] = str(error)
            return None

    graphs = drawn.truth, drawn.learned
    accuracy = {}
    for variant in VARIANTS:
        share = tried("causal_accuracy", partial(causal_accuracy, *graphs, variant=variant, as_cpdag=False))
        if share is not None:
            accuracy[variant] = share
    distances = {}
    for adjustment in ADJUSTMENTS:
        distance = tried("aid", partial(aid, *graphs, adjustment, as_cpdag=False))
        if distance is not None:
            distances[adjustment] = distance
    sample = None if data is None else Sample.of(data, given.names, given.truth.n, reference)
    return Comparison(
        n_variables=given.truth.n,
        learned_edges=given.learned.skeleton().n_edges,
        shd=shd(*graphs, as_cpdag=False),
        edges=edge_errors(*graphs),
        adjacencies=adjacency_retrieval(*graphs),
        arrowheads=arrowhead_retrieval(*graphs, as_cpdag=False),
        causal_accuracy=accuracy,
        sid=tried("sid", lambda: sid(given.truth, given.learned, limit=sid_limit)),
        aid=distances,
        bdeu=tried("bdeu", lambda: _scored(given, sample, lambda graph, rows: bdeu(graph, rows, ess=ess))),
        bic=tried("bic", lambda: _scored(given, sample, bic)),
        as_cpdag=as_cpdag,
        unavailable=unavailable,
        pags=any(isinstance(graph, PAG) for graph in graphs),
    )


def _scored(pair: Pair, sample: Sample | None, score: Callable[[AnyGraph, Sample], float]) -> Score | None:
    return None if sample is None else Score(score(pair.learned, sample), score(pair.truth, sample))


def _finite(value: float) -> float | None:
    """Return a number that JSON knows, or None."""
    return value if math.isfinite(value) else None


def _retrieval_dict(found: Retrieval) -> dict[str, float]:
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1, **asdict(found)}


def _sid_dict(distance: SID) -> dict[str, Any]:
    return {
        "lower": distance.lower,
        "upper": distance.upper,
        "mid": distance.mid,
        "exact": distance.exact,
        "pairs": distance.pairs,
    }


def _shd_words(distance: SHD, pags: bool) -> str:
    more = f", {distance.tail_or_circle:,} tail in one and circle in the other" if pags else ""
    return (
        f"{distance.total:,}: {distance.missing:,} missing, {distance.extra:,} extra, {distance.reversed:,} reversed, "
        f"{distance.arrow_missing:,} arrows missing, {distance.arrow_extra:,} arrows extra{more}"
    )


def _retrieval_words(found: Retrieval) -> str:
    return f"precision {found.precision:.3f}, recall {found.recall:.3f}, F1 {found.f1:.3f}"


def _sid_words(distance: SID) -> str:
    if distance.lower == distance.upper:
        return f"{distance.lower:,} of {distance.pairs:,} effects"
    how = "" if distance.exact else "; local bounds, which may be loose"
    return f"{distance.lower:,} to {distance.upper:,} of {distance.pairs:,} effects, middle {distance.mid:,.1f}{how}"
