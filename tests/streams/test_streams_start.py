"""What a run knows of streamed rows is what it knows of the same rows in memory, wherever they come from."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset, feather
from stream_cases import mixed, numbers, ready, same_start, states, written, written_parts

import hccd
from hccd.streams import source as source_module
from hccd.tables.resamples import drawn

DATA = {"numbers": numbers, "states": states, "mixed": mixed}


@pytest.fixture(params=DATA)
def columns(request):
    return DATA[request.param]()


def test_a_stream_starts_from_the_same_as_a_table(tmp_path, columns):
    file = written(tmp_path / "a.parquet", columns, row_group_size=7001)
    same_start(ready(hccd.read_table(file)), ready(hccd.stream(file)), 1e-12)


def test_neither_batches_nor_files_nor_columns_change_a_bit(tmp_path, columns):
    whole = ready(hccd.stream(written(tmp_path / "a.parquet", columns)))
    backwards = dict(reversed(columns.items()))
    parts = ready(hccd.stream(written_parts(tmp_path / "parts", backwards, 9973)))
    assert np.array_equal(
        np.array(whole.binding.names)[whole.binding.columns], np.array(parts.binding.names)[parts.binding.columns]
    )
    for one, two in zip(whole.binding.ci.content(), parts.binding.ci.content(), strict=True):
        assert np.array_equal(one, two)
    again = [drawn(each.seed, 3, *each.units, again=True) for each in (whole, parts)]
    content = [each.binding.reweighted(own).content()[0] for each, own in zip((whole, parts), again, strict=True)]
    assert np.array_equal(*content)


def test_every_source_gives_the_same(tmp_path, columns, monkeypatch):
    dask = pytest.importorskip("dask.dataframe")
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setattr("hccd.streams.text.PIECE", 100_000)
    columns = {name: values[:12_000] for name, values in columns.items()}
    file = written(tmp_path / "a.parquet", columns)
    frame = pl.DataFrame(columns)
    frame.write_csv(tmp_path / "a.csv")
    feather.write_feather(pa.table(columns), tmp_path / "a.feather")
    expected = ready(hccd.read_table(file))
    for data in (
        tmp_path / "a.csv",
        str(tmp_path / "a.feather"),
        frame.lazy(),
        pl.scan_parquet(file).with_columns(pl.all()),
        dataset.dataset(file),
        duckdb.from_arrow(pa.table(columns)),
        dask.from_pandas(frame.to_pandas(), npartitions=3),
    ):
        same_start(expected, ready(hccd.stream(data)), 1e-12)


@pytest.mark.filterwarnings("ignore:column 'rare'")
def test_the_graph_and_its_evidence_are_the_same(tmp_path):
    file = written(tmp_path / "a.parquet", numbers())
    one, two = (hccd.discover(data, bootstrap=20) for data in (hccd.read_table(file), hccd.stream(file)))
    assert one.graph == two.graph and one.tests == two.tests and one.fit == two.fit
    assert one.confidence is not None and two.confidence is not None
    assert two.parameters["streamed"] == {"rows": 50_000, "sample": 50_000, "blocks": 25}
    assert any("50,000 rows of the file" in each.sentence for each in two.findings)
    table, stream = hccd.read_table(written(tmp_path / "s.parquet", states())), hccd.stream(tmp_path / "s.parquet")
    one, two = (hccd.discover(data, bootstrap="none", discrete="rare") for data in (table, stream))
    assert one.graph == two.graph and one.tests == two.tests


def test_columns_are_dropped_and_declared(tmp_path):
    file = written(tmp_path / "a.parquet", {**mixed(), "row": np.arange(50_000), "note": np.arange(50_000).astype(str)})
    stream = hccd.stream(file, drop="v1", ordinal="small", discrete=["word"])
    table = hccd.read_table(file, drop="v1", ordinal="small", discrete=["word"])
    one, two = ready(table), ready(stream)
    same_start(one, two, 1e-12)
    assert two.binding.names == ("v0", "v2", "v3", "word", "small")
    said = " ".join(each.sentence for each in two.findings)
    assert "'row' numbers the rows" in said and "'note' holds free text" in said


def with_gaps(columns):
    """Columns with gaps in numbers and text, and rows of which nothing is known."""
    rng = np.random.default_rng(3)
    n_rows = len(next(iter(columns.values())))
    nothing = np.arange(n_rows) % 5000 == 77
    own = {}
    for name, values in columns.items():
        gone = nothing | (rng.random(n_rows) < (0.1 if name in ("v0", "v3", "word") else 0.0))
        own[name] = pa.array(values, mask=gone)
    return own


@pytest.mark.parametrize("make", [numbers, mixed])
@pytest.mark.parametrize("transform", ["none", "normal-scores", "curves"])
def test_gaps_are_estimated_from_all_rows(tmp_path, make, transform):
    file = written(tmp_path / "m.parquet", with_gaps(make()))
    one, two = (ready(data, transform=transform) for data in (hccd.read_table(file), hccd.stream(file)))
    same_start(one, two, 1e-9)
    assert one.binding.missing == two.binding.missing == "em"
    for own, other in zip(one.binding.ci.content(), two.binding.ci.content(), strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-6, atol=1e-8)
    said = next(each.sentence for each in two.findings if each.kind.value == "missing")
    assert "estimated from all rows by EM" in said and "of 50,000 rows" in said
    # Resamples are of blocks, and all blocks together are all rows.
    drawn_once = two.binding.reweighted(two.binding.units)
    for own, other in zip(drawn_once.content(), two.binding.ci.content(), strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-6, atol=1e-8)
    half = two.binding.units.copy()
    half[::2] = 0.0
    assert two.binding.reweighted(half).n_samples < 0.6 * two.binding.ci.n_samples


def test_graphs_from_rows_with_gaps_are_those_of_a_table(tmp_path):
    file = written(tmp_path / "m.parquet", with_gaps(numbers()))
    with pytest.warns(hccd.errors.DataWarning, match="estimated from all rows by EM"):
        one, two = (hccd.discover(data, bootstrap="none") for data in (hccd.read_table(file), hccd.stream(file)))
    assert one.graph == two.graph and one.tests == two.tests


def test_gaps_leave_complete_rows_where_patterns_are_too_many_and_all_rows_to_states(tmp_path, monkeypatch):
    columns = with_gaps(mixed())
    file = written(tmp_path / "m.parquet", columns)
    stream, table = (ready(data, missing="rows") for data in (hccd.stream(file), hccd.read_table(file)))
    # Columns are told apart by all their cells, not by those of complete rows.
    same_start(table, stream, 1e-12, in_order=False)
    said = next(each.sentence for each in stream.findings if each.kind.value == "missing")
    assert "5,033 in 'v3'" in said and f"{stream.binding.n_samples:,} complete rows of 50,000" in said
    monkeypatch.setattr("hccd.streams.patterns.MOST_PATTERNS", 3)
    again = ready(hccd.stream(file))
    same_start(stream, again)
    assert "too many patterns" in next(each.sentence for each in again.findings if each.kind.value == "missing")
    with pytest.raises(hccd.errors.InvalidParameterError, match="missing is 'em', but there are too many patterns"):
        ready(hccd.stream(file), missing="em")
    with pytest.raises(hccd.errors.InvalidParameterError, match="missing is 'impute', which needs all rows in memory"):
        ready(hccd.stream(file), missing="impute")
    columns = {**states(), "word": columns["word"]}
    file = written(tmp_path / "s.parquet", columns)
    same_start(ready(hccd.read_table(file)), ready(hccd.stream(file)))


def test_few_blocks_are_kept_where_patterns_are_large(tmp_path, monkeypatch):
    file = written(tmp_path / "m.parquet", with_gaps(numbers(100_000)))
    wide = ready(hccd.stream(file)).binding
    # Bytes of the patterns of two columns with gaps.
    of_a_block = 8 * (6 * 6 + 2 * 5 * 5 + 4 * 4)
    monkeypatch.setattr("hccd.streams.patterns.MOST_BYTES", 2 * 30 * of_a_block)
    narrow = ready(hccd.stream(file)).binding
    assert len(wide.units) == 49 and len(narrow.units) == 25
    monkeypatch.setattr("hccd.streams.patterns.MOST_BYTES", 2 * 5 * of_a_block)
    single = ready(hccd.stream(file)).binding
    assert single.units is None
    for binding in (narrow, single):
        np.testing.assert_allclose(binding.ci.correlation, wide.ci.correlation, atol=1e-9)


@pytest.mark.parametrize("transform", ["normal-scores", "curves", "log", "trim"])
def test_transforms_are_those_of_a_table(tmp_path, transform):
    columns = {name: np.exp(values / 2) for name, values in numbers(20_000).items()}
    file = written(tmp_path / "a.parquet", columns)
    # The sample holds all of so few rows: so ranks and medians are those of the table.
    same_start(ready(hccd.read_table(file), transform=transform), ready(hccd.stream(file), transform=transform), 1e-9)


def test_rows_are_streamed_where_there_are_many(tmp_path, monkeypatch):
    monkeypatch.setattr("hccd.streams.opening.MOST_CELLS", 10_000)
    file = written(tmp_path / "a.parquet", numbers(3000), row_group_size=500)
    monkeypatch.setattr("hccd.streams.opening._SMALL", 100)
    for data in (file, pl.scan_parquet(file), dataset.dataset(file)):
        assert ready(data).binding.streamed is not None
    small = written(tmp_path / "b.parquet", numbers(1000), row_group_size=500)
    for data in (str(small), pl.scan_parquet(small), dataset.dataset(small)):
        assert ready(data).binding.streamed is None
    assert source_module.source_of(pl.DataFrame({"a": [1]})) is None
