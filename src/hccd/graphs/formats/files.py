"""Graphs from files: which reader a file needs is told by how its name ends.

A format is a value, `GraphFormat`; those of the library are ``FORMATS``, and a caller may give more. Any file may be
packed with gzip, with or without ``.gz`` at its end.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from hccd.errors import FileFormatError, HCCDError
from hccd.graphs.formats.adjacency_csv import parse_adjacency_csv
from hccd.graphs.formats.hccd_graph import parse_hccd_graph
from hccd.graphs.formats.named import NamedGraph

#: What a folder that a run wrote holds.
GRAPH_FILE = "graph.json"


@dataclass(frozen=True)
class GraphFormat:
    """A format of files.

    Attributes
    ----------
    name : str
        What users call it.
    suffixes : tuple of str
        How the names of its files end, in lower case, with the dot and without ``.gz``.
    read : callable
        Takes the path and returns a `NamedGraph`; raises `FileFormatError` with a sentence that need not name the
        file.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Path], NamedGraph]


def read_text(path: Path) -> str:
    """Return the text of a file, unpacked if need be; one sentence for whatever is wrong with it."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError("there is no such file: check the name and the folder") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FileFormatError("the file is packed with gzip but damaged or cut off: fetch it again") from None
    except UnicodeDecodeError:
        raise FileFormatError("the file is not UTF-8 text: save it as such") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"the file cannot be read ({reason}): check the name") from None


FORMATS = (
    GraphFormat("hccd-graph", (".json",), lambda path: parse_hccd_graph(read_text(path))),
    GraphFormat("adjacency matrix", (".csv", ".tsv"), lambda path: parse_adjacency_csv(read_text(path))),
)


def read_graph(path: str | PathLike[str], formats: Sequence[GraphFormat] = FORMATS) -> NamedGraph:
    """Read a graph from a file, or from the ``graph.json`` of a folder.

    Parameters
    ----------
    path : str or path
        The file; the end of its name tells the format.
    formats : sequence of GraphFormat
        What can be read.

    Raises
    ------
    FileFormatError
        If the file cannot be read, with its name and the reason.
    """
    file = Path(path)
    try:
        if file.is_dir():
            file = file / GRAPH_FILE
        ending = [suffix.lower() for suffix in file.suffixes if suffix.lower() != ".gz"][-1:]
        for known in formats:
            if ending and ending[0] in known.suffixes:
                return known.read(file)
        endings = ", ".join(f"{', '.join(known.suffixes)} ({known.name})" for known in formats)
        raise FileFormatError(f"the end of the name does not tell a format of graphs: use one of {endings}")
    except (HCCDError, OSError, ValueError) as error:
        sentence = str(error)
        raise FileFormatError(sentence if str(file) in sentence else f"{str(file)!r}: {sentence}") from error
