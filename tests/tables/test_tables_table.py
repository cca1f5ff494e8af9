"""Tables: kinds, codes, numbers and keys."""

import decimal
import fractions

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd.errors import InvalidDataError
from hccd.tables import Kind, Table, as_table, column_keys

D, C = Kind.DISCRETE, Kind.CONTINUOUS
N = 60
MEASURED = [i * 0.37 for i in range(N)]


def with_column(values, name="v"):
    return as_table({name: values, "other": MEASURED[: len(values)]})


# Kinds.


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["m", "f"] * 30, D),
        ([True, False] * 30, D),
        ([0, 1, 2] * 20, D),
        ([0.0, 1.0] * 30, D),
        ([-3.0, 7.0, 1e6] * 20, D),
        ([7] * N, C),
        ([2**60, 2**60 + 1] * 30, D),
        (list(range(6)) * 10, D),
        (list(range(7)) * 8 + [0] * 4, C),
        (list(range(21)) * 2 + list(range(18)), C),
        (list(range(N)), C),
        ([0.5, 1.0] * 30, D),
        ([0.5, 1.0, 1.5] * 20, C),
        (MEASURED, C),
        ([1.5] * N, C),
        ([1e300 * i for i in range(N)], C),
        ([decimal.Decimal("0.25") * i for i in range(N)], C),
        ([fractions.Fraction(i, 3) for i in range(N)], C),
        ([10**30 * i for i in range(N)], C),
    ],
)
def test_kinds_as_a_person_would_guess(values, kind):
    assert with_column(values).kinds == (kind, C)


def test_few_rows_need_few_states():
    alone = [as_table({"v": values, "w": [0, 1] * 5}) for values in ([0, 1, 2, 3, 4] * 2, [0, 1, 2, 3, 4, 5] + [0] * 4)]
    assert [table.kinds for table in alone] == [(D, D), (C, D)]
    # Beside measurements, ten rows for each state are asked for; two values are states anyway.
    assert with_column([0, 1, 2, 3, 4] * 2).kinds[0] is C
    assert with_column([0, 3] * 5).kinds[0] is D


def test_kinds_beside_measurements_follow_what_is_declared():
    codes = {"k": list(range(15)) * 4, "l": [0, 1] * 30}
    assert as_table(codes).kinds == (D, D)
    measured = as_table(codes | {"x": list(range(12)) * 5}, continuous=["x"])
    assert measured.kinds == (C, D, C) and measured.quantities == {2}
    assert as_table(measured, ordinal=["k"]).kinds == (D, D, C)
    assert as_table(measured, ordinal=["k"]).ordinal == {0}
    assert as_table(measured, discrete=["k"]).nominal == {0}
    with pytest.raises(InvalidDataError, match="'k' cannot be both discrete and ordinal"):
        as_table(codes, discrete=["k"], ordinal=["k"])
    with pytest.raises(InvalidDataError, match=r"'t' holds text .* and cannot be ordinal"):
        as_table(codes | {"t": ["a", "b"] * 30}, ordinal=["t"])


def test_a_distinct_value_late_in_a_long_column_counts():
    values = np.tile(np.arange(10), 200)
    assert with_column_of_array(values).kinds[0] is D
    values[-1] = 99
    assert with_column_of_array(values).kinds[0] is C


def with_column_of_array(values):
    return as_table(np.column_stack([values, np.arange(len(values)) * 0.1]))


def test_declared_categories_are_discrete_whatever_they_hold():
    levels = [i / 7 for i in range(30)] * 2
    table = as_table(pd.DataFrame({"v": pd.Categorical(levels), "w": MEASURED}))
    assert table.kinds == (D, C)
    declared = Table.from_columns(("v", "w"), [np.array(levels)] * 2, categorical={0, 1})
    assert declared.codes().cardinalities.tolist() == [30, 30]
    assert table.continuous()[:, 0].tolist() == levels


