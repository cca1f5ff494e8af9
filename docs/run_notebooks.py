"""Execute the notebooks: python docs/run_notebooks.py makes docs/notebooks/NAME.ipynb from docs/notebooks/NAME.py.

For the gallery, the first picture of each notebook that has one there is written to docs/gallery/NAME.png.

The sources are plain Python in the percent format: ``# %% [markdown]`` begins text, ``# %%`` begins code. What changes
from run to run (times, numbers of cells, versions) is left out, so the same source gives the same bytes.
"""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

FOLDER = Path(__file__).parent / "notebooks"
GALLERY = Path(__file__).parent / "gallery"


def unexecuted(source: str) -> NotebookNode:
    """Return the notebook of a source in the percent format."""
    import nbformat.v4 as nb

    cells = []
    for number, part in enumerate(re.split(r"^# %%", source, flags=re.MULTILINE)[1:], 1):
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            cell = nb.new_markdown_cell(re.sub(r"^# ?", "", body.strip("\n"), flags=re.MULTILINE))
        else:
            cell = nb.new_code_cell(body.strip("\n"))
        cell["id"] = f"cell-{number}"
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nb.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def executed(source: str, folder: Path) -> NotebookNode:
    """Run a source in ``folder`` and return its notebook; an error in a cell is an error here."""
    from nbclient import NotebookClient

    notebook = unexecuted(source)
    NotebookClient(
        notebook,
        timeout=300,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    ).execute()
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = _in_one_piece(cell["outputs"])
    notebook["metadata"]["language_info"] = {"name": "python"}
    return notebook


def _in_one_piece(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what was printed in pieces, whose borders depend on the moment; drop the numbers of cells."""
    joined: list[NotebookNode] = []
    for output in outputs:
        if "execution_count" in output:
            output["execution_count"] = None
        if output["output_type"] == "stream" and joined and joined[-1].get("name") == output["name"]:
            joined[-1]["text"] += output["text"]
        else:
            joined.append(output)
    return joined


def first_picture(notebook: NotebookNode) -> bytes:
    """Return the first picture that the cells drew."""
    outputs = (output.get("data", {}) for cell in notebook["cells"] for output in cell.get("outputs", ()))
    return base64.b64decode(next(data["image/png"] for data in outputs if "image/png" in data))


def main() -> None:
    """Execute every notebook, or those that are named."""
    import tempfile

    import nbformat

    for path in sorted(FOLDER.glob("*.py")):
        if len(sys.argv) > 1 and path.stem not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path.read_text(encoding="utf-8"), Path(folder))
        path.with_suffix(".ipynb").write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        if (picture := GALLERY / f"{path.stem}.png").exists():
            picture.write_bytes(first_picture(notebook))


if __name__ == "__main__":
    main()
