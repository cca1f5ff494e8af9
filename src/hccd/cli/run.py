"""The work behind ``learn`` and ``demo``: try the folder, read, learn, write - so that nothing fails late.

Notes on how the data were understood are said once the data have been accepted, so that a refusal is one line alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from hccd.baselines import PC
from hccd.checkpoints import CheckpointFolder
from hccd.cli.console import Console
from hccd.cli.exports import Exports
from hccd.cli.interruptible import interruptible
from hccd.cli.output import Output
from hccd.cli.progress import ProgressTeller, progress_line
from hccd.cli.request import Request
from hccd.discovery import discover
from hccd.errors import DataWarning, InvalidDataError
from hccd.events import Progress, ProgressFunction
from hccd.result import HCCDResult
from hccd.settings import settings_for
from hccd.tables import Table, read_table
from hccd.tables.wording import quoted


@dataclass(frozen=True)
class Finished:
    """What came of it."""

    request: Request
    table: Table
    result: HCCDResult
    graph_file: Path
    exported: tuple[Path, ...] = ()


def run(request: Request, console: Console) -> Finished:
    """Learn from the file and write the graph."""
    output = Output.at(request.out, force=request.force)
    output.check()
    exports = Exports(output.folder, request.export, request.force)
    exports.check()
    kept = CheckpointFolder(output.folder, told=console.note)
    with progress_line(console) as show:
        try:
            table, result = interruptible(lambda: _read_and_learn(request, exports, console, show, kept))
        except KeyboardInterrupt:
            if kept.saved:
                console.note(f"what was learned so far is kept in {output.folder}: the same command goes on from there")
            raise
        show(f"writing {output.graph_file}")
        finished = Finished(request, table, result, output.write(result), exports.write(result))
    kept.remove()
    return finished


def _read_and_learn(
    request: Request, exports: Exports, console: Console, show: Callable[[str], None], kept: CheckpointFolder
) -> tuple[Table, HCCDResult]:
    """Do the long part."""
    show(f"reading {request.data}")
    table = read_table(request.data, drop=request.drop)
    exports.check_names(table.names)

    teller = ProgressTeller()

    def report(event: Progress) -> None:
        if event.stage == "marginal":
            for sentence in table.notes:
                console.note(sentence)
        show(teller.told(event))

    with _warnings_told(console):
        return table, _learned(request, table, report, kept)


def _learned(request: Request, table: Table, report: ProgressFunction, kept: CheckpointFolder) -> HCCDResult:
    """Call the library; what is wrong with the data is told with the name of the file."""
    baseline = settings_for(request.method, request.preset).baseline
    if request.max_order is not None:
        assert isinstance(baseline, PC)
        baseline = replace(baseline, max_order=request.max_order)
    try:
        return discover(
            table,
            test=request.test,
            alpha=request.alpha,
            threshold=request.threshold,
            method=request.method,
            preset=request.preset,
            baseline=baseline,
            seed=request.seed,
            n_jobs=request.jobs,
            progress=report,
            checkpoint=kept,
        )
    except InvalidDataError as error:
        raise type(error)(f"{quoted(request.data, longest=4096)}: {error}") from error


@contextmanager
def _warnings_told(console: Console) -> Iterator[None]:
    """Say warnings about the data as they come; whatever else is warned of is no business of the user's."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, DataWarning):
            console.warning(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = show
        yield