# Codes.


def test_codes_are_sorted_by_value_and_by_code_point():
    table = as_table({"n": [10, 9, -1] * 10, "t": ["b", "Z", "é"] * 10, "f": [2.0, 1.0, 1.0] * 10})
    codes = table.codes()
    assert codes.states == ((-1, 9, 10), ("Z", "b", "é"), (1, 2))
    assert codes.codes.dtype == np.uint16
    assert codes.codes[:3].tolist() == [[2, 1, 1], [1, 0, 0], [0, 2, 0]]
    assert codes.cardinalities.tolist() == [3, 3, 2]
    assert codes.codes.flags.f_contiguous
    assert not codes.codes.flags.writeable and not codes.cardinalities.flags.writeable


@settings(max_examples=100, deadline=None)
@given(
    column=st.one_of(
        st.lists(st.integers(-5, 5), min_size=10, max_size=50),
        st.lists(st.integers(-(2**63), 2**63 - 1).map(lambda v: v - v % 2**61), min_size=40, max_size=50),
        st.lists(st.sampled_from([-1.5, 0.0, 0.25, 1e-300, 3e200]), min_size=10, max_size=50),
        st.lists(st.sampled_from([-(2.0**80), 0.0, 1.0, 2.0**53]), min_size=10, max_size=50),
        st.lists(st.booleans(), min_size=10, max_size=50),
        st.lists(st.text(max_size=3), min_size=10, max_size=50),
    )
)
def test_codes_decode_to_the_values(column):
    codes = as_table({"v": column, "w": column}).codes()
    assert [codes.states[0][code] for code in codes.codes[:, 0]] == column
    assert codes.states[0] == tuple(sorted(set(column)))


def test_neighbouring_big_integers_keep_apart():
    big = [2**62, 2**62 + 1, 2**63 + 5] * 10
    assert as_table({"v": big, "w": big}).codes().states[0] == (2**62, 2**62 + 1, 2**63 + 5)
    wide = [-(2**63), 2**63 - 1] * 10
    assert as_table({"v": wide, "w": wide}).codes().states[0] == (-(2**63), 2**63 - 1)


def test_unused_categories_do_not_count():
    pandas = pd.DataFrame({c: pd.Categorical(["a", "b"] * 10, categories=["z", "b", "a", "y"]) for c in "vw"})
    polars = pl.DataFrame({c: pl.Series(["a", "b"] * 10, dtype=pl.Enum(["z", "b", "a", "y"])) for c in "vw"})
    for frame in (pandas, polars):
        codes = as_table(frame).codes()
        assert codes.states == (("a", "b"),) * 2 and codes.cardinalities.tolist() == [2, 2]


def test_few_levels_with_fractions_can_be_coded():
    table = as_table({"dose": [0.5, 1.0, 2.5] * 20, "sex": ["m", "f"] * 30})
    assert table.kinds == (C, D)
    assert table.codes().states[0] == (0.5, 1.0, 2.5)


def test_continuous_columns_cannot_be_coded():
    table = as_table({"bmi": MEASURED, "sex": ["m", "f"] * 30, "income": list(range(100, 100 + N))})
    with pytest.raises(InvalidDataError) as caught:
        table.codes()
    assert str(caught.value) == (
        "columns 'bmi' and 'income' hold continuous values, too many to be the states of a discrete "
        "variable: use a test for continuous data, or group the values into a few classes; to continue: test='auto'"
    )
    with pytest.raises(InvalidDataError, match=r"^column 'v' holds continuous values"):
        as_table({"v": [*MEASURED[:21]], "w": [0] * 21}).codes()


def test_whole_numbers_with_many_repeats_can_be_coded():
    values = list(range(100)) * 2
    assert as_table({"v": values, "w": values}).codes().cardinalities.tolist() == [100, 100]


def test_text_with_a_state_in_each_row_can_be_coded():
    values = [f"id{i}" for i in range(N)]
    assert as_table({"v": values, "w": values}).codes().cardinalities.tolist() == [N, N]


