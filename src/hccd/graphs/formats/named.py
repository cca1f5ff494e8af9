"""A graph together with the names of its variables: what a file holds."""

from __future__ import annotations

from dataclasses import dataclass

from hccd.errors import InvalidGraphError
from hccd.graphs.pdag import PDAG


@dataclass(frozen=True)
class NamedGraph:
    """A graph whose variables have names.

    Attributes
    ----------
    names : tuple of str
        Variable i is ``names[i]``; all different.
    graph : PDAG
        The graph.

    Examples
    --------
    >>> NamedGraph(("rain", "wet"), PDAG.from_edges(2, directed=[(0, 1)]))
    NamedGraph(names=('rain', 'wet'), graph=PDAG(n=2, directed=1, undirected=0))
    """

    names: tuple[str, ...]
    graph: PDAG

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in self.names:
            if name in seen:
                raise InvalidGraphError(f"The name {name!r} occurs more than once: give each variable its own.")
            seen.add(name)
        if len(self.names) != self.graph.n:
            raise InvalidGraphError(
                f"There are {len(self.names)} names for {self.graph.n} variables: give one name for each."
            )
