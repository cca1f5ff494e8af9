"""What a score did to the graph that the tests left, as a value that goes into the result and its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hccd.graphs import PDAG


@dataclass(frozen=True, eq=False)
class ScoreSearch:
    """The search by a score that followed the tests.

    Attributes
    ----------
    name : str
        ``bic`` (continuous data) or ``bd`` (discrete data).
    price : float
        What an edge had to gain, on top of what the score itself asks.
    candidates : int
        Number of pairs that were looked at.
    before, after : float
        The score of the tests' graph, and that of the result, less the price of their edges.
    start : str
        The search that ended highest: ``tests``, from the tests' graph, or ``empty``, from no edges.
    tested : PDAG
        The graph that the tests gave.
    """

    name: str
    price: float
    candidates: int
    before: float
    after: float
    start: str
    tested: PDAG

    def changes(self, graph: PDAG) -> Changes:
        """Count what is different in the graph that the search ended with."""
        before, after = _marks(self.tested), _marks(graph)
        return Changes(
            added=len(after.keys() - before.keys()),
            removed=len(before.keys() - after.keys()),
            turned=sum(before[pair] != mark for pair, mark in after.items() if pair in before),
        )


@dataclass(frozen=True, eq=False)
class BestDag:
    """Where the search ended.

    Attributes
    ----------
    dag : PDAG
        The DAG found.
    before, after : float
        The score of the learned graph, and of this one, less the price of their edges.
    from_learned : bool
        Whether the search from the learned graph ended higher than that from no edges, if there was one.
    """

    dag: PDAG
    before: float
    after: float
    from_learned: bool = True


class Changes(NamedTuple):
    """Numbers of edges that were added, taken away, and re-oriented (or not any more, or for the first time)."""

    added: int
    removed: int
    turned: int

    def __str__(self) -> str:
        edges = "edge" if self.added == 1 else "edges"
        return f"{self.added:,} {edges} added, {self.removed:,} removed, {self.turned:,} re-oriented"


def _marks(graph: PDAG) -> dict[tuple[int, int], int]:
    """Return each adjacent pair x < y with 1 for x -> y, -1 for y -> x and 0 for x - y."""
    marks = dict.fromkeys(map(tuple, graph.undirected_edges().tolist()), 0)
    marks |= {(min(x, y), max(x, y)): 1 if x < y else -1 for x, y in graph.directed_edges().tolist()}
    return marks
