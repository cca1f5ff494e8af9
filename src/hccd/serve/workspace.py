"""One table that somebody has brought: its file, what is known about it, and the run that learns from it."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from hccd.errors import HCCDError
from hccd.serve.process import WorkerProcess

State = Literal["none", "running", "done", "refused", "cancelled"]

#: More tables than this are not kept: the oldest that is not being learned from goes.
_MOST = 12
_LONGEST_NAME = 200


class TooLargeError(HCCDError):
    """More bytes than a file may have."""


class BusyError(HCCDError):
    """Something is being done that must end first."""


@dataclass
class Run:
    """The run at hand, or the last one."""

    state: State = "none"
    progress: dict[str, Any] = field(default_factory=dict)
    said: list[list[str]] = field(default_factory=list)
    sentence: str = ""
    result: dict[str, Any] | None = None

    def hear(self, news: Mapping[str, Any]) -> None:
        """Take note of what the process tells."""
        self.progress = news.get("progress", self.progress)
        if "said" in news:
            self.said.append(news["said"])


class Workspace:
    """A table, with a folder and a process of its own.

    The file is kept under a name of ours, so that no name of a file can lead elsewhere.
    """

    def __init__(self, folder: Path, name: str, limit: int, source: str = "") -> None:
        self.key = token_hex(8)
        self.name = shown_name(name)
        # How commands name it: not in a way that looks like an option.
        self.source = source or (f"./{self.name}" if self.name.startswith("-") else self.name)
        self.folder = folder / self.key
        self.data = self.folder / f"data{_ending(name)}"
        self.out = self.folder / "run"
        self.size = 0
        self.looked: dict[str, Any] | None = None
        self.columns: list[Any] = []
        self.wishes: dict[str, Any] = {}
        self.run = Run()
        self._limit = limit
        self._read: Any = None
        self._process = WorkerProcess(self.folder)
        self._task: asyncio.Task[None] | None = None
        self.out.mkdir(parents=True)

    async def fill(self, pieces: AsyncIterator[bytes]) -> None:
        """Write the file as it comes; meanwhile the process gets ready."""
        await self._process.ready()
        with self.data.open("wb") as file:
            async for piece in pieces:
                self.size += len(piece)
                if self.size > self._limit:
                    raise TooLargeError(too_large(self._limit))
                file.write(piece)

    async def look(self, wishes: dict[str, Any]) -> dict[str, Any]:
        """Look at the table as ``hccd check`` does."""
        if self.run.state == "running":
            raise BusyError("the graph is being learned: wait, or cancel that first")
        said = await self._process.ask(self._job("look", wishes))
        if "done" in said:
            self.looked, self.wishes = said["done"], wishes
            # What hccd itself takes the columns for, which later looks with corrections do not say.
            if not self.columns or wishes.get("reading") != self._read:
                self.columns, self._read = said["done"]["columns"], wishes.get("reading")
        return said

    def learn(self, wishes: dict[str, Any]) -> None:
        """Begin to learn."""
        if self.run.state == "running":
            raise BusyError("the graph is being learned already")
        self.wishes = wishes
        self.run = Run("running")
        self._task = asyncio.create_task(self._learn(self.run, wishes))

    async def _learn(self, run: Run, wishes: dict[str, Any]) -> None:
        said = await self._process.ask(self._job("learn", wishes), run.hear)
        if run.state == "running":
            run.result, run.sentence = said.get("done"), said.get("refused", "")
            run.state = "done" if "done" in said else "refused"

    def _job(self, name: str, wishes: dict[str, Any]) -> dict[str, Any]:
        """Return a job as the process takes it."""
        return {
            "job": name,
            "data": str(self.data),
            "limit": self._limit,
            "source": self.source,
            "out": str(self.out),
            "wishes": wishes,
        }

    async def cancel(self) -> None:
        """Stop learning at once; the next run with the same wishes goes on where this one was."""
        if self.run.state == "running":
            assert self._task is not None
            self.run.state = "cancelled"
            self._task.cancel()
            await self._process.end()

    def file(self, name: str) -> Path | None:
        """Return where a file of the finished run is, if there is one of that name."""
        listed = self.run.result["files"] if self.run.result is not None else []
        found = any(each["name"] == name and "refused" not in each for each in listed)
        return self.out / name if found else None

    def described(self) -> dict[str, Any]:
        """Return all that a page needs to go on after it was reloaded."""
        return {
            "key": self.key,
            "name": self.name,
            "size": self.size,
            "columns": self.columns,
            "looked": self.looked,
            "wishes": self.wishes,
            "run": vars(self.run),
        }

    async def close(self) -> None:
        """Stop, and remove everything."""
        await self.cancel()
        await self._process.end()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=1.0)
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self) -> None:
        """Stop, where nobody can wait any more."""
        self._process.kill()


class Workspaces:
    """All tables, by their keys."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.limit = limit
        self._folder = folder
        self._all: dict[str, Workspace] = {}
        self._coming: set[Workspace] = set()

    async def add(self, name: str, pieces: AsyncIterator[bytes], source: str = "") -> Workspace:
        """Take in a table, which commands find at ``source``; if that fails or is cancelled, nothing remains."""
        added = Workspace(self._folder, name, self.limit, source)
        self._coming.add(added)
        try:
            await added.fill(pieces)
        except BaseException:
            await added.close()
            raise
        finally:
            self._coming.discard(added)
        idle = [each for each in self._all.values() if each.run.state != "running"]
        for oldest in idle[: max(0, len(self._all) + 1 - _MOST)]:
            await self.remove(oldest.key)
        self._all[added.key] = added
        return added

    def get(self, key: str) -> Workspace | None:
        """Return the table with this key."""
        return self._all.get(key)

    async def remove(self, key: str) -> None:
        """Forget a table."""
        gone = self._all.pop(key, None)
        if gone is not None:
            await gone.close()

    async def close(self) -> None:
        """Forget them all."""
        for each in [*self._all.values(), *self._coming]:
            await each.close()

    def kill(self) -> None:
        """Stop all processes, where nobody can wait any more."""
        for each in [*self._all.values(), *self._coming]:
            each.kill()


def too_large(limit: int) -> str:
    """Say how large a file may be."""
    return (
        f"the file has more than {limit // 1_000_000:,} MB: leave out rows or columns, or start hccd serve with a "
        "larger --max-size"
    )


def shown_name(name: str) -> str:
    """Return the name of a file without folders, fit to be shown in a line: what cannot be printed is left out."""
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join(c for c in last if c.isprintable()).strip()
    return clean[:_LONGEST_NAME] if clean.strip(".") else "table"


def _ending(name: str) -> str:
    """Return the end of a name as far as it may tell the format."""
    found = re.search(r"\.[A-Za-z0-9]{1,10}$", name)
    return found[0].lower() if found else ""
