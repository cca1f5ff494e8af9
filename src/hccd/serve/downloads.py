"""The files of a finished run: the graph in every format that can hold it, the report, and all of them in one."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from hccd.cli.tasks.exports import Exports
from hccd.cli.tasks.output import GRAPH_FILE, REPORT_FILE
from hccd.errors import HCCDError
from hccd.graphs.formats.files import FORMATS
from hccd.result import HCCDResult

ALL_FILE = "hccd.zip"


def write_downloads(result: HCCDResult, folder: Path) -> list[dict[str, Any]]:
    """Write the graph in the formats of other programs beside the files that are there, and list what there is.

    A format that cannot hold the graph is in the list with the reason.
    """
    listed: list[dict[str, Any]] = [
        {"name": REPORT_FILE, "title": "the report, one page that needs no network"},
        {"name": GRAPH_FILE, "title": "the graph with all evidence, as hccd reads it"},
    ]
    for known in FORMATS[1:]:
        ((_, path),) = Exports(folder, (known.name,)).files().items()
        try:
            result.export(path, known.name, force=True)
        except HCCDError as refusal:
            path.unlink(missing_ok=True)
            listed.append({"name": path.name, "title": known.title, "refused": refusal.sentence})
        else:
            listed.append({"name": path.name, "title": known.title})
    with zipfile.ZipFile(folder / ALL_FILE, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in listed:
            if "refused" not in each:
                archive.write(folder / each["name"], each["name"])
    listed.append({"name": ALL_FILE, "title": "all of these"})
    for each in listed:
        each["bytes"] = None if "refused" in each else (folder / each["name"]).stat().st_size
    return listed
