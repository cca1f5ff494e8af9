"""The output folder: found fit before the long work, made when there is something to put into it.

A run that fails leaves no file, no half of a file and no folder that was not there before. The ``graph.json`` and
``report.html`` of a run on the same data are replaced, so that commands can be repeated; a run on other data, and what
hccd did not write, is not, unless the user insists.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hccd.errors import InvalidParameterError
from hccd.files.folders import make_folders, unmake_folders
from hccd.files.replaceable import check_free
from hccd.report import MARK
from hccd.result import HCCDResult
from hccd.result.format import FORMAT
from hccd.wording import quoted

GRAPH_FILE = "graph.json"
REPORT_FILE = "report.html"

_GRAPH = re.compile(rf'\s*\{{\s*"format"\s*:\s*"{FORMAT}"'.encode())
_DIGEST = re.compile(_GRAPH.pattern + rb'\s*,\s*"version"\s*:\s*[0-9]+\s*,\s*"data_digest"\s*:\s*"([0-9a-f]+)"')
_REPORT = re.compile(re.escape(MARK).encode())
_LONGEST_PATH = 4096
#: What the system reports if a disk, or what the user may have of it, is full.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True)
class Output:
    """Where a run writes."""

    folder: Path
    force: bool = False
    report: bool = False

    @classmethod
    def at(cls, out: str, *, force: bool = False, report: bool = False) -> Output:
        """Take the folder as the user wrote it."""
        if not out:
            raise InvalidParameterError("--out is empty: give the name of a folder")
        try:
            return cls(Path(out).expanduser(), force, report)
        except RuntimeError:
            return cls(Path(out), force, report)

    @property
    def graph_file(self) -> Path:
        """Where the graph goes."""
        return self.folder / GRAPH_FILE

    @property
    def report_file(self) -> Path:
        """Where the page about it goes."""
        return self.folder / REPORT_FILE

    def check(self) -> None:
        """Refuse a folder that cannot be written to, by trying, and a file that must not be replaced."""
        try:
            made = make_folders(self.folder)
            try:
                handle, name = tempfile.mkstemp(dir=self.folder, prefix=f".{GRAPH_FILE}.")
                os.close(handle)
                Path(name).unlink()
                self.check_replaceable()
            finally:
                unmake_folders(made)
        except (OSError, ValueError) as error:
            if isinstance(error, InvalidParameterError):
                raise
            raise self.refusal(error) from None

    def write(self, result: HCCDResult) -> Path:
        """Write the graph, all of it or nothing, and return where it is."""
        made: list[Path] = []
        try:
            made = make_folders(self.folder)
            result.save(self.graph_file)
        except BaseException as error:
            unmake_folders(made)
            if isinstance(error, OSError):
                raise self.refusal(error) from None
            raise
        return self.graph_file

    def write_report(self, result: HCCDResult) -> Path:
        """Write the page beside the graph, and return where it is."""
        try:
            result.to_html(self.report_file)
        except OSError as error:
            raise self.refusal(error) from None
        return self.report_file

    def check_replaceable(self) -> None:
        """Refuse if something is in the way that must not be replaced."""
        check_ours(self.graph_file, _GRAPH, force=self.force)
        if self.report:
            check_report(self.report_file, force=self.force)

    def check_data(self, digest: str) -> None:
        """Refuse to replace the run of other data than those of this digest."""
        if self.force or not self.graph_file.exists():
            return
        found = _DIGEST.match(_beginning(self.graph_file))
        if found is None or found[1].decode() != digest:
            which = "of unknown data" if found is None else "of other data"
            raise InvalidParameterError(
                f"{quoted(self.graph_file, longest=_LONGEST_PATH)} is a graph {which}: choose another --out, or "
                "replace it with --force"
            )

    def refusal(self, error: OSError | ValueError) -> InvalidParameterError:
        """Put a failure of the operating system into a sentence about the folder."""
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        if isinstance(error, NotADirectoryError | FileExistsError):
            file = next((path for path in (self.folder, *self.folder.parents) if path.is_file()), self.folder)
            reason = f"{quoted(file, longest=_LONGEST_PATH)} is a file"
        named = quoted(self.folder, longest=_LONGEST_PATH)
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            return InvalidParameterError(
                f"there is no room for the files of the run in {named} ({reason}): make room and repeat the command"
            )
        return InvalidParameterError(f"the folder {named} cannot be written to ({reason}): choose another --out")


def check_report(path: Path, *, force: bool) -> None:
    """Refuse to replace something that is not a report of ours."""
    check_ours(path, _REPORT, force=force)


def check_ours(path: Path, beginning: re.Pattern[bytes], *, force: bool) -> None:
    """Refuse to replace a file that does not begin as ours do, and anything that is not a file."""
    check_free(path, force=True)
    if force or not path.exists():
        return
    if not beginning.match(_beginning(path)):
        raise InvalidParameterError(
            f"{quoted(path, longest=_LONGEST_PATH)} was not written by hccd: move it, choose another --out, or "
            "replace it with --force"
        )


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(256)
