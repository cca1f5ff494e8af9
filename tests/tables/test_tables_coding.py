"""Codes and kinds of whole blocks against numpy's sorting, one column at a time, on odd columns."""

import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hccd.errors import InvalidDataError
from hccd.tables import Kind, Table, as_table, code_columns
from hccd.tables.texts import Encoded, Text

ROWS = 24


def by_sorting(column):
    """The codes of one column by numpy alone; text by code point, which is how numpy sorts it."""
    states, codes = np.unique(np.asarray(column), return_inverse=True)
    return codes.tolist(), states.tolist()


def coded(table):
    codes = table.codes()
    return [
        (codes.codes[:, i].tolist(), list(codes.states[i]), int(codes.cardinalities[i])) for i in range(table.n_columns)
    ]


def check(table, columns):
    for (codes, states, cardinality), column in zip(coded(table), columns, strict=True):
        expected_codes, expected_states = by_sorting(column)
        assert codes == expected_codes
        assert states == expected_states
        assert cardinality == len(expected_states)


INTS = {
    "int8": st.integers(-128, 127),
    "int64 small": st.integers(-3, 3),
    "int64 ends": st.sampled_from([-(2**63), -(2**63) + 1, 0, 2**63 - 2, 2**63 - 1]),
    "int64 around 2**62": st.integers(2**62, 2**62 + 900),
    "int64 just too wide to count": st.sampled_from([0, 131_071, 131_072]),
    "int64 as wide as can be counted": st.sampled_from([-5, 131_066]),
    "uint64 around 2**63": st.integers(2**63 - 2, 2**63 + 2),
    "uint64 high": st.integers(2**64 - 5, 2**64 - 1),
    "uint8": st.integers(0, 255),
    "bool": st.booleans(),
}


@pytest.mark.parametrize("kind", INTS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whole_numbers_of_every_type(kind, data):
    dtype = np.dtype(kind.split()[0])
    row = st.lists(INTS[kind], min_size=12, max_size=12).map(lambda half: [*half, *half])
    columns = data.draw(st.lists(row, min_size=2, max_size=5))
    block = np.array(columns, dtype=dtype)
    check(as_table(block.T), block)
    check(as_table(np.ascontiguousarray(block.T)), block)
    codes, states = code_columns(block.T)
    assert codes.dtype == np.uint16
    assert [(c.tolist(), int(n)) for c, n in zip(codes, states, strict=True)] == [
        (by_sorting(column)[0], len(set(column.tolist()))) for column in block
    ]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from(
                [-0.0, 0.0, 1.0, -7.0, 2.0**53, 2.0**53 + 2, 2.0**80, -1e300, 1e300, 0.5, 1e-300, 131_072.0]
            ),
            min_size=12,
            max_size=12,
        ).map(lambda half: half + half),
        min_size=2,
        max_size=5,
    )
)
def test_floats_whole_and_not(columns):
    table = as_table(np.array(columns).T)
    check(table, columns)
    distinct = [len(set(column)) for column in columns]
    measured = any(states != 2 and not whole for states, whole in zip(distinct, table.whole, strict=True))
    for column, states, whole, kind in zip(columns, distinct, table.whole, table.kinds, strict=True):
        assert whole == all(float(v).is_integer() for v in column)
        # Beside measurements ten rows are asked for each state, and constants are measurements as well.
        assert kind is (Kind.DISCRETE if states == 2 or (whole and not measured) else Kind.CONTINUOUS)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(10, 60))
