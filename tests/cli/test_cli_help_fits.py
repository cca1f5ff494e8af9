"""Help in a terminal of 80 columns: every sentence whole."""

from __future__ import annotations

import pytest
from typer.main import get_command

from hccd.cli.main import app, main


def test_help_cuts_no_sentence(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    commands = out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(commands) > 10 and all(line.endswith(".") and not line.endswith("...") for line in commands)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", get_command(app).commands)
def test_no_command_needs_more(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([command, "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
