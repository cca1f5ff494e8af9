"""What every graph with names can be turned into: other libraries' objects, files, and single DAGs.

The methods are doors only: each calls the function that does the work, and a foreign library is imported when its
door is opened.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hccd.errors import DataWarning, InvalidGraphError
from hccd.wording import counted

if TYPE_CHECKING:
    import networkx
    import pandas

    from hccd.graphs.formats.files import GraphFormat
    from hccd.graphs.formats.named import NamedGraph
    from hccd.graphs.formats.pgmpy import Kind
    from hccd.graphs.pag import PAG
    from hccd.graphs.pdag import PDAG


class HandOver:
    """Methods of everything that has ``names`` and a ``graph``."""

    if TYPE_CHECKING:

        @property
        def names(self) -> tuple[str, ...]:
            """Variable i is ``names[i]``."""

        @property
        def graph(self) -> PDAG | PAG:
            """The graph."""

    def to_networkx(self) -> networkx.DiGraph:
        """Return a networkx graph, whose arcs tell the type of their edge in ``type``.

        An edge that looks the same at both ends, such as an undirected one, is a pair of opposite arcs.
        Arcs have the ``confidence`` of their edge, and the probability of each kind of edge, where these are known.
        """
        from hccd.graphs.formats.networkx import to_networkx

        return to_networkx(self.graph, self.names, self._numbers())

    def to_pandas(self) -> pandas.DataFrame:
        """Return the adjacency matrix as a data frame: 1 in row a and column b is a -> b, 1 in both cells a - b.

        Of a PAG it is the matrix of marks in pcalg's coding ``amat.pag``: in row a and column b stands the mark at b, 1
        circle, 2 arrowhead, 3 tail.
        """
        from hccd.graphs.formats.pandas import to_pandas

        return to_pandas(self.graph, self.names)

    def to_causallearn(self) -> Any:
        """Return a ``GeneralGraph`` of causal-learn."""
        from hccd.graphs.formats.causallearn import to_causallearn

        return to_causallearn(self.graph, self.names)

    def to_pgmpy(self, kind: Kind | None = None) -> Any:
        """Return a graph of pgmpy.

        Parameters
        ----------
        kind : {"pdag", "dag", "network", "linear-gaussian"}, optional
            A ``PDAG``; or, of the graph that ``dag()`` returns, a ``DAG``, a ``DiscreteBayesianNetwork`` or a
            ``LinearGaussianBayesianNetwork``, both without parameters: ``fit(data)`` finds them. If there are
            undirected edges, a warning says that it is one DAG of several. By default a graph gives a ``PDAG``, and the
            result of a run the network that fits its data, as with ``"network"``: linear Gaussian for continuous data,
            discrete for discrete data, and a refusal for columns of both kinds, which pgmpy has no network for.
        """
        from hccd.graphs.formats.pgmpy import to_pgmpy

        pdag, kind = self.pdag("pgmpy"), self._kind_for_pgmpy(kind)
        made = to_pgmpy(pdag, self.names, kind)
        if kind != "pdag":
            self._warn_of_others(f"pgmpy's {type(made).__name__}")
        return made

    def to_dowhy(self) -> networkx.DiGraph:
        """Return what ``dowhy.CausalModel(graph=...)`` takes, for data of any kind: the DAG of ``dag()``, by networkx.

        If there are undirected edges, a warning says that it is one DAG of several.
        """
        self.pdag("DoWhy")
        made = self.dag().to_networkx()
        self._warn_of_others("DoWhy")
        return made

    def _warn_of_others(self, user: str) -> None:
        """Warn that a DAG is one of several that fit the data equally well."""
        undirected = len(self.pdag().undirected_edges())
        if undirected:
            warnings.warn(
                f"{counted(undirected, 'edge is', 'edges are')} undirected, but {user} needs a DAG: this is one of "
                "several DAGs that fit the data equally well; dag() gives this one, and dags() gives all of them",
                DataWarning,
                stacklevel=3,
            )

    def pdag(self, user: str = "") -> PDAG:
        """Return the graph for those who need one that stands for DAGs.

        Parameters
        ----------
        user : str
            Who needs it, for the sentence of a refusal.

        Raises
        ------
        InvalidGraphError
            If the graph is a PAG.
        """
        from hccd.graphs.pdag import PDAG

        if isinstance(self.graph, PDAG):
            return self.graph
        who = f"{user} needs a DAG, but this" if user else "this"
        raise InvalidGraphError(
            f"{who} graph is a PAG, which allows for hidden causes and represents no DAGs of its variables: learn "
            "without FCI to get a CPDAG"
        )

    def dag(self, seed: int | None = None) -> NamedGraph:
        """Return one DAG of the equivalence class.

        Parameters
        ----------
        seed : int, optional
            Draw the DAG, each member being equally likely. By default it is always the same one for the same order of
            columns.
        """
        from hccd.graphs.equivalence import pdag_to_dag
        from hccd.graphs.formats.named import NamedGraph

        return NamedGraph(self.names, pdag_to_dag(self.pdag())) if seed is None else self.sample_dags(1, seed)[0]

    def dags(self, limit: int | None = 10_000) -> Iterator[NamedGraph]:
        """Go through all DAGs of the equivalence class, each once, in a fixed order.

        Parameters
        ----------
        limit : int, optional
            Refuse if there are more than so many; None for no limit.

        Raises
        ------
        InvalidParameterError
            If there are more; ``class_size()`` tells how many.
        """
        from hccd.graphs.formats.named import NamedGraph
        from hccd.graphs.members import members

        names = self.names
        return (NamedGraph(names, dag) for dag in members(self.pdag(), limit))

    def sample_dags(self, k: int, seed: int = 0) -> list[NamedGraph]:
        """Draw DAGs of the equivalence class, each member equally likely at each draw, with repetitions.

        Parameters
        ----------
        k : int
            How many.
        seed : int
            The same seed gives the same DAGs, in whatever order the columns are.
        """
        from hccd.graphs.formats.named import NamedGraph
        from hccd.graphs.members import sample_members

        # Drawn in the order of the names, so that the order of the columns does not matter.
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        rank = [0] * len(order)
        for place, i in enumerate(order):
            rank[i] = place
        drawn = sample_members(self.pdag().relabelled(rank), k, seed)
        return [NamedGraph(self.names, dag.relabelled(order)) for dag in drawn]

    def class_size(self) -> int:
        """Return how many DAGs the equivalence class has, exactly."""
        from hccd.graphs.members import class_size

        return class_size(self.pdag())

    def export(self, path: str | os.PathLike[str], format: str | None = None, *, force: bool = False) -> Path:
        """Write the graph to a file that other programs read.

        Parameters
        ----------
        path : path
            The file; compressed with gzip if its name ends in ``.gz``.
        format : str, optional
            ``"json"``, ``"graphml"``, ``"gml"``, ``"dot"``, ``"adjacency"``, ``"edges"``, ``"dagitty"``, ``"amat"``,
            ``"amat-pag"`` or ``"tetrad"``; by default told from the end of the name.
        force : bool
            Replace a file that is there.

        Returns
        -------
        Path
            Where it is.
        """
        from hccd.graphs.formats.files import write_file

        return write_file(self._text, path, format, force=force)

    def _kind_for_pgmpy(self, kind: Kind | None) -> Kind:
        """Return the kind that is meant; a graph knows nothing of data."""
        return kind or "pdag"

    def _numbers(self) -> Mapping[tuple[int, int], Mapping[str, float]]:
        """Return numbers to be written with edges (source, target), by their names."""
        return {}

    def _text(self, known: GraphFormat) -> Iterable[str]:
        """Return the text of a file of this format, in pieces."""
        from hccd.graphs.formats.files import encoded
        from hccd.graphs.formats.mixed import MixedGraph

        return encoded(known, MixedGraph.of(self.names, self.graph, self._numbers()))
