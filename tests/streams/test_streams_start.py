"""What a run knows of streamed rows is what it knows of the same rows in memory, wherever they come from."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import dataset, feather
from stream_cases import mixed, numbers, ready, same_start, states, written

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
    folder = tmp_path / "parts"
    folder.mkdir()
    backwards = dict(reversed(columns.items()))
    table = pa.table(backwards)
    for k, start in enumerate(range(0, len(table), 9973)):
        written(folder / f"part{k}.parquet", table.slice(start, 9973), row_group_size=1000 + 777 * k)
    parts = ready(hccd.stream(folder))
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


def test_gaps_leave_complete_rows_to_numbers_and_all_rows_to_states(tmp_path):
    rng = np.random.default_rng(3)
    gone = rng.random(50_000) < 0.1
    columns = {**mixed(), "v3": np.where(gone, np.nan, mixed()["v3"])}
    columns["word"] = [
        None if lost else word for lost, word in zip(rng.random(50_000) < 0.05, columns["word"], strict=True)
    ]
    file = written(tmp_path / "m.parquet", columns)
    stream, table = ready(hccd.stream(file)), ready(hccd.read_table(file), missing="rows")
    # Columns are told apart by all their cells, not by those of complete rows.
    same_start(table, stream, 1e-12, in_order=False)
    said = next(each.sentence for each in stream.findings if each.kind.value == "missing")
    assert "missing values in 'v3'" in said and f"{stream.binding.n_samples:,} complete rows of 50,000" in said
    with pytest.raises(hccd.errors.InvalidParameterError, match="missing is 'em', which needs all rows in memory"):
        ready(hccd.stream(file), missing="em")
    columns = {**states(), "word": columns["word"]}
    file = written(tmp_path / "s.parquet", columns)
    same_start(ready(hccd.read_table(file)), ready(hccd.stream(file)))


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
