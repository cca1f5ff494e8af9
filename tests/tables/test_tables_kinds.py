"""Whole numbers: states or quantities, told from the whole table, and never without a word where it is in doubt."""

import warnings

import numpy as np
import pytest

import hccd
from hccd.datasets import load_network
from hccd.errors import DataWarning
from hccd.tables import Kind, as_table, read_table

D, C = Kind.DISCRETE, Kind.CONTINUOUS
N = 600


def kinds(data, **said):
    return dict(zip(data, as_table(data, **said).kinds, strict=True))


def said_of(data, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        hccd.discover(data, scoring="none", max_order=0, **options)
    return [str(warning.message) for warning in caught]


# Tables of codes.


@pytest.mark.parametrize("name", ["alarm", "barley", "hailfinder", "mildew", "munin1", "pathfinder"])
def test_samples_of_discrete_networks_are_discrete(name):
    network = load_network(name)
    for seed, n_rows in enumerate([500, 1000, 2000, 10_000]):
        codes = network.sample(n_rows, seed)
        assert set(as_table(codes.astype(np.int64)).kinds) == {D}
        assert set(as_table(codes + 1.0).kinds) == {D}


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def answers(rng, n=9):
    return {f"q{i}": rng.integers(1, 8, N) for i in range(n)}


def test_one_column_of_many_codes_among_few_states(rng):
    data = answers(rng) | {"place": rng.integers(0, 60, N)}
    assert set(kinds(data).values()) == {D}
    (sentence,) = [each for each in said_of(data) if "holds" in each]
    assert (
        "'place' holds many distinct whole numbers, apparently codes, and is treated as discrete: declare it"
        in sentence
    )
    assert kinds(data, continuous=["place"]) == {**dict.fromkeys(answers(rng), D), "place": C}


@pytest.mark.parametrize(
    "column",
    {
        "ages": lambda rng: rng.integers(18, 90, N),
        "years": lambda rng: rng.integers(1950, 2020, N),
        "amounts": lambda rng: rng.poisson(rng.gamma(1.0, 60.0, N)),
        "rounded measurements": lambda rng: np.round(rng.normal(170, 10, N)),
        "negative numbers": lambda rng: rng.integers(-30, 30, N),
        "few rows for each": lambda rng: rng.integers(0, 200, N),
        "fractions": lambda rng: rng.integers(0, 60, N) / 2,
    }.items(),
    ids=lambda item: item[0],
)
def test_quantities_among_few_states_stay_quantities(rng, column):
    data = answers(rng) | {"v": column[1](rng)}
    assert kinds(data) == {**dict.fromkeys(answers(rng), D), "v": C}


def test_scales_from_0_to_100_are_no_codes(rng):
    assert set(kinds({f"scale{i}": rng.integers(0, 101, N) for i in range(6)}).values()) == {C}
    assert kinds(answers(rng, 2) | {"scale": rng.integers(0, 101, N)})["scale"] is C


def test_text_beside_numbers_of_many_values_makes_them_quantities(rng):
    data = answers(rng) | {"age": rng.integers(1, 90, N), "sex": np.array(["f", "m"])[rng.integers(0, 2, N)]}
    assert kinds(data)["age"] is C


# Codes of texts.


def test_numbers_that_go_with_a_text_are_its_codes(rng):
    place = rng.integers(0, 30, N)
    codes = rng.permutation(900)[:30]
    names = np.array([f"place {i}" for i in range(30)])
    data = {"code": codes[place], "place": names[place], "x": rng.normal(size=N), "y": rng.normal(size=N)}
    assert kinds(data) == {"code": D, "place": D, "x": C, "y": C}
    shuffled = data | {"code": rng.permutation(data["code"])}
    assert kinds(shuffled)["code"] is C
    assert kinds(data, continuous=["code"])["code"] is C


def test_codes_of_many_texts_are_left_out_with_them(rng):
    place = np.tile(np.arange(120), 5)
    names = np.array([f"place {i}" for i in range(120)])
    data = {"code": 7 * place, "place": names[place], "x": rng.normal(size=N), "y": rng.normal(size=N)}
    assert any("'code' and 'place' hold free text or identifiers" in sentence for sentence in said_of(data))


def test_doubtful_quantities_are_said(rng):
    data = {"ward": rng.choice([101, 102, 205, 310, *range(411, 800, 17)], N), "x": rng.normal(size=N)}
    data["age"] = rng.integers(18, 70, N)
    assert kinds(data) == {"ward": C, "x": C, "age": C}
    sentence, *others = said_of(data, transform="none")
    assert not others, others
    assert sentence.startswith("column 'ward' holds whole numbers with many repeats and large gaps")
    assert said_of(data, continuous=["ward"], transform="none") == []
    assert kinds(data | {"ward": rng.choice([101, 102, 205], N)})["ward"] is D


# Files.


def put(tmp_path, text):
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_numbers_filled_up_with_zeros_are_codes(tmp_path):
    rows = "".join(f"{i % 12:03d},{i % 12},{i * 0.37 % 1}\n" for i in range(N))
    file = put(tmp_path, "zip,n,x\n" + rows)
    table = read_table(file)
    assert table.texts[0].states[1] == "001" and 1 not in table.texts
    assert any("'zip' is read as codes, since its numbers have leading zeros" in note for note in table.notes)
    said = read_table(file, continuous=["zip"])
    assert not said.texts and not said.notes and said.columns[0][1] == 1
    zeros = put(tmp_path, "a,x\n" + "".join(f"{i % 10},{i * 0.37 % 1}\n" for i in range(N)))
    assert not read_table(zeros).texts


def test_a_mark_of_missing_numbers_is_one_among_text(tmp_path):
    body = "".join(
        f"{'NA' if i == 3 else i * 0.37 % 1},{'NA' if i % 50 == 3 else 'ab'[i % 2]},{i % 3}\n" for i in range(N)
    )
    file = put(tmp_path, "x,sex,y\n" + body)
    table = read_table(file, drop_missing="rows")
    assert table.texts[1].states == ("a", "b") and table.n_rows == N - 12
    # Alone it may be a state: Namibia.
    alone = put(tmp_path, "x,country\n" + "".join(f"{i * 0.37 % 1},{['NA', 'ZA'][i % 2]}\n" for i in range(N)))
    assert read_table(alone).texts[1].states == ("NA", "ZA")


def test_names_in_single_quotation_marks(tmp_path):
    body = "".join(f"{i * 0.37 % 1},{i % 3}\n" for i in range(N))
    table = read_table(put(tmp_path, "'x','y'\n" + body))
    assert table.names == ("x", "y") and "single quotation marks" in table.notes[0]
    assert read_table(put(tmp_path, "'x',y'\n" + body)).names == ("'x'", "y'")
