"""Networks written and read again: every bit of them, whatever the names."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from network_cases import random_discrete_network

from hccd.datasets import DiscreteNetwork, bif_text, load_network, parse_bif, save_bif
from hccd.errors import InvalidParameterError

NAMES = st.text(st.characters(codec="utf-8", exclude_characters='"\n\r'), min_size=1, max_size=8) | st.sampled_from(
    [
        "table",
        "default",
        "probability",
        "variable",
        "a b",
        " a",
        "a ",
        "//",
        "/*x*/",
        "a,b",
        "{",
        "}",
        "(",
        ";",
        "|",
        "1.5",
    ]
)


@st.composite
def networks(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    states = [tuple(draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))) for _ in names]
    order = draw(st.permutations(range(len(names))))
    parents, tables = [()] * len(names), [None] * len(names)
    for place, variable in enumerate(order):
        if place:
            parents[variable] = tuple(draw(st.lists(st.sampled_from(order[:place]), max_size=2, unique=True)))
        rows = int(np.prod([len(states[parent]) for parent in parents[variable]], dtype=int))
        weights = st.floats(0.0, 1.0) | st.sampled_from([0.0, 1.0])
        table = np.array(
            draw(
                st.lists(
                    st.lists(weights, min_size=len(states[variable]), max_size=len(states[variable])),
                    min_size=rows,
                    max_size=rows,
                )
            )
        )
        table[:, -1] += table.sum(axis=1) == 0
        table /= table.max(axis=1, keepdims=True)
        tables[variable] = table / table.sum(axis=1, keepdims=True)
    return DiscreteNetwork(tuple(names), tuple(states), tuple(parents), tuple(tables))


def assert_same(one, other):
    assert (one.names, one.states, one.parents) == (other.names, other.states, other.parents)
    for first, second in zip(one.tables, other.tables, strict=True):
        assert first.tobytes() == second.tobytes()


@settings(max_examples=100, deadline=None)
@given(network=networks())
def test_text_holds_the_network_to_the_bit(network):
    assert_same(parse_bif(bif_text(network)), network)


@pytest.mark.parametrize("name", ["plain.bif", "packed.bif.gz"])
def test_files_hold_the_network(tmp_path, name):
    network = random_discrete_network(5, n=12)
    path = tmp_path / name
    save_bif(network, path)
    assert_same(load_network(path), network)
    before = path.read_bytes()
    save_bif(network, str(path))
    assert path.read_bytes() == before
    text = gzip.decompress(before) if name.endswith(".gz") else before
    assert text.startswith(b"network unknown {\n}\nvariable v0 {\n  type discrete [ ")


@pytest.mark.parametrize("name", ['a"b', "a\nb", "a\rb", "\udc80"])
def test_names_that_cannot_be_written(tmp_path, name):
    for network in (
        DiscreteNetwork((name,), (("x",),), ((),), (np.ones((1, 1)),)),
        DiscreteNetwork(("a",), ((name,),), ((),), (np.ones((1, 1)),)),
    ):
        with pytest.raises(InvalidParameterError, match="cannot be written to a BIF file") as caught:
            save_bif(network, tmp_path / "x.bif")
        assert "\n" not in str(caught.value) and not (tmp_path / "x.bif").exists()
