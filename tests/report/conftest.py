"""Reports that are open in a real browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Seen:
    """A page that is open, and whatever it should not have done."""

    page: Any
    session: Any
    asked_for: float = 0.0
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def sentence(self) -> str:
        return self.page.locator("#answer .sentence").text_content()

    def cpu_seconds(self) -> float:
        """What the page itself has computed, whatever else the machine does."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def visible(self, selector: str) -> int:
        return self.page.locator(f"{selector}:visible").count()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Seen]]:
    """Open a report from a file, as a reader does; at the end nothing may have gone wrong in it."""
    contexts, pages = [], []

    def open_report(html: str, fragment: str = "", **options: Any) -> Seen:
        file = tmp_path / f"report-{len(pages)}.html"
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        seen = Seen(page, session)
        pages.append(seen)
        page.on("console", lambda message: seen.troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (seen.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: seen.requests.append(request.url))
        seen.asked_for = time.perf_counter()
        page.goto(file.as_uri() + fragment)
        page.wait_for_selector("html[data-ready]", state="attached")
        return seen

    yield open_report
    for context in contexts:
        context.close()
    for seen in pages:
        assert seen.troubles == []
        assert all(url.startswith("file:") for url in seen.requests)
