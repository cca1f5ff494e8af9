"""Draw the README's picture (docs/example.svg) from the README's example: python docs/draw_example.py."""

from __future__ import annotations

import runpy
from pathlib import Path

from hccd.drawing.plot import result_scene
from hccd.drawing.svg import graph_svg

HERE = Path(__file__).parent

if __name__ == "__main__":
    learned = runpy.run_path(str(HERE.parent / "examples" / "electricity.py"))["result"]
    drawn = graph_svg(result_scene(learned), title="The graph learned in the example")
    (HERE / "example.svg").write_text(drawn + "\n", encoding="utf-8")
