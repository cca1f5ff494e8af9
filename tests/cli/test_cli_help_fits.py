"""``hccd --help`` in a terminal of 80 columns: every sentence whole."""

from __future__ import annotations

from hccd.cli.main import main


def test_help_cuts_no_sentence(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    commands = out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(commands) > 10 and all(line.endswith(".") and not line.endswith("...") for line in commands)
    assert max(map(len, out.splitlines())) <= 80
