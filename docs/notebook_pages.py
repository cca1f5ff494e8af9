"""Notebooks as pages of the site: a hook of mkdocs that turns each executed .ipynb into Markdown, outputs included.

Nothing is executed here: what the page shows is what the notebook holds (docs/run_notebooks.py puts it there).
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, and its pictures; the notebook itself is there to download."""
    from mkdocs.structure.files import File

    for path in sorted((Path(config.docs_dir) / "notebooks").glob("*.ipynb")):
        page, pictures = converted(json.loads(path.read_text(encoding="utf-8")), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page))
        for name, content in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    return files


def converted(notebook: dict[str, Any], stem: str) -> tuple[str, dict[str, bytes]]:
    """Return the page of a notebook, and its pictures by their names."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts.append(f"```python\n{source}\n```")
            for output in cell["outputs"]:
                parts.extend(_shown(output, stem, pictures))
    # The first part is the title.
    parts.insert(1, f'[Download this notebook]({stem}.ipynb){{ download="{stem}.ipynb" }}')
    return "\n\n".join(parts) + "\n", pictures


def _shown(output: dict[str, Any], stem: str, pictures: dict[str, bytes]) -> Iterator[str]:
    """Give the richest form of an output that a page can show; add the pictures to ``pictures``."""
    data = output.get("data", {})
    if output["output_type"] == "stream":
        yield _literal("".join(output["text"]))
    elif "image/svg+xml" in data or "image/png" in data:
        ending, kind = ("svg", "image/svg+xml") if "image/svg+xml" in data else ("png", "image/png")
        name = f"{stem}-{len(pictures) + 1}.{ending}"
        content = "".join(data[kind])
        pictures[name] = content.encode() if ending == "svg" else base64.b64decode(content)
        yield f"![{html.escape(_text_of(data))}]({name})"
    elif "text/html" in data:
        # One block without empty lines, which would end it in Markdown.
        lines = "".join(data["text/html"]).splitlines()
        yield '<div class="output">' + "\n".join(line for line in lines if line.strip()) + "</div>"
    elif "text/plain" in data:
        yield _literal(_text_of(data))


def _text_of(data: dict[str, Any]) -> str:
    return "".join(data.get("text/plain", "a picture"))


def _literal(text: str) -> str:
    """Show text as it is; in HTML, so that nothing in it is taken for Markdown."""
    safe = html.escape(text.rstrip("\n")).replace("\n\n", "\n&#8203;\n")
    return f'<pre class="output"><code>{safe}</code></pre>'
