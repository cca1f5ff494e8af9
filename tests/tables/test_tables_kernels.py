"""The kernels of the columns, compiled and run by Python itself: same codes."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hccd._kernels import columns, text


def uncompiled(module):
    """Load the source beside a compiled module under another name."""
    name = f"uncompiled_{module.__name__.rpartition('.')[2]}"
    source = Path(module.__file__).parent / f"{module.__name__.rpartition('.')[2]}.py"
    spec = spec_from_loader(name, SourceFileLoader(name, str(source)))
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module", params=["compiled", "uncompiled"])
def kernels(request):
    if request.param == "uncompiled":
        return uncompiled(columns), uncompiled(text)
    assert all(module.__file__.endswith(tuple(EXTENSION_SUFFIXES)) for module in (columns, text))
    return columns, text


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
