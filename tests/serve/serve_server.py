"""A server as a process of its own, with a temporary folder that can be looked into, and what one can ask it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A server that runs, and what one can ask it."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder = folder
        self.brought: list[str] = []
        self.process = subprocess.Popen(
            [Path(sys.executable).parent / "hccd", "serve", *(arguments or ("--no-open",))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(folder), "HCCD_DEBUG": "0", **environment},
        )
        label, self.url = self.process.stdout.readline().split()
        assert label == "open"
        self.port = urlsplit(self.url).port
        self.token = urlsplit(self.url).path.strip("/")

    def ask(self, method: str, path: str, body: Any = None, *, begin: str | None = None, **headers: str) -> Answer:
        """Ask under the token, or under another beginning; names of headers have ``_`` for ``-``."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/{self.token if begin is None else begin}/{path}", body=body, headers=named)
        answer = connection.getresponse()
        found = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        connection.close()
        return found

    def bring(self, content: bytes, name: str = "table.csv") -> dict[str, Any]:
        answer = self.ask("PUT", f"tables?name={quote(name, safe='')}", content)
        assert answer.status == 201, answer.body
        self.brought.append(answer.json()["key"])
        return answer.json()

    def forget(self) -> None:
        """Let it forget all tables, with everything about them."""
        while self.brought:
            self.ask("DELETE", f"tables/{self.brought.pop()}")
        assert not self.kept()

    def look(self, key: str, **wishes: Any) -> dict[str, Any]:
        return self.ask("POST", f"tables/{key}/look", wishes).json()

    def learn(self, key: str, **wishes: Any) -> dict[str, Any]:
        """Learn, and wait for the end."""
        assert self.ask("PUT", f"tables/{key}/run", wishes).status == 202
        end = time.monotonic() + 60
        while (run := self.run(key))["state"] == "running":
            assert time.monotonic() < end
            time.sleep(0.05)
        return run

    def run(self, key: str) -> dict[str, Any]:
        return self.ask("GET", f"tables/{key}/run").json()

    def file(self, key: str, name: str) -> bytes:
        answer = self.ask("GET", f"tables/{key}/files/{name}")
        assert answer.status == 200
        return answer.body

    def kept(self) -> list[Path]:
        """All files that the server keeps, but for its lock."""
        return [Path(folder) / name for folder, _, names in os.walk(self.folder) for name in names if name != "lock"]

    def workers(self) -> list[int]:
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        return list(map(int, listed.stdout.split()))

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it; return the exit code and what it has said on stderr."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said


def eventually(holds: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Wait until something holds, and return it."""
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def csv_of(columns: dict[str, Any]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines).encode()
