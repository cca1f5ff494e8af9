"""Who may ask: a browser that knows the token, under this server's own address.

Every address begins with the token. A page elsewhere does not know it, so it can neither read nor change anything; nor
is there a cookie, which servers on other ports of this machine would be sent too. The host is compared since a foreign
name may lead here (DNS rebinding), the origin since it says who asks. The address that the browser is opened with is
good for one visit: others on this machine can read the arguments of processes.
"""

from __future__ import annotations

from secrets import compare_digest, token_urlsafe

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The page loads nothing but its own files and talks to nobody else.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Keys:
    """The token, and a word that leads to it once."""

    def __init__(self) -> None:
        self.token = token_urlsafe(24)
        self._once = token_urlsafe(24)

    @property
    def once(self) -> str:
        """The word for the first visit."""
        return self._once

    def fits(self, word: str) -> bool:
        """Whether this is the token."""
        return compare_digest(word.encode(), self.token.encode())

    def used_up(self, word: str) -> bool:
        """Whether this is the word for the first visit, which it is no longer after that."""
        if not self._once or not compare_digest(word.encode(), self._once.encode()):
            return False
        self._once = ""
        return True


class Guard:
    """Let requests through to ``app``, or say why not."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: frozenset[str]) -> None:
        self._app = app
        self._keys = keys
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or what else a server has to say."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        await (self._app if refusal is None else refusal)(scope, receive, sending)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that is not let through."""
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts:
            return _forbidden("this server has another address: open the one that hccd serve has printed")
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return _forbidden("requests from other pages are refused")
        word, _, rest = str(scope["path"]).removeprefix("/").partition("/")
        if self._keys.fits(word):
            return None
        if not rest and self._keys.used_up(word):
            return RedirectResponse(f"/{self._keys.token}/", status_code=303)
        return _forbidden("the token is missing or wrong: open the address that hccd serve has printed")


def _forbidden(sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status_code=403)
