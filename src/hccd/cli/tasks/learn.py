"""The work behind ``learn`` and ``demo``: try the folder, read, learn, write - so that nothing fails late.

Notes on how the data were understood are said once the data have been accepted, so that a refusal is one line alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from hccd.checkpoint.folder import CheckpointFolder
from hccd.cli.console import Console
from hccd.cli.interruptible import interruptible
from hccd.cli.tasks.exports import Exports
from hccd.cli.tasks.output import Output
from hccd.cli.tasks.request import Request
from hccd.discovery import learn_graph
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError
from hccd.files.content import STANDARD_INPUT, named_refusals
from hccd.preflight import check_data
from hccd.preflight.memory import refuse_too_large
from hccd.preflight.quick import quick_check
from hccd.progress.display import Display, Showing, display_on
from hccd.report import LARGEST_BY_DEFAULT
from hccd.result import HCCDResult
from hccd.run.conducted import Conducted, conducted
from hccd.run.option import shared_options
from hccd.run.options import CheckOptions, Options
from hccd.run.prepared import prepare
from hccd.streams import Stream, may_be_large, read_or_stream
from hccd.tables import FindingKind, Reading, Table, read_raw_table
from hccd.wording import counted, quoted

_MOST_SAID = 8
#: Runs that take longer, in seconds, are announced.
_LONG = 10.0


@dataclass(frozen=True)
class Finished:
    """What came of it."""

    request: Request
    table: Table
    result: HCCDResult
    graph_file: Path
    report_file: Path | None
    exported: tuple[Path, ...] = ()


def run(request: Request, console: Console, showing: Showing = display_on) -> Finished:
    """Learn from the file and write the graph; ``showing`` gives what shows how far it is."""
    output = Output.at(request.out, force=request.force, report=request.report is not False)
    output.check()
    exports = Exports(output.folder, request.export, request.force)
    exports.check()
    checkpoint = CheckpointFolder(output.folder, note=console.note)
    with showing(console.progress) as display:
        try:
            table, result = interruptible(
                lambda: _read_and_learn(request, output, exports, console, display, checkpoint)
            )
            display.say(f"writing {output.graph_file}")
            graph_file, exported = output.write(result), exports.write(result)
            report_file = _reported(request, result, output, console, display)
        except BaseException:
            # Interrupted, or the disk is full, or a cluster is gone.
            if checkpoint.saved:
                console.note(f"the state of the run is saved in {output.folder}: repeat the command to continue")
            raise
    checkpoint.remove()
    return Finished(request, table, result, graph_file, report_file, exported)


def _reported(
    request: Request,
    result: HCCDResult,
    output: Output,
    console: Console,
    display: Display,
) -> Path | None:
    """Write the report if it is wanted; one of an earlier run that is left there must not be taken for this one."""
    if request.report or (request.report is None and len(result.names) <= LARGEST_BY_DEFAULT):
        display.say(f"writing {output.report_file}")
        return output.write_report(result)
    if request.report is None:
        console.note(f"no report is written for more than {LARGEST_BY_DEFAULT} variables: add --report for one")
    if output.report_file.exists():
        console.note(f"{quoted(output.report_file, longest=4096)} is of an earlier run")
    return None


def _read_and_learn(
    request: Request,
    output: Output,
    exports: Exports,
    console: Console,
    display: Display,
    checkpoint: CheckpointFolder,
) -> tuple[Table, HCCDResult]:
    """Do the long part; what is wrong with the data is told with the name of the file."""
    own = replace(request.options, progress=display, checkpoint=checkpoint)
    with conducted(own, console.note) as run:
        return _learned(request, output, exports, console, display, run)


def _learned(
    request: Request, output: Output, exports: Exports, console: Console, display: Display, run: Conducted[Options]
) -> tuple[Table, HCCDResult]:
    display.say(f"reading {request.data}")
    with _all_that_is_wrong(request):
        data = read_or_stream(request.data, request.reading, always=request.stream)
    output.check_data(data.digest)
    if isinstance(data, Stream):
        display.say(f"streaming {request.data}")
    exports.check_names(data.names)
    whole = nullcontext() if isinstance(data, Stream) else _all_that_is_wrong(request)
    with _warnings_said(console), whole, named_refusals(request.data):
        refuse_too_large(len(data.names))
        prepared = prepare(data, run.options)
        exports.check_edges(prepared.settings.pag is not None)
        check = quick_check(prepared)
        assert prepared.table is not None
        streamed = [each.sentence for each in prepared.binding.findings if each.kind is FindingKind.STREAMED]
        for sentence in (*prepared.table.notes, *streamed):
            console.note(sentence)
        cost = None if check is None else check.estimate
        if cost is not None:
            display.expect(cost.phases)
            if cost.seconds > _LONG:
                console.note(f"expected: {cost}, within a factor of {cost.factor:g}; --max-order limits the tests")
        result = run.over(learn_graph(prepared))
    # How the table was read is a part of how the run is repeated.
    reading = {name: value for name, value in request.reading.items() if value not in (None, (), {})}
    recorded = {"reading": reading} if reading else {}
    return prepared.table, replace(result, parameters={**result.parameters, **recorded})


@contextmanager
def _all_that_is_wrong(request: Request) -> Iterator[None]:
    """Let a refusal of the data name everything that a check would refuse, not only what came first."""
    try:
        yield
    except (InvalidDataError, InvalidParameterError):
        if str(request.data) != STANDARD_INPUT and not (request.stream or may_be_large(request.data)):
            wanted = shared_options(request.options, CheckOptions)
            with suppress(InvalidParameterError), named_refusals(request.data):
                raw = read_raw_table(request.data, Reading(**request.reading))
                check_data(raw, **wanted, estimate=False).raise_if_refused()
        raise


@contextmanager
def _warnings_said(console: Console) -> Iterator[None]:
    """Say warnings about the data as they come, each once and not too many; the graph's file and the report have all.

    Whatever else is warned of is no business of the user's.
    """
    given: list[str] = []

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, DataWarning) and str(message) not in given:
            given.append(str(message))
            if len(given) <= _MOST_SAID:
                console.warning(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = show
        yield
    if len(given) > _MOST_SAID:
        left = counted(len(given) - _MOST_SAID, "more warning is", "more warnings are")
        console.warning(f"{left} in the report, and shown by hccd explain")
