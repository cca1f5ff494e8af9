"""What a run learned: the graph, why each edge is there or not, what it cost. A frozen value.

Variables carry the numbers and names of the caller's columns. ``to_dict`` is the content of ``graph.json``, the format
that other programs rely on (``hccd-graph``, version 1); ``from_dict`` reads it back.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hccd.clustering import ClusterTree
from hccd.errors import InvalidParameterError
from hccd.files.content import named_refusals
from hccd.files.whole import write_whole
from hccd.graphs import PAG, AnyGraph, SeparatingSets, Skeleton
from hccd.graphs.constraints import Constraints
from hccd.graphs.formats.named import NamedGraph
from hccd.graphs.hand_over import HandOver
from hccd.graphs.typed import types_told
from hccd.knowledge import as_knowledge
from hccd.orientation import Conflict, Triple
from hccd.result.confidence import DIGITS, Confidence, Edge
from hccd.result.consensus import consensus
from hccd.result.explain import explain
from hccd.result.file import json_pieces, read_json, write_json
from hccd.result.fit import Fit
from hccd.result.format import fields_from_dict, numbered_edges, to_dict
from hccd.result.marginal_separations import MarginalSeparations
from hccd.result.methods_text import methods_text
from hccd.result.network_kind import network_kind
from hccd.result.removal import Removal, removal_of
from hccd.result.summary import MOST_EDGES, summary
from hccd.scoring import ScoreSearch
from hccd.tables import Finding, Table, as_table
from hccd.wording import closest, listed, quoted
from hccd.wrapper import Removals, TestCounts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hccd.effects import Effect
    from hccd.graphs.formats.files import GraphFormat
    from hccd.graphs.formats.pgmpy import Kind as PgmpyKind
    from hccd.report import CheckSection, PlainData


@dataclass(frozen=True, eq=False)
class HCCDResult(HandOver):
    """The result of a run.

    Attributes
    ----------
    names : tuple of str
        Column names; variable i is ``names[i]``.
    graph : PDAG or PAG
        The learned graph: a PDAG is always acyclic, closed under Meek's rules, and extendable to a DAG. With the
        baselines ``fci`` and ``rfci``, which allow for hidden causes and selected rows, it is a partial ancestral
        graph; that of ``fci`` is valid as well.
    tree : ClusterTree
        The clusters that were used; one cluster for plain PC.
    removals, marginal : Removals, MarginalSeparations
        The pairs without an edge: those that a set of variables separates, and those independent without condition.
    colliders : sequence of Triple
        The colliders of the graph that the tests found.
    conflicts : sequence of Conflict
        Tests for a collider that the graph disagrees with.
    reasons : mapping
        Why each arrow (i, j) is there: ``collider``, ``score``, ``forced``, ``knowledge``, or the Meek rule that
        derived it. In a PAG, why the mark at j of the edge between i and j is an arrowhead or a tail: ``collider``,
        ``knowledge``, or one of the rules of FCI.
    strength : array
        Unconditional strength of each edge of ``skeleton``.
    tests : TestCounts
        Independence tests made.
    seconds, parameters
        Time of each stage, and the settings of the run.
    findings : tuple of Finding
        Warnings about the data and the graph, each with a sentence.
    score : ScoreSearch or None
        What the score search changed; None if there was none.
    fit : Fit or None
        How well the graph fits the data; None if that is unknown, as for a test of your own.
    confidence : Confidence or None
        How probable each edge is, from resamples of the rows; None if none were drawn.
    data_digest : str
        A digest of the file that the graph was learned from; empty if there was none.
    table : Table or None
        The data, for `effect`; neither saved nor pickled.
    """

    names: tuple[str, ...]
    graph: AnyGraph
    tree: ClusterTree
    removals: Removals
    marginal: MarginalSeparations
    colliders: Sequence[Triple]
    conflicts: Sequence[Conflict]
    reasons: Mapping[tuple[int, int], str]
    strength: NDArray[np.float64]
    tests: TestCounts
    seconds: Mapping[str, float]
    parameters: Mapping[str, Any]
    findings: tuple[Finding, ...] = field(default=())
    score: ScoreSearch | None = None
    fit: Fit | None = None
    confidence: Confidence | None = None
    data_digest: str = ""
    table: Table | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "table": None}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The sentences of ``findings``."""
        return tuple(finding.sentence for finding in self.findings)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The graph without directions."""
        return self.graph.skeleton()

    @property
    def tested(self) -> AnyGraph:
        """The graph of the tests, from which the score search started; ``graph`` itself if there was none."""
        return self.graph if self.score is None else self.score.tested

    @cached_property
    def constraints(self) -> Constraints | None:
        """The background knowledge as matrices, copies of columns included; None if there is none."""
        described, copies = self.parameters.get("knowledge"), self.parameters.get("copies")
        if not described and not copies:
            return None
        n, names = len(self.names), self.names
        known = as_knowledge(described).constraints(names) if described else Constraints.none(n)
        return known.with_copies([(names.index(x), names.index(copy)) for copy, x in (copies or {}).items()])

    @cached_property
    def separators(self) -> SeparatingSets:
        """The separating set of every separated pair."""
        return SeparatingSets(self.marginal.independent, self.removals.separations)

    @cached_property
    def unseparated(self) -> NDArray[np.int64]:
        """The pairs x < y without an edge in the graph of the tests although no set separated them, one in each row."""
        rest = ~self.marginal.independent & ~self.tested.skeleton().adjacency
        x, y = self.removals.separations.pairs.T
        rest[x, y] = False
        return np.argwhere(np.triu(rest, 1))

    def index(self, name: str | int) -> int:
        """Return the number of a variable, from its name or its number."""
        if isinstance(name, str):
            if name in self.names:
                return self.names.index(name)
        elif isinstance(name, Integral) and 0 <= name < len(self.names):
            return int(name)
        near = closest(str(name), self.names)
        hint = f"did you mean {' or '.join(map(quoted, near))}?" if near else ""
        hint = hint or f"its variables are {listed([quoted(other) for other in self.names])}"
        raise InvalidParameterError(f"there is no variable {quoted(name)} in this result: {hint}")

    def removal(self, x: str | int, y: str | int) -> Removal | None:
        """Return what separated ``x`` and ``y``, or None. The score search may have added the edge nevertheless."""
        i, j = sorted((self.index(x), self.index(y)))
        return removal_of(self, i, j)

    def explain(self, x: str | int, y: str | int) -> str:
        """Say why there is an edge between ``x`` and ``y``, or none, with the evidence."""
        return explain(self, self.index(x), self.index(y))

    def edges(self) -> list[Edge]:
        """List the edges as (source, target, type), with ``confidence`` and ``probabilities`` as attributes.

        A symmetric edge has its ends in column order.
        """
        own = self.confidence
        return [
            Edge(self.names[i], self.names[j], kind, None if own is None else own.of(i, j))
            for i, j, kind in numbered_edges(self.graph)
        ]

    def consensus(self, threshold: float = 0.5) -> NamedGraph:
        """Return the graph of the edges that are probable enough: a valid CPDAG, which agrees with the knowledge.

        Parameters
        ----------
        threshold : float
            The least probability of an edge, above 0 and up to 1.

        Raises
        ------
        InvalidParameterError
            If no resamples were drawn.
        """
        if not (isinstance(threshold, Real) and 0.0 < threshold <= 1.0):
            raise InvalidParameterError(f"threshold is {threshold!r}; give a probability above 0, such as 0.5")
        if isinstance(self.graph, PAG):
            raise InvalidParameterError("a consensus is a CPDAG, and this graph is a PAG: learn without FCI to get one")
        if self.confidence is None:
            raise InvalidParameterError("no resamples were drawn, so there is no consensus: learn with bootstrap=100")
        order = np.array(sorted(range(len(self.names)), key=self.names.__getitem__), np.int64)
        return NamedGraph(self.names, consensus(self.confidence, float(threshold), order, self.constraints))

    def effect(self, cause: str | int, effect: str | int, data: Any = None, *, level: float = 0.95) -> Effect:
        """Estimate the total effect of one variable on another, for every graph of the equivalence class (IDA).

        In each graph the effect is estimated by adjusting for the parents of the cause. Where undirected edges leave
        the parents open, there are several possible effects. On a continuous variable the effect is a change of the
        mean, by linear regression; on a discrete one it is the probability of each state.

        Parameters
        ----------
        cause, effect : name or number
            The variables.
        data : table, optional
            The data, with a column for each variable; by default the table that the graph was learned from. A
            result that was read from a file has no table, so give one.
        level : float
            The level of the intervals.

        Returns
        -------
        Effect
            ``print`` shows it in words.
        """
        from hccd.effects import effect_of

        if isinstance(self.graph, PAG):
            raise InvalidParameterError("effects are estimated from DAGs and CPDAGs: learn without fci or rfci")
        table = self.table if data is None else as_table(data)
        if table is None:
            raise InvalidParameterError("a result from a file has no data: give the table, effect(cause, effect, data)")
        missing = [name for name in self.names if name not in table.names]
        if missing:
            raise InvalidParameterError(f"the data have no column {quoted(missing[0])}: give the table of this graph")
        table = table.part([table.names.index(name) for name in self.names])
        test = str(dict(self.parameters.get("test", {})).get("name"))
        return effect_of(self.graph, table, test, self.index(cause), self.index(effect), level)

    def _kind_for_pgmpy(self, kind: PgmpyKind | None) -> PgmpyKind:
        """Take a Bayesian network that fits the kind of data, unless another graph is asked for."""
        return network_kind(self) if kind in (None, "network") else kind

    def plot(
        self,
        kind: str = "graph",
        *,
        ax: Axes | Figure | None = None,
        around: str | int | Sequence[str | int] | None = None,
        distance: int = 1,
        ratio: float = 1.6,
    ) -> Axes:
        """Draw the result with matplotlib (``pip install 'hccd[plot]'``); Graphviz is not needed.

        Parameters
        ----------
        kind : {"graph", "clusters", "tree", "tests"}
            The learned graph, coloured by cluster; the tree of clusters with their members; both, side by side; the
            tests by size of the conditioning set and stage.
        ax : Axes or Figure, optional
            Where to draw; a figure is given the right size. By default a new figure is made.
        around : name, number or sequence of them, optional
            For ``graph``: draw only the neighbourhood of these variables.
        distance : int
            The largest distance from ``around``, in edges.
        ratio : float
            Wanted width of the graph divided by its height.

        Returns
        -------
        Axes
            Ends of edges are arrowheads, circles or plain, and a legend explains the types. With ``confidence`` a line
            is wider and darker for a more probable edge, and an arrowhead darker for a more probable direction. The
            picture does not depend on the order of the columns.
        """
        from hccd.drawing.plot import plot

        drawn: Axes = plot(self, kind, ax=ax, around=around, distance=distance, ratio=ratio)
        return drawn

    def _repr_html_(self) -> str:
        """Show a summary in a notebook, with the graph if it is not too large."""
        from hccd.drawing.notebook import result_html

        return result_html(self)

    def summary(self, most: int = MOST_EDGES) -> str:
        """Return the result in a few lines of text with its edges, the surest first, as ``print`` shows it.

        Parameters
        ----------
        most : int
            How many edges are listed; the rest are only counted.
        """
        return summary(self, most)

    def methods_text(self) -> str:
        """Return a paragraph for the methods section of a paper: what was done, with which settings."""
        return methods_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as in ``graph.json``."""
        return to_dict(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> HCCDResult:
        """Rebuild a result from plain data."""
        return HCCDResult(**fields_from_dict(data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON; the file is complete or not there at all."""
        write_json(self.to_dict(), Path(path))

    def _numbers(self) -> dict[tuple[int, int], dict[str, float]]:
        """Return how sure each edge is, for formats that have a place for it."""
        if self.confidence is None:
            return {}
        found = {}
        for i, j, _ in numbered_edges(self.graph):
            probabilities = self.confidence.of(i, j)
            found[i, j] = {"confidence": round(probabilities.adjacent, DIGITS), **probabilities._asdict()}
        return found

    def _text(self, known: GraphFormat) -> Iterable[str]:
        """Keep the evidence in the one format that has a place for it."""
        return json_pieces(self.to_dict()) if known.name == "json" else super()._text(known)

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        data_check: CheckSection | PlainData | Mapping[str, Any] | None = None,
    ) -> str:
        """Return the result as one page to explore in a browser, without a network; write it if a path is given.

        Parameters
        ----------
        path : path-like, optional
            Where to write the page, replacing what is there.
        data_check : optional
            Findings about the data to show in it: what ``hccd.check_data`` returns, a ``hccd.report.CheckSection``, or
            ``{"title": ..., "lines": [...]}``.
        """
        from hccd.report import report_html

        html = report_html(self, data_check=data_check)
        if path is not None:
            write_whole(Path(path), [html])
        return html

    @staticmethod
    def load(path: str | os.PathLike[str]) -> HCCDResult:
        """Read a result that ``save`` wrote."""
        with named_refusals(path):
            return HCCDResult.from_dict(read_json(Path(path)))

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        types = " and ".join(types_told(self.graph).rsplit(", ", 1)) or "no"
        return f"HCCDResult({len(self.names)} variables, {types} edges, {self.tests.total} tests)"
