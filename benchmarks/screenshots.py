"""Pictures of the report in a browser, for the documents, and what its pages cost there.

    python -m benchmarks screenshots            # costs alone
    python -m benchmarks screenshots --page docs    # and docs/report.png, docs/report/*.png

Costs are those of the browser's main thread, in CPU seconds: from the file to a page that answers. Two tables come with
packages that ``python -m benchmarks tables`` installs.
"""

from __future__ import annotations

import argparse
import io
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import hccd
from benchmarks.real_tables import RESULTS, write_tables
from hccd.datasets import alarm_path, random_network

_FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_PAPER: dict[str, Any] = {"viewport": {"width": 720, "height": 1018}}
#: Where a picture goes, the graph, the browser's window, what is chosen, and what is done before.
_SHOTS: tuple[tuple[str, str, dict[str, Any], str, str], ...] = (
    ("report.png", "alarm", _DESK, "#edge=HR,CO", ""),
    ("report/alarm.png", "alarm", _DESK, "", ""),
    ("report/alarm-dark.png", "alarm", {**_DESK, "color_scheme": "dark"}, "#edge=INTUBATION,VENTLUNG", ""),
    ("report/alarm-phone.png", "alarm", _PHONE, "", "tap"),
    ("report/alarm-print.png", "alarm", _PAPER, "", "print"),
    ("report/penguins.png", "penguins", _DESK, "", ""),
    ("report/breast-cancer.png", "breast-cancer", _DESK, "", "hover"),
    ("report/gaussian-200.png", "gaussian-200", _DESK, "", ""),
    ("report/gaussian-500.png", "gaussian-500", _DESK, "", ""),
    ("report/gaussian-500-phone.png", "gaussian-500", _PHONE, "", ""),
)
#: Colours that differ by no more than this are one.
_ALIKE = 6
#: A point of an edge that is on the canvas and can be hit, and the middle of a variable there.
_ON_EDGE = """() => { const canvas = document.querySelector("#canvas").getBoundingClientRect();
  for (const edge of document.querySelectorAll("#scene .edge:not(.gone)")) {
    const line = edge.querySelector(".line");
    const p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
    const hit = document.elementFromPoint(p.x, p.y);
    const inside = p.x > canvas.left + 60 && p.x < canvas.right - 60;
    if (inside && hit && hit.closest("[data-edge]") === edge) return [p.x, p.y];
  } }"""
_ON_NODE = """() => { const canvas = document.querySelector("#canvas").getBoundingClientRect();
  for (const node of document.querySelectorAll("#scene .node")) {
    const box = node.getBoundingClientRect();
    if (box.left > canvas.left + 200 && box.top > canvas.top + 150 && box.bottom < canvas.bottom - 150)
      return [box.left + box.width / 2, box.top + box.height / 2];
  } }"""


def _table(name: str) -> Callable[[], Any]:
    def read() -> Any:
        if not (RESULTS / f"{name}.csv").exists():
            write_tables()
        return hccd.read_table(RESULTS / f"{name}.csv")

    return read


def _random(n: int) -> Callable[[], Any]:
    return lambda: random_network(n, 4, seed=0).network.sample(1000, seed=0)


TABLES: dict[str, Callable[[], Any]] = {
    "alarm": lambda: hccd.read_table(alarm_path()),
    "penguins": _table("penguins"),
    "breast-cancer": _table("breast-cancer"),
    "gaussian-200": _random(200),
    "gaussian-500": _random(500),
}


def learned(name: str) -> hccd.HCCDResult:
    """Return what is learned of a table, without options."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hccd.discover(TABLES[name]())


def main(arguments: Sequence[str]) -> int:
    """Open all reports; print what they cost, and write pictures of them if that is asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks screenshots")
    parser.add_argument("--page", type=Path, help="the folder of the documents, to write the pictures there")
    given = parser.parse_args(arguments)
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    results = {name: learned(name) for name in TABLES}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=browser, args=_FLAGS)
        files = {name: Path(folder) / name / "report.html" for name in results}
        print("| graph | variables | edges | page, kB | CPU s to an answer, least of 5 | most |")
        print("|---|---|---|---|---|---|")
        for name, result in results.items():
            files[name].parent.mkdir()
            files[name].write_text(result.to_html(), encoding="utf-8")
            cost = [_cost(started, files[name], result.names[-1]) for _ in range(5)]
            size = files[name].stat().st_size / 1000
            print(f"| {name} | {len(result.names)} | {result.skeleton.n_edges} | {size:,.0f} "
                  f"| {min(cost):.2f} | {max(cost):.2f} |")  # fmt: skip
        for place, name, window, fragment, done in _SHOTS if given.page is not None else ():
            target = given.page / place
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(_small(_shot(started, files[name], window, fragment, done)))
        started.close()
    return 0


def _opened(browser: Any, file: Path, window: dict[str, Any], fragment: str = "") -> Any:
    page = browser.new_context(reduced_motion="reduce", **window).new_page()
    page.goto(file.as_uri() + fragment)
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


def _cost(browser: Any, file: Path, name: str) -> float:
    """Return the CPU seconds of the page until it answers about a variable."""
    page = browser.new_context(**_DESK).new_page()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    page.fill("#search", name)
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer h3")
    metrics = session.send("Performance.getMetrics")["metrics"]
    page.context.close()
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def _shot(browser: Any, file: Path, window: dict[str, Any], fragment: str, done: str) -> bytes:
    page = _opened(browser, file, window, fragment)
    if done == "tap":
        page.touchscreen.tap(*page.evaluate(_ON_EDGE))
    elif done == "hover":
        page.mouse.move(*page.evaluate(_ON_NODE))
    elif done == "print":
        page.emulate_media(media="print")
    page.wait_for_timeout(200)
    taken: bytes = page.screenshot()
    page.context.close()
    return taken


def _small(png: bytes) -> bytes:
    """Return a picture in 256 colours, in a third of the bytes: the most frequent ones that differ to the eye."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    counted = picture.getcolors(picture.width * picture.height)
    common: list[tuple[int, ...]] = []
    for _, colour in sorted(counted, reverse=True):
        if all(max(abs(a - b) for a, b in zip(colour, other, strict=True)) > _ALIKE for other in common):
            common.append(colour)
    common = common[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in common for part in colour])
    out = io.BytesIO()
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
