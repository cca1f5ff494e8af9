"""A table is read, coded, bound and looked through once, and no run is made twice."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

import hccd.cli.tasks.learn
import hccd.preflight
from hccd.cli.main import main
from hccd.datasets.alarm import alarm_path
from hccd.independence.tables import BoundTableTest
from hccd.run.binding import bind_table
from hccd.tables.clean import clean_columns
from hccd.tables.inspect import inspect_table
from hccd.wrapper import backtrack


@pytest.fixture
def calls(monkeypatch):
    """How often each step is made, wherever it is called from."""
    counted = Counter()

    def counting(function):
        def step(*arguments, **options):
            counted[function.__name__] += 1
            return function(*arguments, **options)

        return step

    modules = [module for name, module in sys.modules.items() if name.startswith("hccd")]
    for function in (clean_columns, bind_table, inspect_table, backtrack):
        step = counting(function)
        for module in modules:
            if getattr(module, function.__name__, None) is function:
                monkeypatch.setattr(module, function.__name__, step)
    monkeypatch.setattr(BoundTableTest, "marginals", counting(BoundTableTest.marginals))
    return counted


def test_learn_reads_once(calls, tmp_path):
    assert main(["learn", str(alarm_path()), "--out", str(tmp_path), "--quiet"]) == 0
    assert calls["clean_columns"] == calls["bind_table"] == calls["inspect_table"] == calls["marginals"] == 1
    assert calls["backtrack"] == 1


def test_the_chosen_run_is_not_repeated(calls, tmp_path):
    assert main(["learn", str(alarm_path()), "--preset", "paper", "--out", str(tmp_path), "--quiet"]) == 0
    result = hccd.HCCDResult.load(tmp_path / "graph.json")
    assert calls["backtrack"] == len(result.parameters["threshold_choice"]["tried"]) > 1
    assert calls["bind_table"] == calls["inspect_table"] == 1


def test_check_looks_once(calls):
    assert main(["check", str(alarm_path())]) == 0
    assert calls["clean_columns"] == calls["bind_table"] == calls["inspect_table"] == calls["marginals"] == 1
