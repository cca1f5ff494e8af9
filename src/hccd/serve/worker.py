"""The process that works on one table: jobs come in as lines of JSON, news and answers go out the same way.

A job is what ``hccd check`` or ``hccd learn`` does, by the same functions. When the server is gone, so is this.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hccd.cli.console import Console
from hccd.cli.failure import exit_code_of
from hccd.cli.tasks.learn import run
from hccd.cli.tasks.request import Request
from hccd.cli.tasks.summary import summary_rows
from hccd.errors import FileFormatError, HCCDError
from hccd.preflight import check_data
from hccd.progress.display import Display, Shown
from hccd.report.repeat import repetition
from hccd.run.option import shared_options
from hccd.run.options import CheckOptions
from hccd.serve.downloads import write_downloads
from hccd.serve.examples import examples
from hccd.serve.form import asked
from hccd.tables import Reading, read_raw_table
from hccd.wording import quoted

Tell = Callable[[dict[str, Any]], None]

_EVERY = 0.2
_PIECE = 1 << 20


class Listener(Console):
    """What a command would say, kept."""

    def __init__(self, tell: Tell = lambda news: None) -> None:
        super().__init__(quiet=True)
        self.said: dict[str, list[str]] = {"note": [], "warning": [], "error": []}
        self._news = tell

    def _tell(self, what: str, sentence: str) -> None:
        self.said[what].append(sentence)
        self._news({"said": [what, sentence]})


class HowFar:
    """The progress of a run, told a few times in a second, since time goes on between two events."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._shown: Shown = lambda: ("", None)

    @contextmanager
    def display(self, _terminal: Any) -> Iterator[Display]:
        """Give what shows how far a run is, as ``display_on`` does for terminals."""
        over = threading.Event()

        def ticking() -> None:
            while not over.wait(_EVERY):
                self._tell({"progress": self._now()})

        thread = threading.Thread(target=ticking, daemon=True)
        thread.start()
        try:
            yield Display(self._show)
        finally:
            over.set()
            thread.join()

    def _show(self, shown: Shown) -> None:
        self._shown = shown

    def _now(self) -> dict[str, Any]:
        """Say how it stands: what is done, the time, and how much of this phase is done if anybody knows."""
        text, share = self._shown()
        verb, _, path = text.partition(" ")
        if verb in ("reading", "writing"):
            # The folder is of no interest, and the table has another name for the user.
            time, doing = "", f"{verb} {'the table' if verb == 'reading' else Path(path).name}"
        else:
            time, _, doing = text.partition(": ")
        return {"doing": doing, "time": time, "share": None if share is None or share != share else share}


def look(job: Mapping[str, Any], _tell: Tell) -> dict[str, Any]:
    """Do what ``hccd check`` does."""
    options, reading = asked(job["wishes"])
    refuse_bomb(Path(job["data"]), job["limit"])
    raw = read_raw_table(job["data"], Reading(**reading))
    found = check_data(raw, **shared_options(options, CheckOptions))
    refused = (
        {name for finding in found.of("error") for name in finding.columns} if found.understood else set(raw.names)
    )
    kinds = {each.name: "ordinal" if each.told_by == "ordinal" else each.kind for each in found.columns if each.kind}
    return {
        "check": found.to_dict(),
        "expected": None if found.estimate is None else str(found.estimate),
        "columns": [
            # What has no kind where others have one was left out, unless it is why the table is refused.
            {"name": name, "examples": examples(column), "own": kinds.get(name, "out" if name not in refused else None)}
            for name, column in zip(raw.names, raw.columns, strict=True)
        ],
    }


def learn(job: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Do what ``hccd learn`` does, and write the graph in all formats."""
    options, reading = asked(job["wishes"])
    refuse_bomb(Path(job["data"]), job["limit"])
    console, far = Listener(tell), HowFar(tell)
    request = Request(
        data=Path(job["data"]),
        out=job["out"],
        options=options,
        reading=reading,
        force=True,
        report=True,
    )
    finished = run(request, console, far.display)
    tell({"progress": {"doing": "writing other formats", "time": "", "share": None}})
    again = repetition(finished.result.parameters, job["source"])
    return {
        "summary": [row for row in summary_rows(finished) if row[0] not in ("written", "report")],
        "files": write_downloads(finished.result, Path(job["out"])),
        "repeat": None if again is None else {"command": again.command, "python": again.python},
        "methods": finished.result.methods_text(),
        "said": console.said,
    }


JOBS = {"look": look, "learn": learn}


def refuse_bomb(data: Path, limit: int) -> None:
    """Refuse a file that is small and unpacks to more than a file may have."""
    with data.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return
    try:
        with gzip.open(data) as packed:
            size = 0
            while piece := packed.read(_PIECE):
                size += len(piece)
                if size > limit:
                    raise FileFormatError(
                        f"the file unpacks to more than {limit // 1_000_000:,} MB: leave out rows or columns, or start "
                        "hccd serve with a larger --max-size"
                    )
    except (OSError, EOFError, zlib.error):
        # Damaged: its reader says so.
        return


def answer(job: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Do a job; whatever goes wrong ends as a sentence."""
    try:
        return {"done": JOBS[job["job"]](job, lambda news: tell({"news": news}))}
    except HCCDError as error:
        # The file has another name for the user.
        named = f"{quoted(job['data'], longest=4096)}: "
        return {"refused": error.sentence.removeprefix(named), "go_on": error.go_on}
    except BaseException as error:
        console = Listener()
        exit_code_of(error, console)
        return {"refused": " ".join(console.said["error"])}


def main() -> None:
    """Work until the server closes the pipe."""
    # Nobody else may write to the pipe.
    pipe = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    lock = threading.Lock()

    def tell(said: Mapping[str, Any]) -> None:
        with lock:
            pipe.write(json.dumps(said) + "\n")
            pipe.flush()

    for line in sys.stdin:
        job = json.loads(line)
        threading.Thread(target=lambda job=job: tell(answer(job, tell)), daemon=True).start()
    os._exit(0)


if __name__ == "__main__":
    main()
