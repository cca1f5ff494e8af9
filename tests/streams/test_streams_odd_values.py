"""Odd values and kinds of streamed columns: the graph is that of the table in memory, or the rows are refused."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from stream_cases import mixed, numbers, ready, same_start, states, written

import hccd
from hccd.errors import InvalidDataError

pytestmark = pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")


def same_graph(columns, tmp_path, **options):
    """A streamed run has the start and the graph of the table in memory."""
    file = written(tmp_path / "rows.parquet", columns)
    whole, streamed = (ready(data, **options) for data in (hccd.read_table(file), hccd.stream(file)))
    same_start(whole, streamed, within=1e-9)
    far, here = (hccd.discover(d, bootstrap=0, **options) for d in (hccd.stream(file), hccd.read_table(file)))
    assert far.edges() == here.edges()
    return streamed


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e-320])
def test_values_of_any_size(tmp_path, scale):
    columns = numbers(3000)
    same_graph({**columns, "v6": (columns["v5"] + np.random.default_rng(1).normal(size=3000)) * scale}, tmp_path)


@pytest.mark.parametrize("declared", ["discrete", "ordinal"])
@pytest.mark.parametrize("make", [mixed, states])
def test_numbers_with_fractions_are_states_if_declared(tmp_path, declared, make):
    columns = {**make(3000), "half": np.round(numbers(3000)["v2"]) / 2}
    prepared = same_graph(columns, tmp_path, **{declared: "half"})
    assert prepared.table.kinds[-1].value == "discrete"
    wide = {**make(70_000), "wide": np.random.default_rng(0).normal(size=70_000)}
    with pytest.raises(InvalidDataError, match="'wide' has more than 65,535 distinct values"):
        ready(hccd.stream(written(tmp_path / "wide.parquet", wide)), discrete="wide")


def test_decimal_numbers_and_numbers_that_repeat(tmp_path):
    columns = numbers(3000)
    columns["v6"] = [Decimal(f"{v:.3f}") for v in columns["v0"] + columns["v4"]]
    same_graph(columns, tmp_path)
    same_graph({**mixed(3000), "half": np.round(numbers(3000)["v2"]) / 2}, tmp_path)


@pytest.mark.parametrize("values", [[2**64 - 4096, 2**64 - 2048], [2**60, 2**61], [-(2**60), 2**60, 0]])
def test_large_whole_numbers_are_states(tmp_path, values):
    chosen = np.random.default_rng(0).integers(0, len(values), 3000)
    large = np.array(values, np.uint64 if min(values) > 2**61 else np.int64)
    same_graph({**states(3000), "large": large[chosen]}, tmp_path)


def test_large_whole_numbers_that_would_become_equal_are_refused(tmp_path):
    file = written(tmp_path / "rows.parquet", {**states(3000), "large": 2**60 + np.arange(3000) % 3})
    with pytest.raises(InvalidDataError, match="'large' holds whole numbers beyond"):
        ready(hccd.stream(file))


def test_cells_are_drawn_for_every_row(tmp_path):
    """Equal rows are kept once, but a missing cell is drawn for each of them."""
    rng = np.random.default_rng(0)
    columns = {name: pa.array(own, mask=rng.random(30_000) < 0.2) for name, own in states(30_000).items()}
    columns.pop("seldom")
    file = written(tmp_path / "rows.parquet", columns)
    far, here = (hccd.discover(data, bootstrap=0) for data in (hccd.stream(file), hccd.read_table(file)))
    assert {edge[:2] for edge in far.edges()} == {edge[:2] for edge in here.edges()}


def test_a_constant_with_gaps_has_no_edges(tmp_path):
    columns = {**mixed(3000), "one": pa.array([1, None] * 1500)}
    same_graph(columns, tmp_path)


def test_checks_of_few_rows_are_made_of_streamed_rows(tmp_path):
    file = written(tmp_path / "rows.parquet", numbers(20))
    assert any("there are 20 rows for 6 columns" in each.sentence for each in ready(hccd.stream(file)).findings)


def test_what_the_sample_does_not_show_is_said(tmp_path):
    late = np.full(200_000, np.nan)
    late[123_456:123_458] = 1.0, 2.0
    file = written(tmp_path / "rows.parquet", {**numbers(200_000), "late": late})
    said = [each.sentence for each in ready(hccd.stream(file)).findings]
    assert "'late': no row of the sample has a value, so this is left out" in said
