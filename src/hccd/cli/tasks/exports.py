"""The further files of ``learn``: the graph in the formats of other programs, beside ``graph.json``.

What can be refused is refused before the long work: a file that exists already, a name that a format cannot hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hccd.errors import InvalidGraphError, InvalidParameterError
from hccd.files.replaceable import check_free
from hccd.graphs.marks import EdgeType
from hccd.graphs.typed import OF_PDAG
from hccd.result import HCCDResult

_STEM = "graph"


@dataclass(frozen=True)
class Exports:
    """Formats to write into a folder."""

    folder: Path
    formats: tuple[str, ...]
    force: bool = False

    def files(self) -> dict[str, Path]:
        """Return the file of each format."""
        if not self.formats:
            return {}
        # Imported here because most runs export nothing.
        from hccd.graphs.formats.files import format_named

        return {name: self.folder / f"{_STEM}{format_named(name).suffixes[0]}" for name in self.formats}

    def check(self) -> None:
        """Refuse to replace a file unless the user insists."""
        for path in self.files().values():
            check_free(path, force=self.force)

    def check_names(self, names: Sequence[str]) -> None:
        """Refuse names that one of the formats cannot hold."""
        if not self.formats:
            return
        from hccd.graphs.formats.files import encoded, format_named
        from hccd.graphs.formats.mixed import MixedGraph

        graph = MixedGraph(tuple(names), ())
        name = ""
        try:
            for name in self.formats:
                encoded(format_named(name), graph)
        except InvalidGraphError as error:
            raise InvalidParameterError(f"--export {name}: {error}") from None

    def check_edges(self, pag: bool) -> None:
        """Refuse formats that have no place for all edges that the graph of a run may have."""
        if not self.formats:
            return
        from hccd.graphs.formats.files import encoded, format_named
        from hccd.graphs.formats.mixed import MixedGraph

        graph, known = MixedGraph((), ()), None
        try:
            for known in map(format_named, self.formats):
                for kind in EdgeType if pag else OF_PDAG:
                    graph = MixedGraph(("a", "b"), ((0, 1, kind),), pag=pag)
                    encoded(known, graph)
        except InvalidGraphError:
            assert known is not None
            raise InvalidParameterError(
                f"--export {known.name}: {known.title} has no place for the {graph.edges[0][2].value} edges that a "
                f"{'PAG' if pag else 'CPDAG'} may have: choose another format"
            ) from None

    def write(self, result: HCCDResult) -> tuple[Path, ...]:
        """Write the files and return where they are."""
        return tuple(result.export(path, name, force=True) for name, path in self.files().items())