def test_kinds_by_counting_the_states(data, rows):
    values = data.draw(hnp.arrays(np.int64, (rows, 4), elements=st.integers(0, 40) | st.integers(-(10**9), 10**9)))
    values[:, 1:3] %= 12
    for given_as in (values, values.astype(np.float64), values.astype(np.int32)):
        kinds = as_table(given_as).kinds
        distinct = [len(set(column.tolist())) for column in values.T]
        few = [states <= min(20, rows // 2) for states in distinct]
        if not all(few):
            few = [states == 2 or 1 < states <= min(10, rows // 10) for states in distinct]
        assert list(kinds) == [Kind.DISCRETE if each else Kind.CONTINUOUS for each in few]


TEXTS = st.text(max_size=12) | st.sampled_from(
    ["", "a", "ab", "é", "ß", "変数", "😀", "a" * 8, "a" * 9, "a" * 8 + "b", "\x00"]
)
TEXT_COLUMNS = st.lists(st.lists(TEXTS, min_size=ROWS, max_size=ROWS), min_size=2, max_size=4)


def holders(columns):
    """The same text in everything that can hold it."""
    content = {f"c{i}": column for i, column in enumerate(columns)}
    objects = pd.DataFrame(content).astype(object)
    yield "dictionary", content
    yield "objects", np.array(columns, dtype=object).T
    yield "pandas objects", objects
    yield "pandas category", objects.astype("category")
    yield "polars", pl.DataFrame(content)
    yield "polars categorical", pl.DataFrame(content).select(pl.all().cast(pl.Categorical))
    yield "arrow", pa.table(content)
    for dtype in ("str", "string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string())):
        yield str(dtype), objects.astype(dtype)


@settings(max_examples=40, deadline=None)
@given(TEXT_COLUMNS)
@example([["a" * 9, "a" * 8 + "b"] * 12, ["", "b"] * 12])
def test_text_in_every_container(columns):
    expected = [sorted(set(column)) for column in columns]
    for name, data in holders(columns):
        table = as_table(data)
        assert table.kinds == (Kind.DISCRETE,) * len(columns), name
        for i, (codes, states, _) in enumerate(coded(table)):
            assert states == expected[i], name
            assert [states[code] for code in codes] == columns[i], name
            assert table.columns[i].tolist() == columns[i], name


def test_slices_of_arrow_text():
    words = [f"w{i % 7}" for i in range(60)]
    whole = pd.DataFrame({c: pd.Series(words, dtype="str") for c in "vw"})
    part = whole.iloc[5:41]
    assert as_table(part).columns[0].tolist() == words[5:41]
    chunked = pd.concat([whole, part], ignore_index=True)
    assert as_table(chunked).columns[1].tolist() == words + words[5:41]


class Bare(str):
    """A kind of text."""


@pytest.mark.parametrize(
    ("cells", "states"),
    [
        (["a", np.str_("b")], ("a", "b")),
        ([Bare("b"), Bare("a")], ("a", "b")),
        ([Bare("a"), "a"], ("a",)),
        ([True, 1], (1,)),
        ([True, 0], (0, 1)),
        ([np.bool_(True), False], (False, True)),
        ([1, 1.0], (1,)),
        ([decimal.Decimal("2"), 3], (2, 3)),
        ([2**63, 1], (1, 2**63)),
        ([2**64, 1], (1, 2**64)),
    ],
)
def test_objects_of_mixed_types(cells, states):
    column = np.array([*cells, None], dtype=object)[:-1].repeat(10)
    found = as_table({"v": column, "w": column}).codes().states[0]
    assert found == states
    assert all(type(one) in (int, bool, str) for one in found)
    assert [type(one) for one in found] == [type(one) for one in states]


@settings(max_examples=60, deadline=None)
@given(
    states=st.lists(st.integers(-3, 3) | st.text(max_size=2) | st.floats(-2, 2), min_size=1, max_size=6, unique=True),
    data=st.data(),
)
def test_encoded_columns_are_what_they_spell(states, data):
    codes = data.draw(st.lists(st.integers(0, len(states) - 1), min_size=ROWS, max_size=ROWS))
    encoded = Encoded(np.array(codes, dtype=np.int8), np.array([*states, None], dtype=object)[:-1])
    for categorical in (set(), {0, 1}):
        assert outcome(encoded, categorical) == outcome(encoded.cells(), categorical)


def outcome(column, categorical):
    """What becomes of a column: its codes and kind, or the refusal."""
    try:
        table = Table.from_columns(("v", "w"), [column] * 2, categorical=categorical)
        return coded(table), table.kinds
    except InvalidDataError as error:
        return str(error)


def test_missing_codes_of_categories_are_counted():
    encoded = Encoded(np.array([0, -1, 1] * 8, dtype=np.int8), np.array(["a", "b", "unused"], dtype=object))
    table = Table.from_columns(("v", "w"), [encoded, encoded])
    assert table.n_missing.tolist() == [8, 8] and table.columns[0].tolist() == ["a", None, "b"] * 8
    coded = table.codes()
    assert coded.codes[:, 0].tolist() == [0, 2, 1] * 8
    assert coded.cardinalities.tolist() == [2, 2] and coded.gaps.all() and coded.states[0] == ("a", "b")


def test_text_of_a_hundred_thousand_states():
    cells = [f"{i:05d}" for i in range(70_000)]
    text = Text.of(cells[::-1])
    assert text.states == tuple(cells)
    assert text.codes.tolist() == list(range(70_000))[::-1]
    assert text.cells().tolist() == cells[::-1]
    assert Text.of(["a", 1]) is None
