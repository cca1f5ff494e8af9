"""A graph together with the names of its variables: what a file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hccd.errors import InvalidGraphError
from hccd.graphs.hand_over import HandOver
from hccd.graphs.pag import PAG
from hccd.graphs.pdag import PDAG


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are not all different."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidGraphError(f"The name {name!r} occurs more than once: give each variable its own.")
        seen.add(name)


@dataclass(frozen=True)
class NamedGraph(HandOver):
    """A graph whose variables have names.

    Attributes
    ----------
    names : tuple of str
        Variable i is ``names[i]``; all different.
    graph : PDAG or PAG
        The graph.

    Examples
    --------
    >>> NamedGraph(("rain", "wet"), PDAG.from_edges(2, directed=[(0, 1)]))
    NamedGraph(names=('rain', 'wet'), graph=PDAG(n=2, directed=1, undirected=0))
    """

    names: tuple[str, ...]
    graph: PDAG | PAG

    def __post_init__(self) -> None:
        check_names(self.names)
        if len(self.names) != self.graph.n:
            raise InvalidGraphError(
                f"There are {len(self.names)} names for {self.graph.n} variables: give one name for each."
            )

    def edges(self) -> list[tuple[str, str, str]]:
        """List the edges as (source, target, type), sorted by the order of the variables."""
        return [(self.names[i], self.names[j], kind.value) for i, j, kind in self.graph.typed_edges()]
