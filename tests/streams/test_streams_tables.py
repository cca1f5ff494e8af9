"""Discrete rows of which even the distinct ones are too many: tables counted in passes say what rows in memory say."""

import json
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest
from stream_cases import ready, same_start, states, written, written_parts

import hccd
from hccd.errors import InvalidDataError
from hccd.streams import tables as tables_module
from hccd.streams.tables import TableSource, _Tables
from uncompiled import compiled, uncompiled

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{said}") for said in ("there are more than", "column .rare", "the data have")
]


@pytest.fixture
def few_kept(monkeypatch):
    """Few distinct rows are kept, and a sample of few rows."""
    monkeypatch.setattr("hccd.streams.distinct.MOST_ROWS", 60)
    monkeypatch.setattr("hccd.streams.sample.MOST_ROWS", 1 << 12)
    monkeypatch.setattr("hccd.streams.sample.FEWEST_ROWS", 1 << 12)


def network(n_rows=30_000, seed=1, gaps=0.0):
    """Columns of two to four states with causes that add up, noise, and colliders."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 2, (14, n_rows))
    for j in range(4, 14):
        causes = rng.choice(j, size=2, replace=False)
        noise = rng.random(n_rows) < 0.3
        columns[j] = np.where(noise, rng.integers(0, 4, n_rows), columns[causes].sum(axis=0)) % (2 + j % 3)
    own = {f"v{j}": values.astype(np.int8) for j, values in enumerate(columns)}
    for j in range(0, 14, 3) if gaps else ():
        own[f"v{j}"] = pa.array(own[f"v{j}"], mask=rng.random(n_rows) < gaps)
    return own


def brute(codes, widths, sets):
    """Count by adding one cell after the other."""
    found = [np.zeros([widths[v] for v in own], int) for own in sets]
    for table, own in zip(found, sets, strict=True):
        np.add.at(table, tuple(codes[list(own)]), 1)
    return [table.ravel().tolist() for table in found]


def test_tables_are_those_of_brute_force_in_both_kernels(monkeypatch):
    rng = np.random.default_rng(0)
    widths = np.array([2, 3, 1, 17, 4, 300, 2], np.int32)
    codes = np.array([rng.integers(0, width, 1501) for width in widths], np.uint16)
    # By bits, by rows, and a table that is too large for that.
    sets = [(0, 1), (1, 0), (2, 6), (0, 1, 4, 6), (3, 0), (4, 5), (6, 4, 1, 0), (5, 3, 4, 1), (2, 0, 1)]
    expected = brute(codes, widths, sets)
    for kernel in (compiled("many_tables"), uncompiled("many_tables")):
        monkeypatch.setattr(tables_module, "count_tables", kernel.count_tables)
        one, two = _Tables(widths, sets), _Tables(widths, sets)
        for start in range(0, 1501, 333):
            (one if start < 900 else two).add(np.ascontiguousarray(codes[:, start : start + 333]))
        one.merge(two)
        assert [one.cells(i).counts.tolist() for i in range(len(sets))] == expected
    monkeypatch.setattr(tables_module, "DENSE_CELLS", 500)
    whole = _Tables(widths, sets)
    whole.add(codes)
    for i, (table, members) in enumerate(zip(expected, sets, strict=True)):
        cells = whole.cells(i)
        there = np.ravel_multi_index(tuple(cells.codes.astype(int)), widths[list(members)])
        assert (
            dict(zip(there.tolist(), cells.counts.tolist(), strict=True)).items()
            >= {cell: count for cell, count in enumerate(table) if count}.items()
        )
    assert whole.counts.size < 1000


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("missing", ["auto", "rows"])
def test_a_run_starts_from_the_same_as_a_table(tmp_path, few_kept, gaps, missing):
    file = written(tmp_path / "a.parquet", network(gaps=gaps))
    one, two = ready(hccd.read_table(file), missing=missing), ready(hccd.stream(file), missing=missing)
    assert two.table.n_rows < one.table.n_rows
    # Columns are told apart by all their cells, not by those of complete rows; so sums have another order.
    in_order = not gaps or missing == "auto"
    same_start(one, two, 0.0 if in_order else 1e-12, in_order)
    names = [np.array(each.binding.names)[each.binding.columns].tolist() for each in (one, two)]
    place = [names[0].index(name) for name in names[1]]
    # Statistics and degrees of freedom are the same numbers, biases as well.
    for own, other in zip((one.marginals.statistic, one.marginals.freedom, one.marginals.bias), (
        two.marginals.statistic, two.marginals.freedom, two.marginals.bias
    ), strict=True):  # fmt: skip
        np.testing.assert_allclose(own[np.ix_(place, place)], other, rtol=1e-12, atol=1e-9)
    given = np.array([[2, 3], [5, 9]], np.int32)
    asked = np.array([0, 1], np.int32), np.array([8, 12], np.int32)
    moved = [np.array(place)[each].astype(np.int32) for each in (*asked, given)]
    for own, other in zip(one.binding.ci.test_many(*moved), two.binding.ci.test_many(*asked, given), strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-9)
    said = [each.sentence for each in two.findings if each.kind.value == "missing"]
    if gaps:
        wanted = "complete rows of 30,000" if missing == "rows" else "each test uses the rows that are complete"
        n_missing = sum(column.null_count for column in network(gaps=gaps).values() if isinstance(column, pa.Array))
        assert wanted in said[0] and n_missing > 10_000
        assert said[0].startswith(f"the data have {network(gaps=gaps)[two.table.names[two_most(two)]].null_count:,}")
    else:
        assert not said


def two_most(prepared):
    """The column that misses most cells of all rows: the finding names it first."""
    finding = next(each for each in prepared.findings if each.kind.value == "missing")
    return next(i for i, name in enumerate(prepared.table.names) if f"missing values in '{name}'" in finding.sentence)


CASES = [
    {"test": "g"},
    {"test": "chi2", "method": "pc"},
    {"test": "mi", "threshold": 0.004},
    {"test": "mi", "threshold": 0.004, "preset": "paper"},
    {"test": "g", "baseline": "rai"},
    {"test": "g", "baseline": "fci"},
    {"test": "g", "max_order": 1, "n_jobs": 2},
]


@pytest.mark.parametrize("options", CASES, ids=lambda own: "-".join(map(str, own.values())))
@pytest.mark.parametrize("gaps", [0.0, 0.05])
def test_the_graph_its_evidence_and_the_tests_are_the_same(tmp_path, few_kept, options, gaps):
    file = written(tmp_path / "a.parquet", network(gaps=gaps))
    own = {"scoring": "none", "bootstrap": "none", **options}
    one, two = hccd.discover(hccd.read_table(file), **own), hccd.discover(hccd.stream(file), **own)
    assert one.graph == two.graph and one.tests == two.tests
    assert one.tests.total > 150 and (one.graph.directed_edges().size if hasattr(one.graph, "directed_edges") else 1)
    for name_x, name_y in [(x, y) for x in one.names for y in one.names if x < y]:
        told = [each.explain(name_x, name_y).replace("30,000 rows", "rows") for each in (one, two)]
        assert told[0] == told[1]


def test_neither_batches_nor_files_nor_columns_change_a_bit(tmp_path, few_kept):
    whole = hccd.stream(written(tmp_path / "a.parquet", network(gaps=0.02)))
    folder = written_parts(tmp_path / "parts", dict(reversed(network(gaps=0.02).items())), 9973)
    one, two = ready(whole), ready(hccd.stream(folder))
    names = [np.array(each.binding.names)[each.binding.columns].tolist() for each in (one, two)]
    assert names[0] == names[1]
    for own, other in zip(one.binding.ci.content(), two.binding.ci.content(), strict=True):
        assert np.array_equal(own, other)


def test_large_tables_are_kept_as_their_distinct_rows(tmp_path, few_kept, monkeypatch):
    monkeypatch.setattr("hccd.streams.distinct.MOST_ROWS", 1000)
    file = written(tmp_path / "a.parquet", network(8_000))
    expected = hccd.discover(hccd.stream(file), scoring="none", max_order=2)
    monkeypatch.setattr("hccd.streams.tables.DENSE_CELLS", 30)
    found = hccd.discover(hccd.stream(file), scoring="none", max_order=2)
    assert found.graph == expected.graph and found.tests == expected.tests
    # So few that most have to wait for another pass.
    monkeypatch.setattr("hccd.streams.tables.MOST_ROWS", 100)
    found = hccd.discover(hccd.stream(file), scoring="none", max_order=2, log=tmp_path / "log.jsonl")
    assert found.graph == expected.graph and found.tests == expected.tests
    assert (tmp_path / "log.jsonl").read_text().count("over the rows counts") > 50
    monkeypatch.setattr("hccd.streams.distinct.MOST_ROWS", 20)
    with pytest.raises(InvalidDataError, match="occur, too many for a test on streamed rows: group states"):
        hccd.discover(hccd.stream(file), scoring="none", max_order=2)


def test_a_pass_counts_no_more_than_fits(tmp_path, few_kept, monkeypatch):
    file = written(tmp_path / "a.parquet", network())
    expected = ready(hccd.stream(file)).binding.ci.content()
    passes = []
    counted = TableSource._pass

    def counting(self, wanted, postponed):
        passes.append(sum(int(np.prod(self.widths[list(members)])) for members in wanted))
        return counted(self, wanted, postponed)

    monkeypatch.setattr(TableSource, "_pass", counting)
    monkeypatch.setattr("hccd.streams.tables.MOST_CELLS", 200)
    found = ready(hccd.stream(file)).binding.ci.content()
    assert len(passes) > 3 and max(passes) <= 200
    assert all(np.array_equal(*pair) for pair in zip(expected, found, strict=True))


def test_what_the_sample_shows_is_checked_by_all_rows(tmp_path, few_kept):
    columns = network()
    # Equal, and constant, in all rows but one that is not in the sample.
    columns["copy"] = columns["v3"].copy()
    columns["nearly"] = 1 - columns["v3"]
    columns["same"] = 1 - columns["v3"]
    columns["still"] = np.zeros(30_000, np.int8)
    columns["once"] = np.zeros(30_000, np.int8)
    places = ready(hccd.stream(written(tmp_path / "a.parquet", columns))).table
    assert places.n_rows < 10_000
    for row in (17_003, 17_004):
        columns["nearly"][row] = columns["v3"][row]
        columns["once"][row] = 1
    file = written(tmp_path / "a.parquet", columns)
    one, two = (ready(data) for data in (hccd.read_table(file), hccd.stream(file)))
    assert one.copies == two.copies and set(one.copies) == {"copy", "same"}
    kinds = ("constant", "duplicate")
    told = [sorted(each.sentence for each in own.findings if each.kind.value in kinds) for own in (one, two)]
    assert told[0] == told[1] and any("'still' has the same value" in sentence for sentence in told[0])


def test_it_is_said_what_is_different(tmp_path, few_kept):
    file = written(tmp_path / "a.parquet", network())
    with pytest.warns(hccd.errors.DataWarning, match="more than 60 distinct rows of states, too many to keep"):
        result = hccd.discover(hccd.stream(file), log=tmp_path / "log.jsonl")
    assert result.confidence is None and result.parameters["scoring"] != "none"
    assert result.parameters["n_samples"] == 30_000
    said = next(each.sentence for each in result.findings if "too many to keep" in each.sentence)
    assert "passes over all 30,000 rows" in said and "sample" in said and "no resamples" in said
    notes = [json.loads(line).get("text", "") for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert "pass 1 over the rows counts 91 tables" in notes and sum("over the rows" in note for note in notes) > 4


def test_a_run_that_was_stopped_goes_on(tmp_path, few_kept):
    stream = hccd.stream(written(tmp_path / "a.parquet", network()))
    whole = hccd.discover(stream, scoring="none")
    events = []

    def stop(event):
        events.append(event)
        if event.stage == "refine":
            raise KeyboardInterrupt

    folder = hccd.CheckpointFolder(tmp_path / "states", every=0.0)
    with pytest.raises(KeyboardInterrupt):
        hccd.discover(stream, scoring="none", checkpoint=folder, progress=stop)
    again = hccd.discover(stream, scoring="none", checkpoint=hccd.CheckpointFolder(tmp_path / "states"))
    assert again.graph == whole.graph and again.tests == whole.tests and len(events) > 3


def test_more_rows_than_whole_numbers_count_come_in_units(tmp_path, few_kept, monkeypatch):
    file = written(tmp_path / "a.parquet", network())
    exact = ready(hccd.stream(file)).marginals
    monkeypatch.setattr("hccd.independence.counted.MOST_UNITS", 7_000)
    near = ready(hccd.stream(file)).marginals
    assert np.array_equal(exact.independent, near.independent) and np.array_equal(exact.freedom, near.freedom)
    np.testing.assert_allclose(near.strength, exact.strength, atol=2e-3)
    assert not np.array_equal(near.strength, exact.strength)


def test_the_other_columns_of_states(tmp_path, few_kept):
    file = written(tmp_path / "a.parquet", states())
    one, two = (ready(data, discrete="rare") for data in (hccd.read_table(file), hccd.stream(file)))
    same_start(one, two)


@pytest.mark.parametrize("live", [False, True])
def test_the_search_asks_the_same_in_both_kernels(tmp_path, few_kept, monkeypatch, live):
    stream = hccd.stream(written(tmp_path / "a.parquet", network(4000, gaps=0.05)))
    options = {"scoring": "none", "baseline": hccd.PC(stable=not live, max_order=2)}
    passes = [[], []]
    counted = TableSource._pass

    def learned(number):
        def noting(self, wanted, postponed):
            passes[number].append([tuple(map(int, members)) for members in wanted])
            return counted(self, wanted, postponed)

        monkeypatch.setattr(TableSource, "_pass", noting)
        return hccd.discover(stream, **options)

    expected = learned(0)
    for module in ("independence.counted", "wrapper.workers"):
        monkeypatch.setattr(f"hccd.{module}.ForeseenSearch", uncompiled("foreseen").ForeseenSearch)
    monkeypatch.setattr(import_module("hccd.wrapper.backtrack"), "Ledger", uncompiled("ledger").Ledger)
    found = learned(1)
    assert found.graph == expected.graph and found.tests == expected.tests and found.tests.total > 200
    assert passes[0] == passes[1] and len(passes[0]) > 4
    # Nothing is counted twice.
    asked = [members for own in passes[0] for members in own]
    assert len(set(asked)) == len(asked)
