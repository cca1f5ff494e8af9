"""Accumulators: exact beside brute force, and the same however rows are divided."""

import pickle

import numpy as np
import pyarrow as pa
import pytest
from stream_cases import mixed, numbers, states

from hccd.independence.transforms import normal_scores
from hccd.streams import cells as cells_module
from hccd.streams import distinct as distinct_module
from hccd.streams.cells import MISSING, Lookup, distinct, numbered
from hccd.streams.column import Seen
from hccd.streams.distinct import Distinct
from hccd.streams.embedding import Scores
from hccd.streams.moments import BlockMoments, Moments, total
from hccd.streams.sample import MOST_ROWS, STRETCH, Sample, scattered
from hccd.tables import as_table
from uncompiled import compiled, uncompiled


@pytest.mark.parametrize("offset", [0.0, 1e9, -1e12])
def test_correlations_keep_their_digits_beside_large_means(offset):
    values = np.array(list(numbers(30_000).values())) + offset
    exact = values.astype(np.longdouble)
    exact -= exact.mean(axis=1, keepdims=True)
    exact /= np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    blocks = BlockMoments.none(values[:, :128])
    blocks.add(0, values)
    np.testing.assert_allclose(blocks.all().correlation(), (exact @ exact.T).astype(float), rtol=0, atol=1e-10)
    # One chunk far from all others, and other origins.
    values[:, :2048] += 1e6
    exact = values.astype(np.longdouble) - values.astype(np.longdouble).mean(axis=1, keepdims=True)
    own = total([Moments.of(values[:, start : start + 2048], values[:, start % 3]) for start in range(0, 30_000, 2048)])
    np.testing.assert_allclose(own.products, (exact @ exact.T).astype(float), rtol=1e-10)


def test_moments_of_parts_merge_into_those_of_all():
    values = np.array(list(numbers(40_960).values()))
    whole = BlockMoments.none(values[:, :128])
    whole.add(0, values)
    np.testing.assert_allclose(whole.all().products, np.cov(values) * 40_959, rtol=1e-12)
    assert whole.all().n == 40_960 and whole.drawn() is not None
    # A block that is drawn twice counts as its rows twice.
    first = Moments.of(values[:, :2048], values[:, 0])
    np.testing.assert_allclose(
        first.times(2.0).merge(Moments.of(values[:, 2048:], values[:, 1])).correlation(),
        np.corrcoef(np.hstack([values[:, :2048], values])),
        atol=1e-12,
    )


def test_constants_and_incomplete_rows():
    values = np.array(list(numbers(5000).values())[:3])
    values[1] = 1e9 + 0.1
    values[2, ::7] = np.nan
    blocks = BlockMoments.none(values[:, :128])
    blocks.add(0, values)
    found = blocks.all()
    assert found.n == np.isfinite(values).all(axis=0).sum()
    assert found.correlation()[1].tolist() == [0.0, 1.0, 0.0]
    kept = values[:, np.isfinite(values).all(axis=0)]
    assert found.correlation()[0, 2] == pytest.approx(np.corrcoef(kept[[0, 2]])[0, 1], abs=1e-12)


