"""Tables say what was measured: the best time, ratios, and why there is none; files are complete."""

import csv

import pytest

from benchmarks import break_even, report, run, threads
from benchmarks.store import DONE, FAILED, STOPPED, measurements
from benchmarks.summary import current
from benchmarks.workloads import gaussian, network

HOURS = iter(range(10_000))


def made(workload, implementation, cpu=1.0, status=DONE, version="1", repeat=1, **facts):
    return {
        "workload": workload.name,
        "family": workload.family,
        "size": workload.size,
        "kind": workload.kind,
        "implementation": implementation,
        "repeat": repeat,
        "version": version,
        "status": status,
        "cap": 30.0,
        "time": f"2020-01-01T{next(HOURS):06d}",
        "cpu_s": cpu,
        "wall_s": 2 * cpu,
        "peak_mb": 100.0,
        "edges": 7,
        "tests": 60,
        "skeleton_tests": [40, 10],
        "f1": 0.5,
        "outcome": "same",
        "pairs_digest": "pairs",
        "message": "what went wrong",
        **facts,
    }


SMALL, LARGE, TABLE = gaussian(100, 3), gaussian(1000, 3), network("alarm", 5000)
RECORDS = [
    made(SMALL, "hccd PC", 0.4),
    made(SMALL, "hccd PC", 0.2, repeat=2),
    made(SMALL, "hccd HCCD", 0.3, skeleton_tests=[20, 5]),
    made(SMALL, "pybnesian PC", 1.0),
    made(SMALL, "causal-learn PC", 4.0),
    made(SMALL, "pgmpy PC", status=STOPPED),
    made(LARGE, "hccd PC", 2.0),
    made(LARGE, "pybnesian PC", status=FAILED),
    made(LARGE, "plain C", 0.1, skeleton_tests=[40, 10]),
    made(LARGE, "hccd PC skeleton, bound", 0.3, skeleton_tests=[40, 10, 0]),
    made(LARGE, "hccd PC skeleton", 0.6),
    made(LARGE, "numpy correlations", 0.1),
    made(TABLE, "plain C", 0.1),
    made(TABLE, "hccd PC skeleton, bound", 0.2, skeleton_tests=[40, 9], pairs_digest="others"),
    made(TABLE, "hccd PC skeleton", 0.3),
]


def rows_of(name, records=RECORDS):
    return next(rows for table, _, rows in report.tables(records) if table == name)


def row_of(name, **wanted):
    (row,) = [row for row in rows_of(name) if wanted.items() <= row.items()]
    return row


def test_best_worst_and_ratios():
    row = row_of("comparison", workload=SMALL.name, implementation="hccd PC")
    assert (row["CPU s"], row["worst CPU s"], row["repeats"], row["wall s"]) == (0.2, 0.4, 2, 0.4)
    assert row["/ fastest peer"] == pytest.approx(0.2)
    peer = row_of("comparison", workload=SMALL.name, implementation="causal-learn PC")
    assert (peer["/ fastest peer"], peer["/ our PC"]) == (4.0, 20.0)


def test_rows_without_a_time_say_why():
    stopped = row_of("comparison", workload=SMALL.name, implementation="pgmpy PC")
    assert stopped["note"] == "stopped after 30 s" and "CPU s" not in stopped
    untried = row_of("comparison", workload=LARGE.name, implementation="pgmpy PC")
    assert untried["note"] == f"not tried: stopped on {SMALL.name}"
    failed = row_of("comparison", workload=LARGE.name, implementation="pybnesian PC")
    assert failed["note"] == "failed: what went wrong"
    # Without a peer that finished there is no ratio to one.
    assert row_of("comparison", workload=LARGE.name, implementation="hccd PC")["/ fastest peer"] is None


def test_workloads_that_nobody_ran_are_not_listed():
    assert {row["workload"] for row in rows_of("comparison")} == {SMALL.name, LARGE.name, TABLE.name}


def test_wrapper_over_pc():
    (row,) = rows_of("wrapper")
    assert (row["HCCD / PC, CPU"], row["HCCD / PC, tests"]) == (pytest.approx(1.5), 0.5)


def test_ours_over_c():
    gauss, table = row_of("limit", workload=LARGE.name), row_of("limit", workload=TABLE.name)
    assert gauss["ours / C"] == pytest.approx(3.0)
    assert gauss["from table / (matrix + C)"] == pytest.approx(3.0)
    assert gauss["same tests"] and gauss["same edges"]
    assert not table["same tests"] and not table["same edges"]


def test_break_even_is_overhead_over_tests_saved():
    plain, wrapped = break_even.SKELETONS
    records = []
    for seed, overhead in ((1, 0.5), (2, 1.5)):
        workload = gaussian(50, 3, seed)
        records.append(made(workload, plain, 1.0, skeleton_tests=[1000]))
        records.append(made(workload, wrapped, 1.0 + overhead, skeleton_tests=[600]))
    (row,) = break_even.rows(records)
    assert row["graphs"] == 2 and row["tests saved"] == 400
    assert row["break-even, us per test"] == pytest.approx(1e6 * 1.0 / 400)


def test_nothing_saved_means_no_break_even():
    plain, wrapped = break_even.SKELETONS
    workload = gaussian(20, 3)
    (row,) = break_even.rows([made(workload, plain), made(workload, wrapped, 2.0)])
    assert row["break-even, us per test"] is None


def test_two_workers_are_compared_by_outcome():
    workload = threads.cases()[0].workload
    one, two = "hccd PC skeleton", "hccd PC skeleton, 2 workers"
    (row,) = threads.rows([made(workload, one), made(workload, two, 0.5, outcome="other")])
    assert row["2 / 1"] == 0.5 and not row["same result"]


def test_only_the_version_measured_last_counts():
    old = made(SMALL, "hccd PC", 0.1, version="0", repeat=3)
    new = made(SMALL, "hccd PC", 0.2)
    other = made(SMALL, "pybnesian PC", 0.3, version="0.5")
    assert current([old, new, other]) == [new, other]


def test_markdown_has_every_column_once_and_every_row():
    text = report.markdown([{"a": 1234, "b": 0.12345}, {"a": 2, "c": True, "version": "1"}])
    assert text.splitlines() == ["| a | b | c |", "|---|---|---|", "| 1,234 | 0.123 | - |", "| 2 | - | yes |"]


def test_files_are_written(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    store = measurements(tmp_path / report.MEASUREMENTS)
    for one in RECORDS:
        store.add(one)
    report.write(tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "## Ours and other packages" in text and "## Ours over plain C" in text and "## One worker" not in text
    with (tmp_path / "comparison.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["implementation"] for row in rows} >= {"hccd PC", "pgmpy PC"}
    for name in ("comparison", "growth"):
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
        assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
    assert "report.md" in capsys.readouterr().out


def test_an_empty_directory_is_no_error(tmp_path, capsys):
    report.write(tmp_path)
    assert "no measurements" in capsys.readouterr().out


def test_an_unknown_workload_is_refused(tmp_path, capsys):
    assert run.profile_main(["--only", "nonsense", "--out", str(tmp_path)]) == 2
    assert "no workload 'nonsense'" in capsys.readouterr().out
