"""The process that works on one table, as the server sees it: a job goes in, news and an answer come out, as JSON.

Work is not done in the server: that stays responsive, a run that is cancelled is gone at once, and a file that takes
all memory ends this process alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The longest line; what a check says about a hundred thousand columns is shorter.
_LONGEST = 1 << 28
_DIED = {"refused": "the system has ended the computation, most likely for lack of memory: use fewer rows or columns"}


class WorkerProcess:
    """A process that is started when there is work, and stays for more of it."""

    def __init__(self, folder: Path) -> None:
        # Python looks for modules in the folder where it starts: not in that of the user.
        self._folder = folder
        self._running: Process | None = None
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, job: Mapping[str, Any], hear: Callable[[Any], None] = lambda news: None) -> dict[str, Any]:
        """Have a job done; return ``{"done": ...}``, or ``{"refused": sentence}`` if nothing came of it."""
        async with self._one_at_a_time:
            process = await self.ready()
            assert process.stdin is not None and process.stdout is not None
            with suppress(ConnectionError):
                process.stdin.write(json.dumps(job).encode() + b"\n")
                await process.stdin.drain()
            while line := await process.stdout.readline():
                said: dict[str, Any] = json.loads(line)
                if "news" not in said:
                    return said
                hear(said["news"])
            if self._running is not process:
                return {"refused": "cancelled"}
            await self.end()
            return _DIED

    async def end(self) -> None:
        """Stop at once, whatever is being done."""
        process, self._running = self._running, None
        if process is not None:
            kill(process.pid)
            await process.wait()

    def kill(self) -> None:
        """Stop at once, where nobody can wait any more."""
        if self._running is not None:
            kill(self._running.pid)

    async def ready(self) -> Process:
        """Start it if it does not run: it takes a second until it can work."""
        if self._running is None or self._running.returncode is not None:
            debugging = os.environ.get("HCCD_DEBUG") == "1"
            self._running = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "hccd.serve.worker",
                cwd=self._folder,
                stdin=PIPE,
                stdout=PIPE,
                stderr=None if debugging else subprocess.DEVNULL,
                limit=_LONGEST,
                # Ctrl-C is for the server, which ends this.
                start_new_session=True,
            )
        return self._running


def kill(pid: int) -> None:
    """End a process that leads a session, with all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)