def test_distinct_rows_are_counted_like_numpy_does(monkeypatch):
    rng = np.random.default_rng(0)
    # More bits than one whole number has, and missing cells.
    codes = rng.integers(0, 3, (45, 3000)).astype(np.uint16)[:, rng.integers(0, 3000, 20_000) // 10]
    codes[3, codes[4] == 1] = MISSING
    # Codes that take more bits than those before, and the highest there are.
    codes[7, 15_000:] += rng.integers(0, 2, 5000).astype(np.uint16) * np.uint16(900)
    codes[9, 17_000] = MISSING - 1
    whole, one, two = Distinct(), Distinct(), Distinct()
    for start in range(0, 20_000, 777):
        whole.add(codes[:, start : start + 777])
        (one if start < 9000 else two).add(codes[:, start : start + 777])
    rows, counts = whole.rows()
    expected, times = np.unique(codes.T, axis=0, return_counts=True)
    order = np.lexsort(rows.T[::-1])
    assert np.array_equal(rows[order], expected) and np.array_equal(counts[order], times)
    one.merge(pickle.loads(pickle.dumps(two)))
    assert np.array_equal(one.rows()[0], rows) and np.array_equal(one.rows()[1], counts)
    # In the order in which they first occur.
    first = [int(np.flatnonzero((row == codes.T).all(axis=1))[0]) for row in rows[:50]]
    assert first == sorted(first)
    monkeypatch.setattr(distinct_module, "MOST_ROWS", len(rows))
    again = Distinct()
    again.add(codes)
    assert not again.full and len(again.rows()[0]) == len(rows)
    again.add(codes[::-1].copy())
    assert again.full and pickle.loads(pickle.dumps(again)).full
    whole.merge(again)
    assert whole.full


def test_both_kernels_count_the_same_rows(monkeypatch):
    codes = np.random.default_rng(1).integers(0, 4, (35, 1300)).astype(np.uint16)
    codes[:, 650:] = codes[:, :650]
    codes[2, 1000:1100] = MISSING
    found = []
    for kernel in (compiled, uncompiled):
        monkeypatch.setattr(distinct_module, "RowCounter", kernel("distinct_rows").RowCounter)
        monkeypatch.setattr(distinct_module, "pack", kernel("distinct_rows").pack)
        own = Distinct()
        own.add(codes[:, :900])
        own.add(codes[:, 900:])
        found.append(own.rows())
    assert np.array_equal(found[0][0], found[1][0]) and np.array_equal(found[0][1], found[1][1])
    assert len(found[0][0]) > 650 and found[0][1].sum() == 1300


def test_columns_show_the_same_whole_or_in_parts():
    for columns in (numbers(2000), states(2000), mixed(2000)):
        for name, values in columns.items():
            cells = pa.array(values)
            whole, parts, other = Seen(name), Seen(name), Seen(name)
            whole.take(cells)
            for start in range(0, 1000, 300):
                parts.take(cells.slice(start, min(300, 1000 - start)))
            other.take(cells.slice(1000))
            parts.merge(pickle.loads(pickle.dumps(other)))
            shown = [(each.rows, each.low, each.high, each.whole, each.states) for each in (whole, parts)]
            assert shown[0] == shown[1]
            if whole.states is not None:
                assert list(whole.states) == list(dict.fromkeys(cells.to_pylist()))
                assert list(whole.states) == list(parts.states or ())


def test_states_are_given_up_where_they_are_too_many():
    many, text = Seen("a"), Seen("b")
    assert many.take(pa.array(np.arange(70_000))) is None and many.states is None and many.whole
    assert text.take(pa.array(np.arange(70_000).astype(str))) is None and text.states is None
    two = Seen("c")
    assert two.take(pa.array([0.5, 1.5, 0.5])).tolist() == [0, 1, 0] and two.states == {0.5: 2, 1.5: 1}
    assert two.take(pa.array([2.5])) is None and two.measured


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("kernel", [compiled, uncompiled])
def test_codes_found_by_place_are_those_found_by_value(dtype, kernel, monkeypatch):
    monkeypatch.setattr(cells_module, "code_states", kernel("state_codes").code_states)
    values = np.array([5, 3, 120, 3, 5], dtype)
    lookup = Lookup.of([3.0, 5.0, 120.0])
    codes, times, missing = lookup(values)
    assert codes.tolist() == [1, 0, 2, 0, 1] and times.tolist() == [2, 2, 1] and not missing
    for strange in (4, 121, 2, 0, 127):
        assert lookup(np.array([strange], dtype)) is None
    if np.dtype(dtype).kind == "f":
        assert lookup(np.array([3.5], dtype)) is None
        assert lookup(np.array([np.inf], dtype)) is None
        codes, times, missing = lookup(np.array([np.nan, 120.0], dtype))
        assert codes.tolist() == [MISSING, 2] and times.tolist() == [0, 0, 1] and missing == 1


def test_text_is_coded_with_gaps_and_foreign_dictionaries():
    cells = pa.array(["b", None, "a", "b", ""])
    few, codes, kept = distinct(cells)
    assert few == ["b", "a", ""] and kept.tolist() == [True, False, True, True, True]
    assert numbered(few, codes, kept, ["", "a", "b"]).tolist() == [2, MISSING, 1, 2, 0]
    odd = pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2, 1]), pa.array(["x", None, "z"]))
    few, codes, kept = distinct(odd)
    assert few == ["z", "x"] and kept.tolist() == [True, True, False, True, False]


