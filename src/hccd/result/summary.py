"""A result in a few lines of text, with its edges: what ``print`` shows, and what ``hccd learn`` says first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hccd.graphs.marks import EdgeType
from hccd.graphs.typed import types_told
from hccd.result.belief import belief
from hccd.result.confidence import Edge
from hccd.wording import counted, shortened

if TYPE_CHECKING:
    from hccd.result.hccd_result import HCCDResult

#: More edges are counted, not listed.
MOST_EDGES = 40
#: Fewer are listed one below the other.
_FEWEST_LINES = 10


def summary(result: HCCDResult, most: int = MOST_EDGES) -> str:
    """Return the variables, the edges and how sure they are."""
    n, own = len(result.names), result.parameters
    rows = own.get("n_samples")
    about = [counted(n, "variable"), *([] if rows is None else [f"{rows:,} rows"])]
    edges = len(result.skeleton.edges)
    types = types_told(result.graph) if edges else ""
    about.append(f"{counted(edges, 'edge')} ({types})" if types else counted(edges, "edge"))
    lines = [", ".join(about), *edge_lines(result, "edges() lists all", most=most)]
    found = belief(result)
    if found is not None and edges:
        lines.append(f"sure: {found.sure}")
    if result.findings:
        lines.append(f"{counted(len(result.findings), 'warning')}, listed in the attribute 'warnings'")
    return "\n".join(lines)


def edge_lines(result: HCCDResult, all_of_them: str, *, width: int = 80, most: int | None = MOST_EDGES) -> list[str]:
    """List the edges in columns, the surest first, and say where all of them are if these are too many."""
    edges = sorted(result.edges(), key=lambda edge: -_percent(edge))
    shown = edges if most is None else edges[:most]
    texts = [f"{shortened(source)} {EdgeType(kind).sign} {shortened(target)}" for source, target, kind in shown]
    lines = []
    if result.confidence is not None and shown:
        lines.append("edges, each with the probability that the two are adjacent:")
        longest = max(map(len, texts))
        texts = [f"{text:<{longest}}  {_percent(edge) / 100:.2f}" for text, edge in zip(texts, shown, strict=True)]
    lines += [f"  {line}" for line in in_columns(texts, width - 2)]
    if len(edges) > len(shown):
        lines.append(f"  and {len(edges) - len(shown):,} more: {all_of_them}")
    return lines


def _percent(edge: Edge) -> int:
    """Return how sure an edge is, rounded down: 0.996 is not certain. Edges that are equal so keep their order."""
    return 0 if edge.confidence is None else int(100 * edge.confidence + 1e-9)


def in_columns(items: Sequence[str], width: int) -> list[str]:
    """Lay out items in columns that are read downwards, in lines no longer than ``width`` where that can be."""
    if not items:
        return []
    cell = max(map(len, items)) + 3
    n_columns = max(1, (width + 3) // cell)
    n_lines = max(-(-len(items) // n_columns), min(len(items), _FEWEST_LINES))
    lines = (items[i::n_lines] for i in range(n_lines))
    return ["".join(f"{item:<{cell}}" for item in line).rstrip() for line in lines]
