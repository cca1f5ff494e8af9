"""Ugly files through ``hccd learn``: a graph, or exit code 2 and one sentence."""

from __future__ import annotations

import warnings

import pytest
from ugly_tables import FILES

from hccd.cli.main import main

REFUSED = {
    "a name twice": "occurs more than once",
    "no name": "has no name",
    "infinities": "infinite",
    "too large for a float": "infinite",
    "one row": "at least 10 are needed",
    "one column": "column",
    "rows of different lengths": "line",
    "everything empty": "no rows",
}


def run(capsys, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code = main(list(arguments))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("name", FILES)
def test_a_graph_or_one_sentence(name, tmp_path, capsys):
    file = tmp_path / "table.csv"
    file.write_text(FILES[name](), encoding="utf-8")
    code, out, err = run(capsys, "learn", str(file), "--out", str(tmp_path / "out"), "--no-report")
    assert "Traceback" not in err
    if name in REFUSED:
        assert code == 2 and not out and err.count("\n") == 1 and REFUSED[name] in err, err
    else:
        assert code == 0 and "edges" in out, err
