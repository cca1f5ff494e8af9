"""What a user does on the page, and what is seen of it."""

from __future__ import annotations

import json
from pathlib import Path

from serve_server import eventually


def bring(page, content: bytes, name: str = "ward.csv"):
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_selector("#columns:visible")


def column(page, name):
    return page.locator(".column").filter(has=page.locator(f".name:text-is({json.dumps(name, ensure_ascii=False)})"))


def take(page, name, kind):
    column(page, name).locator(f'label:has(input[value="{kind}"])').click()


def checked(page, name):
    return column(page, name).locator("input:checked").get_attribute("value")


def chip(page, name):
    return page.locator(f".chip:has(.name:text-is({json.dumps(name, ensure_ascii=False)}))")


def tier(page, number):
    return page.locator(f'.lane[data-tier="{number - 1}"]')


def names_in(page, number):
    return tier(page, number).locator(".chip").all_inner_texts()


def settled(page):
    """Wait until the last look is over."""
    page.wait_for_timeout(350)
    page.wait_for_selector("#looking", state="hidden")


def choose(page, option, text, among="options"):
    if not page.locator(f"#{among}").is_visible():
        page.click(f"#{among}-summary")
    control = page.locator(f"#option-{option}")
    if control.evaluate("element => element.tagName") == "SELECT":
        control.select_option(text)
    else:
        control.fill(text)
        control.press("Tab")
    settled(page)


def far_along(page):
    """Wait until the bar has begun to move."""
    eventually(lambda: page.locator("#bar").evaluate("bar => bar.position > 0"))


def drag(page, name, number):
    page.locator("#tiers").evaluate("tiers => tiers.scrollIntoView()")
    start, end = chip(page, name).bounding_box(), tier(page, number).bounding_box()
    page.mouse.move(start["x"] + 10, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(start["x"] + 30, start["y"] + 12, steps=3)
    page.mouse.move(end["x"] + 60, end["y"] + end["height"] / 2, steps=5)
    assert page.locator(".ghost").is_visible()
    page.mouse.up()


def downloaded(page, selector) -> bytes:
    with page.expect_download() as caught:
        page.click(selector)
    return Path(caught.value.path()).read_bytes()
