"""Which edges depend on how strict one is: the same data learned at levels from a tenth to ten times the own one.

A factor of f in the level of the tests is a factor of f in the odds of a wrong edge. For a score, which counts in nats,
it is a price of ln f less for each edge. So one factor stands for both, and 1 is the run itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from hccd.discovery import last_graph_at
from hccd.errors import InvalidParameterError
from hccd.fit import at_strictness
from hccd.graphs import AnyGraph
from hccd.graphs.marks import EdgeType
from hccd.run.conducted import conducted
from hccd.run.options import Options
from hccd.run.prepared import Prepared, prepare
from hccd.run.signature import takes
from hccd.run.strictness import left_to_the_data, levelled

#: Factors of the level, the strictest first; 1 is in the middle.
FACTORS = tuple(10.0 ** (step / 4.0) for step in range(-4, 5))


class Stays(NamedTuple):
    """An edge, and the factors next to each other, least and greatest, with which it is in the graph as it is."""

    source: str
    target: str
    kind: str
    least: float
    greatest: float


@dataclass(frozen=True)
class Sensitivity:
    """Which edges change with alpha, from a tenth of its value to ten times; the price of an edge changes with it.

    Attributes
    ----------
    names : tuple of str
        The variables.
    factors : tuple of float
        The factors of alpha; 1 is the run itself.
    edges : tuple of Stays
        The edges of the graph, each with the range of factors around 1 in which it does not change.
    others : tuple of Stays
        Edges that are in the graph with other factors only, each with those nearest to 1; a direction that changes is
        an edge of its own.
    alpha, price : float or None
        The values at factor 1: the level of the tests, and the price of an edge if there is a score search.
    """

    names: tuple[str, ...]
    factors: tuple[float, ...]
    edges: tuple[Stays, ...]
    others: tuple[Stays, ...]
    alpha: float
    price: float | None

    def firm(self) -> list[tuple[str, str, str]]:
        """Return the edges that are the same with all factors, as (source, target, type)."""
        whole = (self.factors[0], self.factors[-1])
        return [(e.source, e.target, e.kind) for e in self.edges if (e.least, e.greatest) == whole]

    def __str__(self) -> str:
        """Return the lines of ``hccd sensitivity``."""
        return "\n".join(f"{label:<11}{text}" for label, text in said(self))

    def to_dict(self) -> dict[str, Any]:
        """Return all as plain data."""
        return {
            "nodes": list(self.names),
            "alpha": self.alpha,
            "price": self.price,
            "factors": list(self.factors),
            **{name: [each._asdict() for each in getattr(self, name)] for name in ("edges", "others")},
        }


@takes(Options)
def sensitivity(data: Any, options: Options) -> Sensitivity:
    """Learn the graph again with alpha a tenth to ten times as large, and say which edges change.

    Parameters
    ----------
    data : table
        As for :func:`hccd.discover`.
    **options
        The fields of `hccd.run.options.Options`.

    Returns
    -------
    Sensitivity

    Examples
    --------
    >>> import numpy as np
    >>> import hccd
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=500); y = x + rng.normal(size=500); z = 0.2 * y + rng.normal(size=500)
    >>> found = hccd.sensitivity(np.column_stack([x, y, z]), names=["x", "y", "z"])
    >>> found.firm()
    [('x', 'y', 'undirected'), ('y', 'z', 'undirected')]
    """
    with conducted(options) as run:
        return sensitivity_of(prepare(data, run.options))


def sensitivity_of(prepared: Prepared) -> Sensitivity:
    """Do the same for data that are ready."""
    ci = prepared.binding.ci
    if prepared.thresholds or not levelled(prepared.binding):
        raise InvalidParameterError(
            "sensitivity varies alpha, and this test has no alpha that can be varied: choose the test 'fisher-z', "
            "'dg', 'g' or 'chi2'"
        )
    left = left_to_the_data(prepared.options)
    if left is not None:
        raise InvalidParameterError(f"{left} is 'auto', but sensitivity varies a number: give one, or leave it out")
    assert ci.alpha is not None
    middle, price = last_graph_at(prepared)
    graphs = []
    for factor in FACTORS:
        if factor == 1.0:
            graphs.append(middle)
            continue
        # A level is below 1, and an edge never costs less than nothing.
        own_price = None if price is None else max(price - math.log(factor), 0.0)
        graphs.append(last_graph_at(at_strictness(prepared, min(ci.alpha * factor, 0.5), own_price))[0])
    columns, names = prepared.binding.columns, prepared.binding.names
    present = [_edges(graph.relabelled(columns)) for graph in graphs]
    here = FACTORS.index(1.0)
    edges = tuple(_stays(names, edge, present, here) for edge in sorted(present[here]))
    nearest: dict[tuple[int, int, str], int] = {}
    for at in sorted(range(len(FACTORS)), key=lambda at: (abs(at - here), at)):
        for edge in present[at] - present[here]:
            nearest.setdefault(edge, at)
    others = tuple(_stays(names, edge, present, nearest[edge]) for edge in sorted(nearest))
    return Sensitivity(names, FACTORS, edges, others, ci.alpha, price)


def _edges(graph: AnyGraph) -> set[tuple[int, int, str]]:
    """Return the edges with their kinds."""
    return {(i, j, kind.value) for i, j, kind in graph.typed_edges()}


def _stays(
    names: tuple[str, ...], edge: tuple[int, int, str], present: list[set[tuple[int, int, str]]], at: int
) -> Stays:
    """Return how far to both sides an edge is there."""
    least = greatest = at
    while least > 0 and edge in present[least - 1]:
        least -= 1
    while greatest + 1 < len(present) and edge in present[greatest + 1]:
        greatest += 1
    return Stays(names[edge[0]], names[edge[1]], edge[2], FACTORS[least], FACTORS[greatest])


def said(found: Sensitivity) -> list[tuple[str, str]]:
    """Say which edges change, as (label, text)."""
    price = "" if found.price is None else f"; the price of an edge, {found.price:.2f}, changes by the logarithm"
    firm = len(found.firm())
    rows = [
        ("alpha", f"{found.alpha:g}, times {FACTORS[0]:g} to {FACTORS[-1]:g}{price}"),
        ("edges", f"{len(found.edges):,}: {firm:,} do not change"),
    ]
    whole = (FACTORS[0], FACTORS[-1])
    rows += [("changes", _line(each)) for each in found.edges if (each.least, each.greatest) != whole]
    return rows + [("elsewhere", _line(each)) for each in found.others]


def _line(each: Stays) -> str:
    span = f"at {each.least:.2g}" if each.least == each.greatest else f"from {each.least:.2g} to {each.greatest:.2g}"
    return f"{each.source} {EdgeType(each.kind).sign} {each.target}: {span}"
