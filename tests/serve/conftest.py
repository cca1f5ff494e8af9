"""Servers, tables, and the page in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from serve_server import Server, csv_of


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server with options of its own."""
    started: list[Server] = []

    def starting(*arguments: str, **environment: str) -> Server:
        folder = tmp_path / f"server-{len(started)}"
        folder.mkdir()
        started.append(Server(folder, *arguments, **environment))
        return started[-1]

    yield starting
    for server in started:
        assert server.stop()[1] == ""


@pytest.fixture(scope="session")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it was; at the end it has said nothing."""
    started = Server(tmp_path_factory.mktemp("server"), "--no-open", "--max-size", "3")
    yield started
    assert started.stop() == (0, "")
    assert not started.kept()


@pytest.fixture
def server(lasting: Server) -> Iterator[Server]:
    """That server, which forgets what a test has brought."""
    yield lasting
    lasting.forget()


@pytest.fixture(scope="session")
def ward() -> bytes:
    """A table of both kinds: stage looks discrete and may be ordinal, weight depends on age."""
    rng = np.random.default_rng(5)
    n = 300
    age = rng.integers(20, 80, n)
    weight = 50 + 0.4 * age + rng.normal(size=n)
    return csv_of(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": age,
            "weight": np.round(weight, 2),
            "sex": rng.choice(["f", "m"], n),
            "stage": rng.integers(1, 5, n),
            "pressure": np.round(100 + 0.5 * weight + rng.normal(size=n), 1),
        }
    )


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Open the page; at the end nothing may have gone wrong in it, and it has asked nobody else for anything."""
    contexts: list[Any] = []
    troubles: list[str] = []
    requests: list[str] = []

    def visiting(at: Server = server, expected: str = "", **options: Any) -> Any:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda message: (
                (expected and expected in message.text) or troubles.append(f"{message.type}: {message.text}")
            ),
        )
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        context.on("request", lambda request: requests.append(request.url))
        page.goto(at.url)
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield visiting
    for context in contexts:
        server.brought += [urlsplit(page.url).fragment for page in context.pages if "#" in page.url]
        context.close()
    assert troubles == []
    assert all(url.startswith(("http://127.0.0.1:", "data:", "blob:")) for url in requests)
