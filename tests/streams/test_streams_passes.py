"""Parts of the rows, added up apart, merge into the same bits as all rows in one go."""

import pickle
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from stream_cases import mixed, numbers, ready, states, written

import hccd
from hccd.parallel import in_threads_in_order, one_ahead
from hccd.streams import moments
from hccd.streams.keys import stream_keys
from hccd.streams.look import look
from hccd.streams.moments import CHUNK, BlockMoments
from hccd.streams.partitions import whole_units
from hccd.streams.sample import MOST_ROWS, STRETCH, Sample
from hccd.tables import column_keys

DATA = {"numbers": numbers, "states": states, "mixed": mixed}


def content(data, **options):
    """All that a run knows of rows: columns and their order, what the test is bound to, the sample, resamples."""
    start = ready(data, **options)
    blocks = start.binding.units
    again = [] if blocks is None else start.binding.reweighted(np.arange(len(blocks)) % 3.0).content()
    own = [*start.binding.ci.content(), *again, *start.table.columns]
    arrays = [np.asarray(each) for each in own]
    told = [repr(each.tolist()) if each.dtype == object else each.tobytes() for each in arrays]
    return start.binding.names, start.binding.columns.tolist(), told


@pytest.mark.parametrize("make", DATA.values(), ids=DATA)
@pytest.mark.parametrize("gaps", [False, True])
def test_neither_threads_nor_batches_change_a_bit(tmp_path, monkeypatch, make, gaps):
    columns = make(50_000)
    if gaps:
        columns = {
            name: pa.array(values, mask=np.random.default_rng(i).random(50_000) < 0.01)
            for i, (name, values) in enumerate(columns.items())
        }
    file = written(tmp_path / "a.parquet", columns, row_group_size=7001)
    monkeypatch.setattr("hccd.tables.keys.LONG", 1 << 14)
    whole = content(hccd.stream(file))
    monkeypatch.setattr("hccd.streams.source._MOST_ROWS", 1 << 12)
    for n_jobs in (1, 2, 3):
        assert content(hccd.stream(file), n_jobs=n_jobs) == whole


