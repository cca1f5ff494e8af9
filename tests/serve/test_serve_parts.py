"""The parts of the server by themselves: what the page may ask, cells to show, names of files, files of the page."""

from __future__ import annotations

import gzip
import re
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from hccd import read_table
from hccd.cli.groups import help_of
from hccd.errors import FileFormatError, InvalidParameterError
from hccd.run.option import option_of
from hccd.run.options import Options
from hccd.serve.assets import SCRIPTS, assets, page
from hccd.serve.examples import examples
from hccd.serve.form import SHOWN, asked, option_fields, reading_fields
from hccd.serve.worker import refuse_bomb
from hccd.serve.workspace import shown_name
from hccd.tables.texts import Encoded, Text

PAGE = Path(__file__).parents[2] / "src/hccd/serve/page"


def test_options_are_those_of_the_declaration():
    declared = {each.name: each for each in Options.__dataclass_fields__.values()}
    for field in option_fields():
        own = declared[field["name"]]
        assert field["help"] == help_of(option_of(own)) and "``" not in field["help"]
        assert tuple(field["choices"]) == option_of(own).choices
        assert field["default"] == ("" if own.default is None else own.default)
    assert [field["name"] for field in option_fields()] == list(SHOWN)


def test_what_is_asked_for():
    options, reading = asked(
        {
            "options": {"alpha": " 0.02 ", "test": "g", "bootstrap": "30", "missing": ""},
            "kinds": {"c": "out", "a": "discrete", "b": "ordinal", "d": "out"},
            "tiers": [["a"], [], ["b"]],
        }
    )
    assert (options.alpha, options.test, options.bootstrap, options.missing) == (0.02, "g", 30, "auto")
    assert options.tiers == [["a"], ["b"]]
    assert reading == {"ordinal": ("b",), "discrete": ("a",), "drop": ("c", "d")}
    assert asked({})[0].tiers is None and asked({})[1] == {}


def test_how_a_text_file_is_read():
    _, reading = asked({"reading": {"delimiter": " ; ", "encoding": "cp1251", "decimal": "", "na": "-9,x"}})
    assert reading == {"delimiter": ";", "encoding": "cp1251", "na": ("-9", "x")}
    assert {field["name"] for field in reading_fields()} <= set(signature(read_table).parameters)
    assert all(field["help"].endswith(".") and "None" not in field["help"] for field in reading_fields())


@pytest.mark.parametrize(
    "wishes",
    [
        {"options": {"alpha": "2"}},
        {"options": {"n_jobs": "2"}},
        {"options": {"test": 1}},
        {"kinds": {"a": "x"}},
        {"reading": {"drop": "a"}},
        {"reading": {"na": []}},
    ],
)
def test_what_cannot_be_asked_for(wishes):
    with pytest.raises(InvalidParameterError):
        asked(wishes)


def test_cells_to_show():
    assert examples(np.array([np.nan, 3.0, 3.0, 0.25, 1e9])) == ["3", "0.25", "1e+09"]
    assert examples(np.array([True, False, True])) == ["True", "False"]
    assert examples(np.array(["b", None, "a"], dtype=object)) == ["b", "a"]
    assert examples(Encoded(np.array([1, -1, 0]), np.array(["x", "y"], dtype=object))) == ["y", "x"]
    assert examples(Text.numbered(np.array([0, -1, 1]), ["x", "y" * 50])) == ["x", "y" * 23 + "…"]
    assert examples(np.ma.array([1, 2, 3], mask=[True, False, False])) == ["2", "3"]
    assert examples(np.zeros(3, dtype="datetime64[D]")) == []
    assert examples(np.arange(100)) == ["0", "1", "2", "3"]
    assert examples(np.array([], dtype=float)) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("survey.csv", "survey.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\a.csv", "a.csv"),
        ("\u202e\x00a.csv\n", "a.csv"),
        ("..", "table"),
        ("", "table"),
        ("ä ö.csv", "ä ö.csv"),
    ],
)
def test_names_of_files(name, shown):
    assert shown_name(name) == shown


def test_a_packed_file_may_not_be_too_large(tmp_path):
    file = tmp_path / "a.gz"
    file.write_bytes(gzip.compress(bytes(3_000_000)))
    refuse_bomb(file, 3_000_000)
    with pytest.raises(FileFormatError, match="unpacks to more than 2 MB"):
        refuse_bomb(file, 2_999_999)


def test_all_files_of_the_page_are_used_and_it_asks_for_no_others():
    assert {path.name for path in PAGE.iterdir()} == {*SCRIPTS, "page.html", "page.css"}
    asked_for = set(re.findall(r'(?:src|href)="([^"#]+)"', page()))
    assert asked_for - {"data:,"} == set(assets())
    for _, text in assets().values():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|innerHTML|eval\(", text)
