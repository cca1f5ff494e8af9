"""The page in a real browser, as a user goes through it: bring a table, correct it, say what is known, learn, look."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from serve_page import bring, checked, chip, choose, column, downloaded, drag, far_along, names_in, settled, take, tier
from serve_server import csv_of, eventually
from test_serve_tables import CYRILLIC, HOSTILE_COLUMNS, hostile_table

sys.path.append(str(Path(__file__).parents[1] / "report"))

from real_browser import lack

pytestmark = pytest.mark.slow

if lack():
    pytest.skip(lack(), allow_module_level=True)

WIDE = 400


def test_the_whole_way(visit, server, ward):
    page = visit()
    assert page.locator("#columns, #knowledge, #settings, #start, #result").and_(page.locator(":visible")).count() == 0
    bring(page, ward)
    # What is found is what the check says.
    assert page.inner_text("#understood").startswith("300 rows. ")
    assert "column 'name' holds free text" in page.inner_text("#findings").lower()
    assert [checked(page, name) for name in ("name", "age", "sex", "stage")] == [
        "out",
        "continuous",
        "discrete",
        "discrete",
    ]
    take(page, "stage", "ordinal")
    settled(page)
    assert "set by you" in column(page, "stage").inner_text()
    take(page, "sex", "out")
    settled(page)
    assert chip(page, "sex").count() == 0 and chip(page, "name").count() == 0
    drag(page, "age", 1)
    assert names_in(page, 1) == ["age"]
    assert page.locator("#one-tier").is_visible()
    tier(page, 2).get_by_text("All others here").click()
    settled(page)
    assert names_in(page, 2) == ["weight", "stage", "pressure"]
    assert not page.locator("#one-tier").is_visible()
    # A long run, cancelled ...
    choose(page, "bootstrap", "300000")
    page.click("#learn")
    far_along(page)
    # On a busy machine the bar may have moved in an earlier stage.
    eventually(lambda: page.inner_text("#doing").startswith("Resampling: "))
    assert page.inner_text("#time").endswith("left")
    page.click("#cancel")
    page.wait_for_selector("#ready")
    assert page.inner_text("#run-trouble").startswith("Cancelled")
    assert not page.locator("#result").is_visible()
    # ... and a short one.
    choose(page, "bootstrap", "20")
    choose(page, "alpha", "0.05")
    page.click("#learn")
    page.wait_for_selector("#result:visible")
    report = page.frame_locator("#report")
    report.locator("html[data-ready]").wait_for(state="attached")
    assert report.locator("#scene .node").count() == 4
    # It bears the name of the table, and so do pictures that are saved from it.
    assert report.locator("#file").inner_text() == "ward.csv"
    with page.expect_download() as caught:
        report.locator("#save-svg").click()
    assert re.fullmatch(r"ward-[-0-9]{10}\.svg", caught.value.suggested_filename)
    assert "ward.csv, 4 variables" in Path(caught.value.path()).read_text(encoding="utf-8")
    graph = json.loads(downloaded(page, '#files a:text-is("graph.json")'))
    assert graph["nodes"] == ["age", "weight", "stage", "pressure"]
    assert graph["parameters"]["test"]["alpha"] == 0.05 and graph["parameters"]["bootstrap"] == 20
    assert not [edge for edge in graph["edges"] if edge["target"] == "age" and edge["type"] == "directed"]
    packed = zipfile.ZipFile(io.BytesIO(downloaded(page, "#download-all")))
    assert json.loads(packed.read("graph.json")) == graph
    said = page.inner_text("#repeat")
    assert (
        "hccd learn ward.csv --ordinal stage --drop sex" in said and "--tier age --tier weight,stage,pressure" in said
    )
    assert "We learned a causal graph of 4 variables" in page.inner_text("#methods")
    # What is changed afterwards is told.
    assert not page.locator("#stale").is_visible()
    choose(page, "alpha", "0.01")
    assert page.locator("#stale").is_visible()


def test_the_report_is_complete_but_cannot_reach_the_server(visit, server, ward):
    page = visit()
    bring(page, ward)
    choose(page, "bootstrap", "none")
    page.click("#learn")
    page.wait_for_selector("#result:visible")
    with page.context.expect_page() as caught:
        page.click("#report-tab")
    tab = caught.value
    tab.wait_for_selector("html[data-ready]", state="attached")
    assert tab.locator("#scene .node").count() == 5
    reached = tab.evaluate("fetch('../../../form').then(() => 'reached', () => 'refused')")
    assert reached == "refused"
    assert tab.evaluate("window.origin") == "null"
    tab.locator('[data-node="0"]').click()
    assert tab.locator("#answer h3").is_visible()
    tab.close()


def test_the_example(visit):
    page = visit()
    page.click("#example")
    page.wait_for_selector("#columns:visible")
    assert page.locator(".column").count() == 37
    assert page.inner_text("#file-name") == "alarm.csv.gz"
    page.fill("#filter", "vent")
    assert {name.startswith("VENT") for name in page.locator(".column .name").all_inner_texts()} == {True}
    page.click("#another")
    page.wait_for_selector("#drop")
    assert not page.locator("#columns").is_visible()


def test_a_file_is_dropped(visit, ward):
    page = visit()
    transfer = page.evaluate_handle(
        "text => { const data = new DataTransfer(); data.items.add(new File([text], 'ward.csv')); return data; }",
        ward.decode(),
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    page.wait_for_selector("#columns:visible")
    assert page.inner_text("#file-name") == "ward.csv"


def test_tiers_by_keyboard(visit, ward):
    page = visit()
    bring(page, ward)
    chip(page, "age").focus()
    page.keyboard.press("ArrowDown")
    assert names_in(page, 1) == ["age"]
    assert page.evaluate("document.activeElement.dataset.name") == "age"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert names_in(page, 3) == ["age"]
    assert page.inner_text("#announce") == "age: tier 3"
    page.keyboard.press("ArrowUp")
    assert names_in(page, 2) == ["age"]
    # By buttons alone.
    for name in ("weight", "sex"):
        chip(page, name).focus()
        page.keyboard.press("Enter")
    tier(page, 1).locator(".move").focus()
    page.keyboard.press("Enter")
    assert names_in(page, 1) == ["weight", "sex"]
    settled(page)
    assert "tier" not in page.inner_text("#findings").lower()


def test_columns_by_keyboard(visit, ward):
    page = visit()
    bring(page, ward)
    column(page, "stage").locator("input:checked").focus()
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert checked(page, "stage") == "ordinal"
    assert "ordinal" in page.inner_text("#understood")


def test_on_a_phone(visit, ward):
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    bring(page, ward)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for made in page.locator(".segments span, .chip").all():
        assert made.bounding_box()["height"] >= 34
    # A finger that stays drags.
    chip(page, "age").scroll_into_view_if_needed()
    start = chip(page, "age").bounding_box()
    session = page.context.new_cdp_session(page)

    def touch(kind, x, y):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start["x"] + 15, start["y"] + 15)
    page.wait_for_selector(".ghost")
    end = tier(page, 1).bounding_box()
    for step in range(1, 6):
        touch("touchMove", start["x"] + 15, start["y"] + 15 + (end["y"] + 40 - start["y"] - 15) * step / 5)
    touch("touchEnd", 0, 0)
    assert names_in(page, 1) == ["age"]
    # Taps do as well.
    chip(page, "weight").tap()
    tier(page, 2).locator(".move").tap()
    assert names_in(page, 2) == ["weight"]
    settled(page)
    page.locator("#learn").tap()
    page.wait_for_selector("#result:visible")
    assert page.locator("#report-tab").is_visible() and not page.locator("#report").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_reload_goes_on(visit, ward):
    page = visit()
    bring(page, ward)
    take(page, "stage", "ordinal")
    settled(page)
    choose(page, "bootstrap", "300000")
    page.click("#learn")
    page.wait_for_selector("#running:visible")
    page.reload()
    far_along(page)
    assert checked(page, "stage") == "ordinal"
    page.click("#cancel")
    page.wait_for_selector("#ready")
    take(page, "stage", "discrete")
    settled(page)
    assert "set by you" not in column(page, "stage").inner_text()


def test_what_is_wrong_is_said_and_mended_by_a_click(visit, ward):
    page = visit()
    bring(page, ward)
    choose(page, "alpha", "7")
    assert "Alpha is 7" in page.inner_text("#findings") or "alpha is 7" in page.inner_text("#findings")
    assert page.locator("#learn").is_disabled()
    choose(page, "alpha", "")
    assert page.locator("#learn").is_enabled()
    take(page, "sex", "continuous")
    settled(page)
    assert page.locator("#findings .error").count() == 1 and page.locator("#learn").is_disabled()
    take(page, "sex", "discrete")
    settled(page)
    choose(page, "test", "fisher-z")
    assert page.locator("#learn").is_disabled()
    page.locator("#findings .remedy").first.click()
    settled(page)
    assert page.locator("#learn").is_enabled()


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "empty"), (b"\x89PNG" + bytes(99), "picture"), (b"x" * 3_100_000, "3 MB")]
)
def test_a_file_that_cannot_be_used(visit, server, content, said):
    page = visit()
    page.set_input_files("#file", {"name": "<b>bad</b>.csv", "mimeType": "text/csv", "buffer": content})
    page.wait_for_selector("#data-trouble:visible")
    assert said in page.inner_text("#data-trouble")
    assert page.locator("#drop").is_visible() and page.locator("#data-trouble b").count() == 0
    eventually(lambda: not server.kept())


def test_how_a_file_is_read_is_said(visit):
    page = visit()
    bring(page, CYRILLIC)
    names = page.locator(".column .name")
    assert names.all_inner_texts() != ["возраст;лет", "вес;кг"]
    choose(page, "encoding", "cp1251", "reading")
    choose(page, "delimiter", ",", "reading")
    eventually(lambda: names.all_inner_texts() == ["возраст;лет", "вес;кг"])
    assert names_in(page, 0) == ["возраст;лет", "вес;кг"]
    take(page, "вес;кг", "ordinal")
    settled(page)
    # What cannot be read leaves no columns, and a sentence; what can be read again brings them back.
    choose(page, "encoding", "klingon", "reading")
    eventually(lambda: "klingon" in page.inner_text("#data-trouble"))
    assert not page.locator("#columns").is_visible()
    choose(page, "encoding", "cp1251", "reading")
    page.wait_for_selector("#columns:visible")
    assert not page.locator("#data-trouble").is_visible() and checked(page, "вес;кг") == "discrete"
    page.click("#learn")
    page.wait_for_selector("#result:visible")
    assert "--delimiter" in page.inner_text("#repeat") and not page.locator("#stale").is_visible()
    page.reload()
    page.wait_for_selector("#result:visible")
    assert page.inner_text("#reading-summary") == "encoding cp1251, delimiter ,"
    assert names.all_inner_texts() == ["возраст;лет", "вес;кг"]
    page.click("#another")
    eventually(lambda: "detected" in page.inner_text("#reading-summary"))


def test_names_are_text(visit, server):
    page = visit()
    bring(page, hostile_table(), "<img src=x onerror=alert(1)>\u202e.parquet")
    assert page.inner_text("#file-name") == "<img src=x onerror=alert(1)>.parquet"
    shown = page.locator(".column .name").evaluate_all("all => all.map((each) => each.textContent)")
    assert shown == HOSTILE_COLUMNS
    assert page.locator("main script, main img").count() == 0
    page.locator(".column").nth(6).locator('label:has(input[value="ordinal"])').click()
    page.locator(".column").nth(0).locator('label:has(input[value="out"])').click()
    settled(page)
    chips = page.locator('.lane[data-tier="-1"] .chip')
    chips.nth(0).press("ArrowDown")
    page.locator('.lane[data-tier="1"]').get_by_text("All others here").click()
    settled(page)
    assert page.locator("#findings .error").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    choose(page, "bootstrap", "none")
    page.click("#learn")
    page.wait_for_selector("#result:visible")
    report = page.frame_locator("#report")
    report.locator("html[data-ready]").wait_for(state="attached")
    assert report.locator("#scene .node").count() == len(HOSTILE_COLUMNS) - 1


def test_an_upload_is_cancelled(visit, server):
    page = visit()
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 100_000}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", slow)
    page.set_input_files("#file", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"a,b\n" + b"1,2\n" * 700_000})
    page.wait_for_selector("#sending:visible")
    eventually(server.kept)
    assert re.fullmatch(r"[\d.]+ [kM]B of 2.8 MB", page.inner_text("#sending-text"))
    page.click("#sending-cancel")
    page.wait_for_selector("#drop")
    eventually(lambda: not server.kept())
    assert not page.locator("#data-trouble").is_visible()


def test_a_column_that_stops_everything_is_left_out(visit):
    page = visit()
    table = csv_of(
        {"a": np.arange(60) % 7, "b": np.arange(60) * 0.37 % 1, "broken": ["inf"] * 60, "c": range(60, 0, -1)}
    )
    bring(page, table)
    assert page.locator("#learn").is_disabled()
    assert column(page, "broken").locator("input:checked").count() == 0
    take(page, "broken", "out")
    settled(page)
    assert page.locator("#learn").is_enabled()
    page.reload()
    page.wait_for_selector("#columns:visible")
    assert checked(page, "broken") == "out" and page.locator("#learn").is_enabled()


def test_many_columns(visit):
    page = visit()
    values = np.random.default_rng(0).normal(size=(WIDE, 30)).round(2)
    bring(page, csv_of({f"v{i}": row for i, row in enumerate(values)}))
    assert page.locator(".column").count() == 200
    page.get_by_text(f"Show all {WIDE}").click()
    assert page.locator(".column").count() == WIDE
    page.fill("#filter", "v39")
    assert page.locator(".column").count() == 11


def test_a_server_that_has_ended_is_missed(visit, start, ward):
    server = start()
    page = visit(server, expected="ERR_CONNECTION_REFUSED")
    bring(page, ward)
    server.stop()
    page.click("#learn")
    page.wait_for_selector("#run-trouble:visible")
    assert "does not answer" in page.inner_text("#run-trouble")