def test_too_many_states():
    ids = np.array([f"{i:06d}" for i in range(65_536)], dtype=object)
    table = as_table({"id": ids, "bit": np.arange(65_536) % 2})
    with pytest.raises(InvalidDataError) as caught:
        table.codes()
    assert str(caught.value) == (
        "column 'id' has 65,536 distinct values, and a discrete variable may have 65,535 at most: "
        "group the values or drop the column"
    )
    fits = as_table({"id": ids[:65_535], "bit": np.arange(65_535) % 2}).codes()
    assert fits.codes[:, 0].tolist() == list(range(65_535))


# Numbers.


def test_numbers_of_every_kind_of_column():
    table = as_table({"b": [True, False] * 10, "i": list(range(20)), "f": [i / 8 for i in range(20)]})
    values = table.continuous()
    assert values.dtype == np.float64 and values.flags.f_contiguous
    assert values[:2].tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.125]]
    values[:] = 0  # the caller's own copy
    assert table.continuous()[0, 0] == 1.0


def test_text_is_no_number():
    table = as_table({"sex": ["m", "f"] * 30, "x": MEASURED})
    with pytest.raises(InvalidDataError) as caught:
        table.continuous()
    assert str(caught.value) == (
        "column 'sex' holds text ('m', 'f'), but a test for continuous data needs numbers: "
        "use a test for discrete data, 'dg' for both kinds, or drop it; to continue: test='dg'"
    )
    many = as_table({f"t{i}": ["same"] * 20 for i in range(8)})
    with pytest.raises(InvalidDataError) as caught:
        many.continuous()
    assert "column 't4' holds text ('same') and 3 more, but" in str(caught.value)
    assert caught.value.sentence.endswith("or drop them")


# Keys.


def content_keys(table, kind):
    """The digests that a run sorts its columns by."""
    return column_keys(table.codes().codes if kind is Kind.DISCRETE else table.numbers())


COLUMNS = st.lists(st.lists(st.integers(0, 3), min_size=20, max_size=20), min_size=2, max_size=8)


@settings(max_examples=50, deadline=None)
@given(columns=COLUMNS, data=st.data(), kind=st.sampled_from(Kind))
def test_permuting_columns_permutes_keys_and_names_do_not_matter(columns, data, kind):
    order = data.draw(st.permutations(range(len(columns))))
    keys = content_keys(as_table(np.array(columns).T), kind)
    names = [f"other {i}" for i in range(len(columns))]
    assert content_keys(as_table(np.array(columns).T[:, order], names), kind) == [keys[i] for i in order]
    for i, one in enumerate(columns):
        for j, two in enumerate(columns):
            same = one == two if kind is C else _coded(one) == _coded(two)
            assert (keys[i] == keys[j]) == same


def _coded(values):
    states = sorted(set(values))
    return [states.index(v) for v in values]


def test_keys_do_not_depend_on_how_numbers_are_stored():
    values = np.tile([0, 1, 2], 10)
    stored = [values, values.astype(np.uint8), values * 1.0, values.astype(np.float32), values.astype(">f8")]
    keys = {tuple(content_keys(as_table({"a": v, "b": v[::-1]}), C)) for v in stored}
    assert len(keys) == 1
    negative_zero = np.where(values == 0, -0.0, values)
    assert tuple(content_keys(as_table({"a": negative_zero, "b": values[::-1]}), C)) in keys
    assert all(len(key) == 16 for key in keys.pop())


def test_keys_of_an_array_do_not_depend_on_its_layout():
    values = np.random.default_rng(0).normal(size=(30, 4))
    assert column_keys(values) == column_keys(np.asfortranarray(values)) == column_keys(values.astype(">f8"))
    assert column_keys(np.repeat(values, 2, axis=1)[:, ::2]) == column_keys(values)
