"""Draw docs/serve.png, the page of hccd serve with a table: python docs/draw_serve.py (needs Chromium and playwright)."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright

rng = np.random.default_rng(0)
n = 400
age = rng.integers(20, 80, n)
weight = 55 + 0.2 * age + 6 * rng.normal(size=n)
table = pd.DataFrame(
    {
        "patient": [f"P{i:03}" for i in range(n)],
        "age": age,
        "sex": rng.choice(["female", "male"], n),
        "smoker": rng.choice(["yes", "no"], n, p=[0.3, 0.7]),
        "weight": weight.round(1),
        "stage": rng.integers(1, 5, n),
        "pressure": (90 + 0.4 * age + 0.3 * weight + 5 * rng.normal(size=n)).round(),
    }
)
server = subprocess.Popen(
    [Path(sys.executable).parent / "hccd", "serve", "--no-open"], stdout=subprocess.PIPE, text=True
)
try:
    address = server.stdout.readline().split()[1]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 1180})
        page.goto(address)
        content = table.to_csv(index=False).encode()
        page.set_input_files("#file", {"name": "ward.csv", "mimeType": "text/csv", "buffer": content})
        page.wait_for_selector("#columns:visible")
        page.locator(".column", has_text="stage").get_by_text("ordinal").click()
        for name in ("age", "sex"):
            page.locator(".chip", has_text=name).first.click()
        page.locator('.lane[data-tier="0"] .move').click()
        page.locator('.lane[data-tier="1"]').get_by_text("All others here").click()
        page.wait_for_timeout(1500)
        page.mouse.move(0, 0)
        page.screenshot(path=Path(__file__).parent / "serve.png")
        browser.close()
finally:
    server.terminate()
    server.wait()
