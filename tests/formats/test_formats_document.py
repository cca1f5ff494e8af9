"""docs/FORMATS.md: its table names every format, word and ending."""

from __future__ import annotations

import re
from pathlib import Path

import hccd
from hccd.graphs.hand_over import HandOver
from hccd.result import graph_files

TEXT = (Path(__file__).parents[2] / "docs" / "FORMATS.md").read_text(encoding="utf-8")


def test_the_table_names_every_format() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `([a-z-]+)` \| ([^|]+) \|", TEXT, re.M)
    assert [word for _, word, _ in rows] == [known.name for known in graph_files.FORMATS]
    for known, (_, _, endings) in zip(graph_files.FORMATS, rows, strict=True):
        named = set(re.findall(r"`([^`]+)`", endings))
        assert known.suffixes[0] in named and named <= set(known.suffixes)
        # Endings that several formats share are told in words.
        assert set(known.suffixes) - named <= {".csv", ".tsv", ".txt"}


def test_the_methods_and_functions_exist() -> None:
    for method in re.findall(r"`(to_\w+|dags?|sample_dags|class_size)\(", TEXT):
        assert callable(getattr(HandOver, method))
    for name in re.findall(r"`hccd\.(from_\w+|NamedGraph|read_graph)`", TEXT):
        assert name in hccd.__all__