@pytest.mark.parametrize("many", [MOST_ROWS // 64, 5])
def test_states_that_come_late_are_numbered_as_they_come(tmp_path, monkeypatch, many):
    """Also where a column turns out not to hold states, in some later batch."""
    rng = np.random.default_rng(0)
    late = rng.integers(0, many, 50_000) * (np.arange(50_000) > 9000) * 1.0
    late[45_000] = 0.5
    columns = {**states(50_000), "late": late, "last": np.where(np.arange(50_000) < 40_000, "a", "b")}
    file = written(tmp_path / "a.parquet", columns)
    monkeypatch.setattr("hccd.streams.source._MOST_ROWS", 1 << 12)
    one, three = (content(hccd.stream(file, drop="late"), n_jobs=n) for n in (1, 3))
    assert one == three
    one, three = (content(hccd.stream(file), n_jobs=n) for n in (1, 3))
    assert one == three


def test_moments_of_any_parts_have_the_bits_of_all(monkeypatch):
    monkeypatch.setattr(moments, "MOST_BLOCKS", 3)
    monkeypatch.setattr(moments, "FEWEST_BLOCKS", 2)
    monkeypatch.setattr(moments, "TURNS", 2)
    rng = np.random.default_rng(1)
    n_rows = 150 * CHUNK + 77
    values = rng.normal(size=(4, n_rows)) + np.linspace(0, 50, n_rows)
    values[2, rng.random(n_rows) < 0.001] = np.nan

    def added(bounds):
        all_rows = BlockMoments.none(values[:, :100])
        for start, end in pairwise(bounds):
            part = all_rows.further()
            part.add(start, list(values[:, start:end]))
            all_rows.merge(pickle.loads(pickle.dumps(part)))
        return all_rows

    whole = BlockMoments.none(values[:, :100])
    whole.add(0, list(values))
    for _ in range(5):
        cuts = np.unique(rng.integers(1, 150, rng.integers(0, 40))) * CHUNK
        apart = added([0, *cuts.tolist(), n_rows])
        for one, two in zip(whole.held(), apart.held(), strict=True):
            assert one.n == two.n and np.array_equal(one.mean, two.mean) and np.array_equal(one.products, two.products)
    assert all(np.array_equal(block.products, block.products.T) for block in whole.held())
    kept = values[:, ~np.isnan(values[2])]
    assert whole.all().n == kept.shape[1]
    np.testing.assert_allclose(whole.all().products, np.cov(kept) * (kept.shape[1] - 1), rtol=1e-10)
    # Blocks hold about as many rows, and a part of the rows is told by few runs.
    assert max(block.n for block in whole.held()) < 1.5 * min(block.n for block in whole.held())
    part = whole.further()
    part.add(100 * CHUNK, list(values[:, 100 * CHUNK : 140 * CHUNK]))
    assert len(part.runs) < 12


def test_a_mean_far_from_the_origin_costs_no_digits():
    values = np.random.default_rng(2).normal(size=(3, 40_000))
    values[1] += 0.5 * values[0]
    values += np.array([[1e8], [-1e7], [0.0]])
    # The first rows tell nothing of two columns, and there is another level later.
    values[:2, :200] = np.nan
    values[2, 3000:] += 1e7
    found = BlockMoments.none(values[:, :100])
    found.add(0, list(values))
    exact = values[:, 200:].astype(np.longdouble)
    exact -= exact.mean(axis=1, keepdims=True)
    exact /= np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(found.all().correlation(), (exact @ exact.T).astype(float), rtol=0, atol=1e-7)


def test_numbers_of_single_precision_are_added_in_double():
    values = np.random.default_rng(0).normal(size=(2, 30_000)).astype(np.float32)
    one, two = BlockMoments.none(values[:, :9]), BlockMoments.none(values[:, :9])
    one.add(0, list(values))
    two.add(0, list(values.astype(np.float64)))
    assert np.array_equal(one.all().products, two.all().products)


def test_whole_units_are_those_of_all_rows():
    assert whole_units(0, 1000, 64) == (0, 960)
    assert whole_units(1000, 2000, 64) == (1024, 1984)
    # Within a unit, up to its end, from its beginning, over its end.
    assert whole_units(70, 100, 64) == (100, 100) and whole_units(70, 128, 64) == (128, 128)
    assert whole_units(64, 100, 64) == (64, 64) and whole_units(120, 130, 64) == (128, 128)
    assert whole_units(5, 5, 64) == (5, 5)


def test_a_sample_of_a_known_number_of_rows_takes_no_others():
    for n_rows in (100, 5000, 3 * MOST_ROWS + 100):
        table = pa.table({"row": np.arange(n_rows)})
        own, told = Sample(), Sample.of(1, n_rows)
        for each in (own, told):
            for start, batch in zip(range(0, n_rows, 4096), table.to_batches(max_chunksize=4096), strict=True):
                each.take(start, batch)
        assert told.held <= MOST_ROWS + STRETCH
        assert np.array_equal(own.rows()[1], told.rows()[1])


def test_long_columns_are_told_by_their_pieces():
    values = np.zeros((70_000, 3))
    values[-1, 0] = values[69_000, 2] = 1.0
    expected = []
    for column in values.T:
        pieces = [column[start : start + 8192].tobytes() for start in range(0, 70_000, 8192)]
        digests = [blake2b(own, digest_size=16).digest() for own in pieces]
        expected.append(blake2b(b"".join(digests), digest_size=16).digest())
    assert column_keys(values) == expected and len(set(expected)) == 3
    assert column_keys(values[: 1 << 16]) == [blake2b(bytes(8 << 16), digest_size=16).digest()] * 3


@pytest.mark.parametrize("rows", [1 << 12, 1 << 16])
def test_long_columns_have_the_digests_that_they_have_in_memory(tmp_path, monkeypatch, rows):
    columns = {f"c{i}": (np.arange(70_000) >= place) * 1.0 for i, place in enumerate((0, 40_000, 69_000, 70_000))}
    monkeypatch.setattr("hccd.streams.source._MOST_ROWS", rows)
    looked = look(hccd.stream(written(tmp_path / "a.parquet", columns)).source, list(columns))
    keys = stream_keys(looked, list(columns), lambda batch, name: np.asarray(batch.column(name)))
    assert keys == column_keys(np.array(list(columns.values())).T)


def test_row_groups_of_any_size_are_read_alike(tmp_path, monkeypatch):
    columns = {"a.b": np.arange(30_000), "a": np.arange(30_000) / 7, "text": np.arange(30_000).astype(str)}
    for size in (100, 9999, 30_000):
        file = written(tmp_path / f"{size}.parquet", columns, row_group_size=size)
        source = hccd.stream(file).source
        for most in (1, 1 << 24):
            monkeypatch.setattr("hccd.streams.files._WHOLE", most)
            for names in (["a"], ["text", "a.b"]):
                assert (
                    pa.Table.from_batches(source.batches(names)).to_pydict()
                    == parquet.read_table(file).select(names).to_pydict()
                )


def test_what_is_read_ahead_is_bounded():
    taken = []

    def items():
        for i in range(100):
            taken.append(i)
            yield i

    most = 0
    for item in one_ahead(items()):
        most = max(most, len(taken) - item)
    assert most <= 3 and len(taken) == 100
    taken.clear()
    for place, result in enumerate(in_threads_in_order(lambda i: -i, items(), 2, ahead=2)):
        assert result == -place and len(taken) <= place + 5
    with pytest.raises(ZeroDivisionError):
        list(one_ahead(1 // (2 - i) for i in range(5)))
