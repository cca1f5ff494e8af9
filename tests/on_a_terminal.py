"""Run a program on a terminal, and see what stands there."""

from __future__ import annotations

import os
import subprocess
from typing import Any


def on_a_terminal(command: list[str], stdout: Any = None, **more: Any) -> tuple[int, str]:
    """Run it with stderr, and stdout unless there is another, on a terminal; return its code and all that is seen."""
    # Not on Windows, where tests that need it are left out.
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(command, stdin=slave, stdout=slave if stdout is None else stdout, stderr=slave, **more)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other side is gone
            break
        if not part:
            break
        seen += part
    os.close(master)
    return process.wait(timeout=60), seen.decode()