def test_the_sample_depends_on_places_alone():
    n_rows = 3 * MOST_ROWS + 100
    table = pa.table({"row": np.arange(n_rows)})

    def sample(sizes, rows=table, start=0):
        own = Sample()
        for batch in rows.to_batches(max_chunksize=sizes):
            own.take(start, batch)
            start += batch.num_rows
        return own

    rows, places = sample(65_536).rows()
    assert len(places) == MOST_ROWS and np.array_equal(rows.column(0).to_numpy(), places)
    assert np.array_equal(sample(1017).rows()[1], places)
    half = n_rows // 2
    one, two = sample(5000, table.slice(0, half)), sample(999, table.slice(half), half)
    one.merge(two)
    assert np.array_equal(one.rows()[1], places)
    # Stretches are whole, and everywhere alike.
    assert (np.diff(places) == 1).mean() > 1 - 2 / STRETCH
    assert abs(places.mean() / n_rows - 0.5) < 0.02
    assert len(np.unique(scattered(np.arange(1000, dtype=np.uint64)))) == 1000


def test_normal_scores_of_a_sample_are_those_of_its_ranks():
    values = np.random.default_rng(0).integers(0, 30, 500) * 1.0
    scores = Scores.of(values)
    np.testing.assert_array_equal(scores(values), normal_scores(values[None, :])[0])
    between = scores(np.array([-5.0, 3.5, 99.0, np.nan]))
    assert between[0] == scores(np.array([0.0]))[0] and between[2] == scores(np.array([29.0]))[0]
    assert scores(np.array([3.0]))[0] < between[1] < scores(np.array([4.0]))[0] and np.isnan(between[3])


@pytest.mark.parametrize("n_rows", [12, 60, 3000])
def test_kinds_are_those_of_a_table(n_rows, tmp_path):
    from stream_cases import written

    import hccd
    from hccd.run.options import Options
    from hccd.run.streamed import Streamed

    rng = np.random.default_rng(n_rows)
    words = [f"w{i:02}" for i in range(25)]
    which = rng.integers(0, 25, n_rows)
    columns = {
        "fraction": rng.normal(size=n_rows),
        "two": np.where(rng.random(n_rows) < 0.5, 0.25, 7.5),
        "few": rng.integers(0, 9, n_rows),
        "more": rng.integers(0, 15, n_rows),
        "many": rng.integers(0, 300, n_rows),
        "floats": rng.integers(0, 5, n_rows) * 1.0,
        "big": rng.integers(0, 5, n_rows) * 10**12,
        "word": np.array(words)[which],
        "code": which + 1000,
        "truth": rng.random(n_rows) < 0.5,
        "gap": np.where(rng.random(n_rows) < 0.3, np.nan, rng.integers(0, 4, n_rows)),
    }
    for left_out in ({}, {"fraction"}, {"fraction", "many"}, {"word"}, {"fraction", "two", "word", "truth", "gap"}):
        own = {name: values for name, values in columns.items() if name not in left_out}
        stream = hccd.stream(written(tmp_path / "a.parquet", own))
        assert Streamed.of(stream, Options()).table.kinds == as_table(own).kinds


def test_columns_that_begin_alike_have_the_digests_that_they_have_in_memory(tmp_path):
    from stream_cases import written

    from hccd.streams.keys import stream_keys
    from hccd.streams.look import look
    from hccd.tables import column_keys

    # They differ from the first one from here on: the last two by nothing.
    places = (0, 10, 130, 20_000, 32_767, 32_768, 40_000, 70_000, 70_000)
    columns = {f"c{i}": (np.arange(70_000) >= place).astype(np.uint16) for i, place in enumerate(places)}
    looked = look(hccd_stream(written(tmp_path / "a.parquet", columns)), list(columns))
    keys = stream_keys(looked, list(columns), lambda batch, name: batch.column(name).to_numpy(zero_copy_only=False))
    assert keys == column_keys(np.array(list(columns.values())).T)
    assert len(set(keys)) == len(places) - 1 and keys[-1] == keys[-2]


def hccd_stream(file):
    """The source of a file."""
    import hccd

    return hccd.stream(file).source
