"""The server: on this computer only, with a folder that is gone when it ends."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hccd.errors import InvalidParameterError, NotInstalledError
from hccd.serve.folders import own_folder

if TYPE_CHECKING:
    import uvicorn

HOST = "127.0.0.1"
#: Seconds that requests have to end after Ctrl-C.
_GRACE = 1


def serve(port: int, limit: int, *, browser: bool | None, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    port : int
        Where to listen, 0 for any port that is free.
    limit : int
        How many bytes a table may have.
    browser : bool, optional
        Whether to open the page; by default if there is a screen.
    say : callable
        Is called with the address of the page.
    """
    try:
        import uvicorn

        from hccd.serve.app import application
        from hccd.serve.guard import Guard, Keys
        from hccd.serve.workspace import Workspaces
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise NotInstalledError("hccd serve needs starlette and uvicorn: pip install 'hccd[serve]'") from None

    with _listening(port) as listener, own_folder() as folder:
        port = listener.getsockname()[1]
        keys, workspaces = Keys(), Workspaces(folder, limit)
        hosts = frozenset((f"{HOST}:{port}", f"localhost:{port}"))
        server = uvicorn.Server(
            uvicorn.Config(
                Guard(application(workspaces, keys.token), keys, hosts),
                loop="asyncio",
                http="h11",
                ws="none",
                log_config=None,
                log_level="warning" if os.environ.get("HCCD_DEBUG") == "1" else "critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE,
            )
        )
        with _ended_by_signals(server):
            say(f"http://{HOST}:{port}/{keys.token}/")
            if _has_screen() if browser is None else browser:
                threading.Thread(target=_open, args=(server, f"http://{HOST}:{port}/{keys.once}"), daemon=True).start()
            try:
                server.run(sockets=[listener])
            finally:
                workspaces.kill()


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on this computer alone."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        # Who asks before the server is up waits.
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InvalidParameterError(f"--port {port} cannot be used ({reason}): choose another, or 0 for any") from None
    return listener


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let Ctrl-C and ``kill`` end the server, which is no failure: before it runs, and again when it has ended."""

    def end(_number: int, _frame: Any) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _has_screen() -> bool:
    """Whether a browser has somewhere to open."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(server: uvicorn.Server, address: str) -> None:
    """Open the page as soon as there is somebody to answer."""
    while not server.started:
        time.sleep(0.05)
    webbrowser.open(address)
