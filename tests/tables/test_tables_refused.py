"""Data that make no table: each is refused in one sentence."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.errors import InvalidDataError, NotEnoughDataError
from hccd.tables import as_table

N = 60
MEASURED = [i * 0.37 for i in range(N)]


def refusal(data, names=None, error=InvalidDataError):
    with pytest.raises(error) as caught:
        as_table(data, names).refuse_gaps()
    return str(caught.value)


def test_missing_values_are_counted_by_name():
    nan = float("nan")
    sentence = refusal({"id": MEASURED, "age": [None, None, None, *range(57)], "bmi": [nan, *MEASURED[1:]]})
    assert sentence == (
        "the data have 3 missing values in 'age' and 1 in 'bmi': remove or impute them, or choose how to handle "
        "them: missing 'rows' drops 3 of 60 rows, dropping these columns loses 2 of 3 columns"
    )
    assert refusal({"a": MEASURED, "b": [None] * N}) == "column 'b' holds no value at all: drop it"
    assert refusal({"a": MEASURED, "b": [None, *["x"] * 59]}).startswith("the data have 1 missing value in 'b':")
    many = refusal({f"c{i}": [nan, *MEASURED[1:]] for i in range(9)})
    assert "1 in 'c4' and 4 more: remove or impute them" in many
    assert "'c5'" not in many


@pytest.mark.parametrize(
    "missing",
    [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, decimal.Decimal("nan"), np.datetime64("NaT")],
)
def test_every_spelling_of_missing(missing):
    assert "1 missing value in 'v'" in refusal({"v": [missing, *range(59)], "w": MEASURED})


def test_masked_cells_are_missing():
    masked = np.ma.MaskedArray(np.ones((20, 2)), mask=[[True, False]] * 3 + [[False, False]] * 17)
    assert "3 missing values in 'X1':" in refusal(masked)
    assert "3 missing values in 'v':" in refusal({"v": masked[:, 0], "w": range(20)})
    assert as_table(np.ma.MaskedArray(np.ones((20, 2)))).n_rows == 20


@pytest.mark.parametrize("infinite", [float("inf"), -float("inf"), 10**400, np.longdouble("1e4000")])
def test_infinity_is_refused(infinite):
    assert refusal({"v": [infinite, *MEASURED[1:]], "w": MEASURED}) == (
        "the data have 1 infinite value in 'v': remove or replace them"
    )


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            [1j] * N,
            "column 'v' holds complex numbers: replace it by real numbers, such as the size and the angle",
        ),
        (np.ones(N) * 1j, "column 'v' holds complex numbers: "),
        ([1, "a"] * 30, "column 'v' mixes numbers and text ('1' and 'a'): make it all numbers or all text"),
        ([None, 1, "a"] * 20, "column 'v' mixes numbers and text"),
        (
            [[1, 2]] * N,
            "column 'v' holds lists or other nested values: give each part a column of its own or drop it",
        ),
        ([{"a": 1}] * N, "column 'v' holds lists or other nested values: "),
        (np.ones((N, 2)), "column 'v' holds lists or other nested values: "),
        (np.zeros(N, dtype=[("a", int)]), "column 'v' holds lists or other nested values: "),
        ([b"x"] * N, "column 'v' holds bytes: decode it into text or drop it"),
        (np.array([b"x"] * N), "column 'v' holds bytes: "),
        ([object()] * N, "column 'v' holds values of type object: turn it into numbers or text, or drop it"),
        (
            [datetime.date(2020, 1, 1)] * N,
            "column 'v' holds dates or times: turn it into a number, such as days since",
        ),
        ([datetime.time(3)] * N, "column 'v' holds dates or times: "),
        ([None, *[datetime.timedelta(3)] * 59], "column 'v' holds dates or times: "),
        (np.zeros(N, "datetime64[s]"), "column 'v' holds dates or times: "),
        (np.zeros(N, "timedelta64[D]"), "column 'v' holds dates or times: "),
    ],
)
def test_columns_of_no_use(values, sentence):
    assert refusal({"v": values, "w": MEASURED}).startswith(sentence)


def test_type_of_a_column_matters_more_than_its_gaps():
    sentence = refusal({"when": [datetime.date(2020, 1, 1)] * N, "x": [None] * N})
    assert sentence.startswith("there are 2 problems to fix:\n- column 'when' holds dates")


def test_sizes():
    assert refusal(np.zeros((9, 3)), error=NotEnoughDataError) == "the data have 9 rows: at least 10 are needed"
    assert refusal({"a": [1]}, error=NotEnoughDataError) == (
        "there are 2 problems to fix:\n- the data have 1 column: at least 2 are needed\n"
        "- the data have 1 row: at least 10 are needed"
    )
    assert refusal({}, error=NotEnoughDataError) == "the data have 0 columns: at least 2 are needed"
    assert refusal([], error=NotEnoughDataError) == "the data have 0 columns: at least 2 are needed"
    assert refusal({"a": [], "b": []}, error=NotEnoughDataError).startswith("the data have 0 rows")
    assert as_table(np.zeros((10, 2))).n_rows == 10
    assert refusal({"a": [1] * 10, "b": [1] * 12}) == (
        "the columns differ in length: 'a' has 10 rows where another has 12; give every column the same number of rows"
    )


def test_repeated_names():
    assert refusal(np.zeros((20, 4)), ["a", "b", "a", "b"]) == (
        "the column names 'a' and 'b' occur more than once: rename or drop the repeated columns"
    )
    assert refusal(np.zeros((20, 2)), ["a", "a"]).startswith("the column name 'a' occurs more than once:")


def test_foreign_names_stay_on_one_line():
    long = "x" * 200
    sentence = refusal({name: [None, *MEASURED[1:]] for name in (long, "two\nlines", "quote'", "\ud800")})
    assert sentence.startswith(
        f"the data have 1 missing value in '{'x' * 57}...', 1 in 'two\\nlines', 1 in 'quote'' "
        "and 1 in '\\ud800': remove or impute them"
    )


def test_a_table_is_frozen():
    table = as_table(np.zeros((20, 2)))
    with pytest.raises(AttributeError):
        table.names = ("a", "b")
    with pytest.raises(ValueError, match="read-only"):
        table.columns[0][0] = 1
    assert (table.n_rows, table.n_columns) == (20, 2)


CELLS = [
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.complex_numbers(),
    st.binary(max_size=2),
    st.dates(),
    st.decimals(),
    st.fractions(),
    st.lists(st.integers(), max_size=2),
]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=4),
        st.one_of(
            st.lists(st.one_of(CELLS), min_size=12, max_size=12),
            *(st.lists(cells, min_size=12, max_size=12) for cells in CELLS),
        ),
        min_size=2,
        max_size=3,
    )
)
def test_whatever_comes_is_a_table_or_one_sentence(columns):
    def one_sentence(make):
        try:
            return make()
        except InvalidDataError as error:
            assert "\n" not in str(error) or str(error).startswith("there are ")

    table = one_sentence(lambda: as_table(columns))
    if table is not None:
        assert set(table.names) <= set(columns)
        assert (table.names == tuple(columns)) == (not table.left_out)
        one_sentence(table.continuous)
        one_sentence(table.codes)
