"""Options from hccd.toml and the environment: who wins, what is refused, and how it is said."""

from __future__ import annotations

import json
import re

import pytest
from typer.main import get_command

from hccd.cli import config
from hccd.cli.config import known_options
from hccd.cli.main import app


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch):
    for name in list(config.os.environ):
        if name.startswith("HCCD_"):
            monkeypatch.delenv(name)


def in_force(hccd, *arguments):
    ran = hccd(*arguments, "--show-config", "--json")
    assert ran.code == 0, ran.err
    return {name: (entry["value"], entry["source"]) for name, entry in json.loads(ran.out)["options"].items()}


def test_the_command_line_wins_then_the_environment_then_the_file(hccd, tmp_path, monkeypatch):
    (tmp_path / "hccd.toml").write_text(
        '[learn]\nalpha = 0.02\nmax_order = 3\nseed = 4\ndrop = ["a", "b c"]\nforce = true\n'
    )
    monkeypatch.setenv("HCCD_LEARN_MAX_ORDER", "2")
    monkeypatch.setenv("HCCD_LEARN_SEED", "5")
    found = in_force(hccd, "learn", "--seed", "6")
    assert found["seed"] == ("6", "command line")
    assert found["max-order"] == ("2", "HCCD_LEARN_MAX_ORDER in the environment")
    assert found["alpha"] == ("0.02", "alpha in [learn] of 'hccd.toml'")
    assert found["drop"] == (["a", "b c"], "drop in [learn] of 'hccd.toml'")
    assert found["force"] == (True, "force in [learn] of 'hccd.toml'")
    assert found["test"] == ("auto", "default")


def test_what_is_in_force_is_done(hccd, numbers, tmp_path, monkeypatch):
    (tmp_path / "hccd.toml").write_text('[learn]\nalpha = 0.2\nout = "from-file"\nmethod = "pc"\ndrop = "d"\n')
    assert hccd("learn", numbers, "--method", "flat").code == 0
    graph = json.loads((tmp_path / "from-file" / "graph.json").read_text(encoding="utf-8"))
    assert graph["parameters"]["test"]["alpha"] == 0.2 and graph["parameters"]["method"] == "flat"
    assert graph["nodes"] == ["a", "b", "c"]
    monkeypatch.setenv("HCCD_LEARN_DROP", "b, c")
    monkeypatch.setenv("HCCD_LEARN_QUIET", "yes")
    assert hccd("learn", numbers, "--out", "other") == (0, "", "")
    assert json.loads((tmp_path / "other" / "graph.json").read_text(encoding="utf-8"))["nodes"] == ["a", "d"]


def test_another_file(hccd, tmp_path, monkeypatch):
    (tmp_path / "hccd.toml").write_text("[learn]\nalpha = 0.1\n")
    (tmp_path / "mine.toml").write_text("[learn]\nalpha = 0.2\n[simulate]\nrows = 7\n")
    assert in_force(hccd, "learn", "--config", "mine.toml")["alpha"][0] == "0.2"
    assert in_force(hccd, "simulate", "--config", "mine.toml")["rows"][0] == "7"
    monkeypatch.setenv("HCCD_CONFIG", "mine.toml")
    assert in_force(hccd, "learn")["alpha"] == ("0.2", "alpha in [learn] of 'mine.toml'")


def test_what_is_shown_is_a_config_file(hccd, tmp_path):
    (tmp_path / "hccd.toml").write_text('[learn]\nalpha = 0.03\ndrop = ["x \\"y\\"", "é"]\n')
    ran = hccd("learn", "--show-config", "--threshold", "1e-3")
    assert (ran.code, ran.err) == (0, "")
    (tmp_path / "hccd.toml").write_text(ran.out, encoding="utf-8")
    found = in_force(hccd, "learn")
    assert found["alpha"][0] == "0.03" and found["drop"][0] == ['x "y"', "é"]
    assert found["threshold"][0] == "1e-3" and found["max-order"] == (None, "default")


def test_every_option_of_every_command_can_be_set(hccd, tmp_path):
    commands = {name: known_options(command.params) for name, command in get_command(app).commands.items()}
    lines = []
    for command, options in commands.items():
        options.pop("json", None)  # it would show the settings in another form
        values = {name: "true" if known.flag else '["x"]' if known.several else "12" for name, known in options.items()}
        lines += [f"[{command}]", *(f"{name} = {value}" for name, value in values.items())]
    (tmp_path / "hccd.toml").write_text("\n".join(lines))
    for command, options in commands.items():
        ran = hccd(command, "--show-config")
        assert (ran.code, ran.err) == (0, "")
        set_there = re.findall(rf"^(\S+) = .*  # \1 in \[{command}\] of 'hccd.toml'$", ran.out, re.MULTILINE)
        assert set_there == list(options)


