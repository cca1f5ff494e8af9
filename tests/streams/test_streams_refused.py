"""What cannot be streamed is refused in one sentence; a damaged file is named."""

import numpy as np
import polars as pl
import pytest
from stream_cases import numbers, ready, written, written_parts

import hccd
from hccd.errors import FileFormatError, HCCDError, InvalidDataError


def refusal(make, kind=HCCDError):
    with pytest.raises(kind) as caught:
        make()
    said = caught.value.sentence
    assert "\n" not in said and len(said) < 600
    return said


@pytest.fixture
def folder(tmp_path):
    return written_parts(tmp_path / "data", numbers(9000), 3000)


def test_folders_that_are_no_table(tmp_path, folder):
    empty = tmp_path / "empty"
    (empty / ".hidden").mkdir(parents=True)
    (empty / "README.md").write_text("nothing")
    assert "the folder holds no table" in refusal(lambda: hccd.stream(empty), FileFormatError)
    assert "the folder holds no table" in refusal(lambda: hccd.discover(empty), FileFormatError)
    (folder / "more.csv").write_text("a,b\n1,2\n")
    assert "files of several kinds (parquet and text)" in refusal(lambda: hccd.stream(folder), FileFormatError)


def test_files_with_other_columns_or_types(folder):
    other = dict(numbers(3000))
    other["new"] = other.pop("v3")
    written(folder / "p3.parquet", other)
    said = refusal(lambda: hccd.stream(folder), InvalidDataError)
    assert "'p3.parquet' lacks 1 column ('v3') compared with 'p0.parquet'" in said
    written(folder / "p3.parquet", {**numbers(3000), "v2": ["a", "b", "c"] * 1000})
    said = refusal(lambda: hccd.stream(folder), InvalidDataError)
    assert "column 'v2' is double in the first file and string in 'p3.parquet'" in said
    # Numbers of another type are no other kind.
    written(folder / "p3.parquet", {**numbers(3000), "v2": np.arange(3000, dtype=np.int16)})
    assert ready(hccd.stream(folder)).binding.n_samples == 12_000


def test_a_damaged_file_in_the_middle(folder):
    file = folder / "p1.parquet"
    content = bytearray(file.read_bytes())
    content[400:60_000] = bytes(59_600)
    file.write_bytes(content)
    said = refusal(lambda: ready(hccd.stream(folder)), FileFormatError)
    assert "p1.parquet" in said and "may be damaged" in said
    file.write_bytes(content[:1000])
    said = refusal(lambda: hccd.stream(folder), FileFormatError)
    assert "p1.parquet" in said and "may be damaged" in said


def test_partitions_are_a_column(tmp_path):
    for year in (2020, 2021):
        place = tmp_path / "hive" / f"year={year}"
        place.mkdir(parents=True)
        written(place / "a.parquet", numbers(3000, seed=year))
    prepared = ready(hccd.stream(tmp_path / "hive"))
    assert prepared.binding.names == (*numbers(1), "year") and prepared.table.kinds[-1].value == "discrete"
    assert ready(str(tmp_path / "hive")).binding.names == prepared.binding.names


def test_text_that_turns_out_otherwise(tmp_path, monkeypatch):
    monkeypatch.setattr("hccd.streams.text.PIECE", 2000)
    file = tmp_path / "a.csv"
    lines = [f"{i % 7 + 0.5},{i % 3}" for i in range(2000)]
    file.write_text("\n".join(["x,y", *lines, "words,1", *lines]))
    said = refusal(lambda: ready(hccd.stream(file)), InvalidDataError)
    assert "column 'x' holds numbers in some rows and text further on" in said
    file.write_text("\n".join(["x,y", *lines, "1,2,3", *lines]))
    assert "3 cells" in refusal(lambda: ready(hccd.stream(file)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"test": "regression"}, "which this test cannot use: choose 'fisher-z'"),
        ({"test": lambda data, x, y, given: 0.5}, "which this test cannot use"),
        ({"transform": "ranks"}, "choose 'normal-scores'"),
        ({"alpha": "auto"}, "alpha is 'auto', which holds out rows"),
        ({"weights": "v1"}, "weights cannot be used"),
        ({"discretize": 3}, "discretize needs all rows in memory"),
        ({"names": list("abcdef")}, "names cannot be given"),
        ({"test": "g"}, "continuous values"),
    ],
)
def test_options_that_need_all_rows(folder, options, said):
    assert said in refusal(lambda: ready(hccd.stream(folder), **options))


def test_values_that_cannot_be_used(tmp_path):
    columns = numbers(3000)
    columns["v1"][2999] = np.inf
    file = written(tmp_path / "a.parquet", columns)
    assert "1 infinite value in 'v1'" in refusal(lambda: ready(hccd.stream(file)), InvalidDataError)
    assert "only files, folders" in refusal(lambda: hccd.stream(pl.DataFrame(columns)), InvalidDataError)
    assert "has no rows" in refusal(lambda: ready(hccd.stream(pl.LazyFrame({"a": [], "b": []}))), InvalidDataError)
    assert "there is no such file" in refusal(lambda: hccd.discover(tmp_path / "nowhere.parquet"), FileFormatError)
