"""An interpreter that has other packages, as an object: tables go in, graphs come out, nothing it does can hurt us.

The interpreter runs `peer_script`. It is started when it is needed, and again after a task that ended it, by taking
too long or by breaking down.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError

SCRIPT = Path(__file__).with_name("peer_script.py")
MEMORY = 6.0
"""Gigabytes of address space that a package may use."""

ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")}
"""What keeps libraries below the packages to one thread."""


class PeerServer:
    """Other packages, in a process of their own.

    Parameters
    ----------
    python : str, optional
        The interpreter; the running one by default.
    script : Path
        What it runs.
    """

    def __init__(self, python: str | None = None, script: Path = SCRIPT) -> None:
        self._command = [python or sys.executable, str(script)]
        self._process: subprocess.Popen[str] | None = None

    def versions(self) -> dict[str, str]:
        """Return the packages that the interpreter has, with their versions.

        Raises
        ------
        InvalidParameterError
            It is no interpreter with numpy.
        """
        try:
            asked = subprocess.run(self._command, input="", capture_output=True, text=True, check=False)
            found = json.loads(asked.stdout)
        except (OSError, ValueError) as error:
            raise InvalidParameterError(
                f"--peers is {self._command[0]!r}, which is no Python that has numpy ({error}): "
                "give the interpreter of an environment"
            ) from None
        return {str(package): str(version) for package, version in found.items()}

    def learn(self, peer: str, data: NDArray[Any], kind: str, cap: float) -> dict[str, Any]:
        """Let a method learn from a table.

        Returns
        -------
        dict
            ``directed``, ``undirected`` and ``bidirected`` edges and CPU ``seconds``; or ``late``, if it took more
            than ``cap`` CPU seconds; or ``error``, in the package's words.

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C ended the process, which it reaches as well as us: nothing is known about the method.
        """
        with tempfile.TemporaryDirectory(prefix="hccd-peer-") as folder:
            path = Path(folder, "data.npy")
            np.save(path, np.ascontiguousarray(data))
            return self._asked({"peer": peer, "data": str(path), "kind": kind, "cap": cap}, cap)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process.wait()
            self._process = None

    def _asked(self, task: dict[str, Any], cap: float) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        expired: list[bool] = []

        def expire() -> None:
            expired.append(True)
            process.kill()

        # The process counts its CPU seconds itself; this is for one that waits for something, and for imports.
        timer = Timer(120 + 5 * cap, expire)
        timer.start()
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if line.endswith("\n"):
            answer: dict[str, Any] = json.loads(line)
            return answer
        code = process.wait()
        self.close()
        if code == -signal.SIGINT:
            raise KeyboardInterrupt
        if expired or code == -getattr(signal, "SIGXCPU", 0):
            return {"late": cap}
        return {"error": f"the process ended with code {code}"}

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, **ONE_THREAD},
            )
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdout.readline()
            self._process.stdin.write(json.dumps({"memory": MEMORY}) + "\n")
        return self._process
