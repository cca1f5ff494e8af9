"""The addresses of the page: bring a table, look at it, learn from it, fetch what came out. Failures are sentences."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route

from hccd.serve.assets import assets, page
from hccd.serve.form import KINDS, option_fields, reading_fields
from hccd.serve.workspace import BusyError, TooLargeError, Workspace, Workspaces, too_large

#: What the page asks about a hundred thousand columns is shorter.
_LARGEST_REQUEST = 32_000_000
#: The report stands alone: its script has no access to this server, whatever is in it.
_REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-modals allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


class _Json(JSONResponse):
    """JSON in ASCII: a name may hold half of a character, which UTF-8 does not know."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def application(workspaces: Workspaces, token: str) -> Starlette:
    """Return the application, all of whose addresses begin with the token."""

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await workspaces.close()

    routes = [
        Route("/", _shown(page(), "text/html")),
        *(Route(f"/{name}", _shown(text, kind)) for name, (kind, text) in assets().items()),
        Route("/form", _form),
        Route("/tables", _bring, methods=["PUT"]),
        Route("/tables/example", _bring_example, methods=["PUT"]),
        Route("/tables/{key}", _describe, methods=["GET"]),
        Route("/tables/{key}", _forget, methods=["DELETE"]),
        Route("/tables/{key}/look", _look, methods=["POST"]),
        Route("/tables/{key}/run", _how_far, methods=["GET"]),
        Route("/tables/{key}/run", _learn, methods=["PUT"]),
        Route("/tables/{key}/run", _cancel, methods=["DELETE"]),
        Route("/tables/{key}/files/{name}", _fetch, methods=["GET"]),
    ]
    app = Starlette(
        routes=[Mount(f"/{token}", routes=routes)],
        exception_handlers={HTTPException: _refused, Exception: _broken},
        lifespan=living,
    )
    app.state.workspaces = workspaces
    return app


def _shown(text: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def show(_request: Request) -> Response:
        return Response(text, media_type=kind)

    return show


async def _form(request: Request) -> Response:
    """Say what can be asked for."""
    limit = _workspaces(request).limit
    fields = {"options": option_fields(), "reading": reading_fields(), "kinds": list(KINDS)}
    return _Json({**fields, "limit": limit, "too_large": too_large(limit)})


async def _bring(request: Request) -> Response:
    """Take in a table, whose bytes are the body."""
    workspaces = _workspaces(request)
    declared = request.headers.get("content-length", "0")
    try:
        if declared.isdigit() and int(declared) > workspaces.limit:
            raise TooLargeError(too_large(workspaces.limit))
        added = await workspaces.add(request.query_params.get("name", ""), request.stream())
    except TooLargeError as error:
        raise HTTPException(413, str(error), {"Connection": "close"}) from None
    except OSError as error:
        raise HTTPException(
            507, f"the file cannot be saved ({error.strerror}): free some disk space and try again"
        ) from None
    except ClientDisconnect:
        # Nobody is there to read it.
        return Response(status_code=400)
    return _Json(added.described(), status_code=201)


async def _bring_example(request: Request) -> Response:
    """Take in the table that comes with hccd."""
    # Heavy, and not needed to show the page.
    from hccd.datasets.alarm import alarm_path

    async def pieces() -> AsyncIterator[bytes]:
        yield alarm_path().read_bytes()

    added = await _workspaces(request).add(alarm_path().name, pieces(), str(alarm_path()))
    return _Json(added.described(), status_code=201)


async def _describe(request: Request) -> Response:
    return _Json(_workspace(request).described())


async def _forget(request: Request) -> Response:
    await _workspaces(request).remove(_workspace(request).key)
    return Response(status_code=204)


async def _look(request: Request) -> Response:
    workspace, wishes = _workspace(request), await _wishes(request)
    try:
        return _Json(await workspace.look(wishes))
    except BusyError as error:
        raise HTTPException(409, str(error)) from None


async def _how_far(request: Request) -> Response:
    return _Json(vars(_workspace(request).run))


async def _learn(request: Request) -> Response:
    workspace, wishes = _workspace(request), await _wishes(request)
    try:
        workspace.learn(wishes)
    except BusyError as error:
        raise HTTPException(409, str(error)) from None
    return _Json(vars(workspace.run), status_code=202)


async def _cancel(request: Request) -> Response:
    workspace = _workspace(request)
    await workspace.cancel()
    return _Json(vars(workspace.run))


async def _fetch(request: Request) -> Response:
    """Send a file of the finished run; the report is shown unless a download is asked for."""
    name = request.path_params["name"]
    path = _workspace(request).file(name)
    if path is None or not path.is_file():
        raise HTTPException(404, "there is no such file: learn the graph first")
    if path.suffix == ".html" and "download" not in request.query_params:
        return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": _REPORT_POLICY})
    return FileResponse(path, filename=name, media_type="application/octet-stream")


def _workspaces(request: Request) -> Workspaces:
    found: Workspaces = request.app.state.workspaces
    return found


def _workspace(request: Request) -> Workspace:
    found = _workspaces(request).get(request.path_params["key"])
    if found is None:
        raise HTTPException(404, "this table is no longer here: choose the file again")
    return found


async def _wishes(request: Request) -> dict[str, Any]:
    """Return what the page asks for."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _LARGEST_REQUEST:
            raise HTTPException(413, "the request is too large: reload the page")
    try:
        wishes = json.loads(bytes(body))
    except (ValueError, RecursionError):
        wishes = None
    if not isinstance(wishes, dict):
        raise HTTPException(400, "the page sent an unknown request: reload it")
    return wishes


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _Json({"sentence": error.detail}, error.status_code, headers=dict(error.headers or {}))


async def _broken(_request: Request, error: Exception) -> Response:
    return _Json({"sentence": f"this is a bug in hccd ({type(error).__name__}): please report it"}, 500)