BAD = [
    ("[learn]\nalpa = 0.1\n", "'alpa' in [learn] of 'hccd.toml' is not an option of hccd learn: did you mean 'alpha'?"),
    ("[learn]\nmaxorder = 1\n", "did you mean 'max-order'?"),
    ("[simulate]\nrow = 5\n", "'row' in [simulate] of 'hccd.toml' is not an option of hccd simulate: did you mean"),
    ("[lern]\nalpha = 0.1\n", "'hccd.toml' has a table '[lern]', which is not a command: did you mean 'learn'?"),
    ("[zzz]\n", "choose one of learn"),
    ("alpha = 0.1\n", "'hccd.toml' has the key 'alpha' outside any table: put it under [learn]"),
    ("[learn]\nalpha = [0.1]\n", "'alpha' in [learn] of 'hccd.toml' is a list: give a text or a number"),
    ("[learn]\nalpha = true\n", "'alpha' in [learn] of 'hccd.toml' is true or false: give a text or a number"),
    ("[learn]\nalpha = 2024-01-01\n", "'alpha' in [learn] of 'hccd.toml' is a date or a time"),
    ("[learn.alpha]\nx = 1\n", "'alpha' in [learn] of 'hccd.toml' is a table"),
    ("[learn]\nforce = 1\n", "'force' in [learn] of 'hccd.toml' is a number: give true or false"),
    ("[learn]\ndrop = [1, 2]\n", "'drop' in [learn] of 'hccd.toml' is a list: give a list of texts"),
    ("[learn]\nmax-order = 1\nmax_order = 2\n", "is set twice, with - and with _"),
    ("[learn]\nconfig = 'x'\n", "'config' in [learn] of 'hccd.toml' is not an option"),
    ("[learn]\nalpha = 'five'\n", "--alpha is 'five'; give a number between 0 and 1, for example 0.01, or 'auto'"),
    ("[learn]\nalpha = 3\n", "between 0 and 1, for example 0.01, or 'auto' (it is alpha in [learn] of 'hccd.toml')"),
    ("[learn]\ntest = 'h'\n", "--test is 'h'; choose one of"),
    ("[learn\n", "'hccd.toml' is not TOML"),
    ("[learn]\nalpha = " + "9" * 5000 + "\n", "hccd.toml"),
    ("x = " + "[" * 5000 + "\n", "'hccd.toml' is not TOML"),
    ("[learn]\n'a\\u001b[31m\\n' = 1\n", "is not an option of hccd learn"),
    (f"[learn]\n{'k' * 5000} = 1\n", "is not an option of hccd learn"),
    (b"\xff\xfe[", "'hccd.toml' is not UTF-8 text"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "phrase"), BAD)
def test_files_that_cannot_be_used(hccd, numbers, tmp_path, text, phrase):
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "hccd.toml").write_bytes(content)
    before = set(tmp_path.rglob("*"))
    ran = hccd("learn", numbers)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1 and phrase in ran.err
    assert "\x1b" not in ran.err and len(ran.err) < 600
    assert set(tmp_path.rglob("*")) == before
    # The help is there all the same.
    assert hccd("learn", "--help").code == 0


def test_files_that_are_not_there(hccd, tmp_path):
    for name, phrase in (("nowhere.toml", "no such file"), (str(tmp_path), "is a folder"), ("n" * 300, "too long")):
        ran = hccd("learn", "x.csv", "--config", name)
        assert ran.code == 2 and ran.err.count("\n") == 1 and phrase in ran.err


def test_the_environment_is_checked_too(hccd, numbers, monkeypatch):
    monkeypatch.setenv("HCCD_LEARN_ALPA", "0.1")
    ran = hccd("learn", numbers)
    assert ran.code == 0
    assert ran.err == (
        "warning: 'HCCD_LEARN_ALPA' in the environment is not an option of hccd learn: did you mean "
        "'HCCD_LEARN_ALPHA'?\n"
    )
    monkeypatch.delenv("HCCD_LEARN_ALPA")
    monkeypatch.setenv("HCCD_LEARN_ALPHA", "much")
    assert hccd("learn", numbers).err == (
        "error: --alpha is 'much'; give a number between 0 and 1, for example 0.01, or 'auto' "
        "(it is HCCD_LEARN_ALPHA in the environment)\n"
    )
    # Where the command line says otherwise, the environment has no say and no blame.
    assert hccd("learn", numbers, "--alpha", "0.1").code == 0
    assert "environment" not in hccd("learn", numbers, "--alpha", "x").err
    monkeypatch.setenv("HCCD_LEARN_FORCE", "perhaps")
    ran = hccd("learn", numbers)
    assert ran.code == 2 and "HCCD_LEARN_FORCE is 'perhaps' in the environment; give 1 or 0" in ran.err


def test_help_mentions_it(hccd):
    text = hccd("learn", "--help").out
    assert all(words in text for words in ("hccd.toml", "HCCD_LEARN_ALPHA", "--config FILE", "--show-config"))
