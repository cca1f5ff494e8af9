"""Draw the README's picture (docs/example.svg) from the README's example: python docs/draw_example.py."""

from __future__ import annotations

import runpy
from html import escape
from pathlib import Path

from hccd import HCCDResult
from hccd.graphs import pdag_to_dag

HERE = Path(__file__).parent
WIDTH, HEIGHT, RADIUS = 150, 84, 34


def places(result: HCCDResult) -> dict[int, tuple[float, float]]:
    """Put every variable into the column of its longest path from a source, one below the other."""
    dag = pdag_to_dag(result.graph)
    column: dict[int, int] = {}
    for v in dag.topological_order() or ():
        column[v] = max((column[parent] + 1 for parent in dag.parents(v)), default=0)
    # A source stands just left of its first child, not at the far left.
    for v in range(dag.n):
        if not dag.parents(v) and dag.children(v):
            column[v] = min(column[child] for child in dag.children(v)) - 1
    found: dict[int, tuple[float, float]] = {}
    for c in sorted(set(column.values())):
        for row, v in enumerate(v for v in range(dag.n) if column[v] == c):
            found[v] = (60 + c * WIDTH, 50 + row * HEIGHT)
    return found


def drawing(result: HCCDResult) -> str:
    """Return the graph as SVG."""
    at = places(result)
    lines, nodes = [], []
    for source, target, kind in result.edges():
        (x1, y1), (x2, y2) = at[result.index(source)], at[result.index(target)]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        end = RADIUS + (7 if kind == "directed" else 0)
        head = ' marker-end="url(#head)"' if kind == "directed" else ""
        lines.append(
            f'<line x1="{x1 + ux * RADIUS:.0f}" y1="{y1 + uy * RADIUS:.0f}" '
            f'x2="{x2 - ux * end:.0f}" y2="{y2 - uy * end:.0f}"{head}/>'
        )
    for v, (x, y) in at.items():
        nodes.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}"/>')
        nodes.append(f'<text x="{x:.0f}" y="{y + 5:.0f}">{escape(result.names[v])}</text>')
    width = max(x for x, _ in at.values()) + 60
    height = max(y for _, y in at.values()) + 50
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img">
<title>The graph learned in the example</title>
<style>
line {{ stroke: #3b5b7a; stroke-width: 2 }} circle {{ fill: #e8f0f8; stroke: #3b5b7a; stroke-width: 1.5 }}
text {{ font: 15px sans-serif; text-anchor: middle; fill: #1a2733 }} path {{ fill: #3b5b7a }}
</style>
<rect width="100%" height="100%" fill="white"/>
<defs><marker id="head" markerWidth="9" markerHeight="8" refX="1" refY="4" orient="auto" markerUnits="userSpaceOnUse">
<path d="M0,0 L9,4 L0,8 z"/></marker></defs>
{chr(10).join(lines + nodes)}
</svg>
"""


if __name__ == "__main__":
    learned = runpy.run_path(str(HERE.parent / "examples" / "electricity.py"))["result"]
    (HERE / "example.svg").write_text(drawing(learned), encoding="utf-8")
