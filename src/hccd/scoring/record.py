"""What a score did to the graph that the tests left, as a value that goes into the result and its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hccd.graphs import PDAG
from hccd.wording import counted


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
        The score of the graph that the search began with, and that of the result, less the price of their edges.
    start : str
        The search that ended highest: ``tests``, from the tests' graph, or ``empty``, from no edges. Of a search that
        does without tests: ``alone``, over all variables from no edges, or ``clusters``, in the clusters first.
    tested : PDAG
        The graph that the tests gave; of a search without tests the pairs that depend on each other without condition.
    evaluations : int
        How many families, each a variable with some parents, were scored; 0 if a file does not say.
    """

    name: str
    price: float
    candidates: int
    before: float
    after: float
    start: str
    tested: PDAG
    evaluations: int = 0

    @property
    def without_tests(self) -> bool:
        """Whether the score learned the graph by itself."""
        return self.start in ("alone", "clusters")

    def told(self, graph: PDAG) -> str:
        """Say in a few words what the search did."""
        if self.without_tests:
            where = "from no edges" if self.start == "alone" else "in the clusters, then over all of them"
            return f"{self.name}: hccd's own search {where}, {counted(self.evaluations, 'family', 'families')} scored"
        return f"{self.name}: {self.changes(graph)}"

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
