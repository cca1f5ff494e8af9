"""The kernels of the columns, compiled and run by Python itself: same codes."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd._kernels.tables import columns, delimited, text
from uncompiled import uncompiled


@pytest.fixture(scope="module", params=["compiled", "uncompiled"])
def kernels(request):
    modules = (columns, text, delimited)
    assert all(module.__file__.endswith(tuple(EXTENSION_SUFFIXES)) for module in modules)
    return tuple(map(uncompiled, ("columns", "text", "delimited"))) if request.param == "uncompiled" else modules


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(-20, 20), min_size=30, max_size=30), min_size=0, max_size=4))
def test_ranks_and_first_occurrences(kernels, rows):
    values = np.array(rows, dtype=np.int64).reshape(-1, 30)
    low = values.min(axis=1, initial=20)
    codes, states = np.zeros(values.shape, np.uint16), np.zeros(len(values), np.int64)
    kernels[0].code_whole(values, low, values.max(axis=1, initial=-20) - low + 1, codes, states)
    renamed = np.zeros_like(codes)
    kernels[0].by_first_occurrence(codes, states, renamed)
    for i, row in enumerate(rows):
        assert codes[i].tolist() == [sorted(set(row)).index(v) for v in row]
        assert renamed[i].tolist() == [list(dict.fromkeys(row)).index(v) for v in row]
        assert states[i] == len(set(row))


CELLS = st.lists(st.binary(max_size=20) | st.sampled_from([b"", b"a", b"\0", b"\0\0", b"x" * 8, b"x" * 9]), max_size=40)


@settings(max_examples=80, deadline=None)
@given(CELLS)
def test_distinct_slices(kernels, cells):
    stop = np.cumsum([len(cell) for cell in cells], dtype=np.int64)
    start = np.concatenate([[0], stop[:-1]]).astype(np.int64)[: len(cells)]
    codes, first = np.zeros(len(cells), np.intc), np.zeros(len(cells), np.int64)
    joined = np.frombuffer(b"".join(cells), np.uint8)
    distinct = kernels[1].code_slices(joined, start, stop, codes, first)
    in_order = list(dict.fromkeys(cells))
    assert distinct == len(in_order)
    assert codes.tolist() == [in_order.index(cell) for cell in cells]
    assert first[:distinct].tolist() == [cells.index(cell) for cell in in_order]


def test_many_distinct_slices_of_one_length(kernels):
    # Keys that differ in one bit only, so that places in the table are shared.
    cells = [i.to_bytes(9, "little") for i in range(3000)] + [i.to_bytes(8, "big") for i in range(3000)]
    stop = np.cumsum([len(cell) for cell in cells], dtype=np.int64)
    start = np.concatenate([[0], stop[:-1]]).astype(np.int64)
    codes, first = np.zeros(len(cells), np.intc), np.zeros(len(cells), np.int64)
    distinct = kernels[1].code_slices(np.frombuffer(b"".join(cells), np.uint8), start, stop, codes, first)
    assert distinct == len(cells) and codes.tolist() == list(range(len(cells)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=2) | st.sampled_from([1, None, b"x", 2.5]), max_size=30))
def test_strings_up_to_the_first_other_cell(kernels, cells):
    codes, position = np.full(len(cells), -1, np.intc), {}
    read = kernels[1].code_objects(cells, position, codes)
    before = next((i for i, cell in enumerate(cells) if not isinstance(cell, str)), len(cells))
    assert read == before
    assert list(position) == list(dict.fromkeys(cells[:before]))
    assert codes[:before].tolist() == [list(position).index(cell) for cell in cells[:before]]
    assert (codes[before:] == -1).all()


LINES = st.lists(st.text(alphabet="ab,; \t\xa0é.", max_size=8), max_size=12)


@settings(max_examples=100, deadline=None)
@given(LINES, st.integers(1, 4), st.booleans())
def test_cells_between_delimiters(kernels, lines, width, last_line_ends):
    body = "\n".join(lines) + "\n" * last_line_ends
    kept = [(i, line.split(",")) for i, line in enumerate(body.split("\n")) if line.strip(", ")]
    start, stop = (np.zeros((width, body.count("\n") + 1), np.int64) for _ in range(2))
    failure = np.zeros(2, np.int64)
    source = body.encode()
    rows = kernels[2].cut_cells(source, ord(","), start, stop, failure)
    wrong = [(i, len(cells)) for i, cells in kept if len(cells) != width]
    if wrong:
        assert rows == -1 and tuple(failure) == wrong[0]
    else:
        assert rows == len(kept)
        found = [[source[start[c, r] : stop[c, r]].decode() for c in range(width)] for r in range(rows)]
        assert found == [[cell.strip(" \t") for cell in cells] for _, cells in kept]


NUMBERS = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.integers(-(2**64), 2**64).map(str)
    | st.sampled_from([2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**18, 10**19 - 1, 10**19, 2**53 + 1]).map(str)
    | st.from_regex(r"[+-]?[0-9]{1,20}\.?[0-9]{0,20}([eE][+-]?[0-9]{1,3})?", fullmatch=True)
    | st.from_regex(r"[+-]?\.[0-9]{1,20}", fullmatch=True)
)
NO_NUMBERS = st.sampled_from(
    ["", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1_0", "0x1", "nan", "inf", "1 2", "١", "--1"]
)


def parsed(kernel, cells):
    """The numbers in some cells, or None."""
    encoded = [cell.encode() for cell in cells]
    stop = np.cumsum([len(cell) for cell in encoded], dtype=np.int64)
    start = np.concatenate([[0], stop[:-1]]).astype(np.int64)
    whole, real = np.zeros(len(cells), np.int64), np.zeros(len(cells))
    source = b"".join(encoded)
    return (None, real, whole)[kernel.parse_numbers(source, source, start, stop, whole, real)]


@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_numbers_as_python_reads_them(kernels, cells):
    values = parsed(kernels[2], cells)
    if all(cell.lstrip("+-").isdigit() and -(2**63) <= int(cell) < 2**63 for cell in cells):
        assert values.dtype == np.int64
        assert values.tolist() == [int(cell) for cell in cells]
    else:
        assert values.dtype == np.float64
        assert values.tobytes() == np.array([float(cell) for cell in cells]).tobytes()


@settings(max_examples=100, deadline=None)
@given(st.lists(NUMBERS, max_size=3), NO_NUMBERS, st.lists(NUMBERS, max_size=3))
def test_one_cell_that_is_no_number(kernels, before, cell, after):
    assert parsed(kernels[2], [*before, cell, *after]) is None


def test_digits_next_to_the_middle_of_two_doubles(kernels):
    """Where rounding is closest to going wrong: decimals just below, at and above the middle."""
    rng = np.random.default_rng(0)
    cells = []
    for mantissa in rng.integers(2**52, 2**53, 300).tolist():
        for power in (1, 8, 20, 40):
            # The middle is (2 mantissa + 1) / 2**power, written with 19 digits, or exactly where they suffice.
            digits, places = 2 * mantissa + 1, 0
            while digits * 10 // 2**power < 10**18 and places < 22:
                digits, places = digits * 10, places + 1
            cells += [f"{digits // 2**power + step}e-{places}" for step in (-1, 0, 1)]
    assert parsed(kernels[2], cells).tobytes() == np.array(list(map(float, cells))).tobytes()
