"""What cannot be streamed is refused in one sentence; a damaged file is named."""

import gzip
import os

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from stream_cases import numbers, ready, written, written_parts

import hccd
from hccd.errors import FileFormatError, HCCDError, InvalidDataError
from hccd.streams.opening import may_be_large


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


def test_empty_and_damaged_text(tmp_path):
    file = tmp_path / "a.csv"
    for content in (b"", b"\n\n"):
        file.write_bytes(content)
        assert "the file is empty" in refusal(lambda: hccd.stream(file), FileFormatError)
    file.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 90_000)[:200])
    assert "damaged or cut off" in refusal(lambda: hccd.stream(file), FileFormatError)
    assert "there is no such file" in refusal(lambda: hccd.stream(tmp_path / "b.csv"), FileFormatError)
    place = tmp_path / "folder"
    place.mkdir()
    (place / "a.csv").write_text("a,b\n" + "1,2\n" * 50)
    (place / "b.csv").write_bytes(bytes(90))
    assert "b.csv': this is no text" in refusal(lambda: hccd.discover(place), FileFormatError)


def test_marks_of_missing_numbers_are_the_same_in_all_pieces(tmp_path, monkeypatch):
    """What stands for a missing number stands for a missing word, too, whichever piece shows it first."""
    monkeypatch.setattr("hccd.streams.text.PIECE", 4000)
    rng = np.random.default_rng(0)
    words, values = rng.choice(["low", "high", "NA"], 2000), rng.normal(size=2000).astype(str)

    def table(at):
        file = tmp_path / f"{at}.csv"
        own = np.where(np.arange(2000) == at, "NA", values)
        file.write_text("x,word\n" + "".join(f"{x},{word}\n" for x, word in zip(own, words, strict=True)))
        return file

    early = hccd.stream(table(5))
    assert ready(early).n_missing["word"] == np.count_nonzero(words == "NA")
    said = refusal(lambda: ready(hccd.stream(table(1500))), InvalidDataError)
    assert "'NA' stands for a missing number" in said and "--na NA" in said


def test_a_last_line_without_an_end_belongs_to_the_others(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("\n".join(["x,code", *(f"{i % 7}.5,{'AB'[i % 2]}" for i in range(100)), "1.5,7"]))
    assert ready(hccd.stream(file)).table.kinds == ready(hccd.read_table(file)).table.kinds


def test_folders_of_text_are_read_whole_as_they_are_streamed(tmp_path):
    rng = np.random.default_rng(0)
    for name, pack in (("a.csv", bytes), ("b.csv.gz", gzip.compress)):
        rows = "".join(f"{x},{x > 0},{'lmh'[int(x * x) % 3]}\n" for x in rng.normal(size=300))
        (tmp_path / name).write_bytes(pack(f"x,up,word\n{rows}".encode()))
    whole, streamed = ready(tmp_path), ready(hccd.stream(tmp_path))
    assert whole.table.kinds == streamed.table.kinds and whole.table.n_rows == streamed.table.n_rows == 600


def test_names_and_types_that_do_not_go_together(tmp_path, folder):
    three = numbers(3000)
    written(folder / "p3.parquet", {**three, "v2": three["v2"] > 0})
    assert "'v2' is double in the first file and bool" in refusal(lambda: hccd.stream(folder), InvalidDataError)
    file = written(tmp_path / "reserved.parquet", {**three, "__batch_index": three["v0"]})
    assert "rename it" in refusal(lambda: hccd.stream(file), InvalidDataError)
    place = tmp_path / "hive" / "v0=1"
    place.mkdir(parents=True)
    written(place / "a.parquet", three)
    assert "one that the folders name" in refusal(lambda: hccd.stream(tmp_path / "hive"), InvalidDataError)
    (place / "a.parquet").unlink()
    written(tmp_path / "hive" / "a.parquet", pa.table(three).slice(0, 0))
    assert "0 rows" in refusal(lambda: hccd.discover(tmp_path / "hive"))
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().sql('select random() as a, random() as "A", random() as b from range(50)')
    assert "'a' occurs more than once" in refusal(lambda: hccd.stream(relation), InvalidDataError)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert not may_be_large(pipe)


def test_partitions_of_different_types(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    n = 150_000
    frame = pd.DataFrame({**numbers(n), "up": numbers(n)["v1"] > 0, 7: np.arange(n) % 3})
    cut = 70_000
    parts = [frame[:cut], frame[cut:].astype({"up": int, 7: float})]

    def of(*own, meta=frame[:0]):
        return hccd.stream(dd.from_map(lambda i: own[i], range(len(own)), meta=meta))

    assert ready(of(*parts)).binding.names == ready(pd.concat(parts)).binding.names
    large = np.arange(n - cut).astype(np.uint64) + np.uint64(2**63)
    far = [frame[:cut].assign(q=-np.arange(cut)), frame[cut:].assign(q=large)]
    assert ready(of(*far, meta=far[0][:0])).table.kinds[-1].value == "continuous"
    assert "no column 'up'" in refusal(lambda: ready(of(frame[:cut], frame[cut:].drop(columns="up"))), InvalidDataError)
    odd = frame.assign(z=1j)
    assert "Arrow cannot hold some cells" in refusal(lambda: ready(of(odd, meta=odd[:0])), InvalidDataError)
    odd = frame.assign(z=pd.Period("2020-01"))
    assert "'z' holds neither numbers nor text" in refusal(lambda: ready(of(odd, meta=odd[:0])), InvalidDataError)
    twice = frame.set_axis(["a", "a", *"bcdefg"][: frame.shape[1]], axis=1)
    assert "'a' occurs more than once" in refusal(lambda: of(twice, meta=twice[:0]), InvalidDataError)
