"""The comparison of baselines: every name both ways, and a run that takes too long is said to."""

from __future__ import annotations

import pytest

from benchmarks.baselines import BEGIN, END, main, measured, row
from hccd.studies.cells import Cell

SMALL = Cell(8, 2, 200)


@pytest.mark.parametrize("name", ["pc", "rai", "mmhc"])
def test_a_row(name):
    found, why = measured(SMALL, name, 2, 60.0)
    assert [len(runs) for runs in found.values()] == [2, 2] and not why
    assert all(run.tests >= 28 and run.distance >= run.pairs >= 0 for run in found["alone"])
    cells = row(name, found, why).strip("| ").split(" | ")
    assert cells[0] == name and len(cells) == 10


def test_a_run_over_its_time_is_ended():
    found, why = measured(Cell(60, 4, 500), "b-rai", 3, 0.01)
    assert found == {"alone": [], "inside": []}
    assert why == "alone: over 0.01 s. inside: over 0.01 s."


def test_the_page_is_written(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    monkeypatch.setitem(__import__("benchmarks.baselines").baselines.DATA, "alarm", SMALL)
    main(["--seeds", "1", "--data", "alarm", "--only", "pc", "--page", str(page)])
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\n") and text.endswith(f"{END}\nafter\n")
    assert "| pc | " in text and "old" not in text
