"""docs/COMMAND_LINE.md says what happens: its files are written, its commands called, their answers compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from hccd.cli.main import app
from hccd.confidence import cost

DOCUMENT = Path(__file__).parents[2] / "docs" / "COMMAND_LINE.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def matches(expected: str, said: str) -> bool:
    """Compare, with ... for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, said, re.DOTALL) is not None


def test_the_commands_answer_as_printed(hccd, tmp_path, monkeypatch):
    for name in ("HCCD_CONFIG", "HCCD_LEARN_ALPHA"):
        monkeypatch.delenv(name, raising=False)
    # Readers have resamples by default.
    monkeypatch.setattr(cost, "MOST_WORK", 5e9)
    assert {kind for kind, _ in BLOCKS} == {"console", "toml", "python"}
    called = set()
    for kind, block in BLOCKS:
        if kind == "toml":
            name, content = block.split("\n", 1)
            (tmp_path / name.removeprefix("# ")).write_text(content)
        elif kind == "python":
            exec(compile(block, DOCUMENT.name, "exec"), {})
        else:
            for call, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                words = shlex.split(call)
                with monkeypatch.context() as environment:
                    while "=" in words[0]:
                        environment.setenv(*words.pop(0).split("=", 1))
                    assert words.pop(0) == "hccd"
                    called.add(words[0])
                    ran = hccd(*words)
                assert matches(expected, ran.out + ran.err), f"{call}\n{ran.out}{ran.err}"
                assert ran.code == (2 if "error: " in expected else 0)
    assert called == {"learn", "sensitivity", "explain", "compare", "simulate", "demo", "version"}


def test_every_command_is_described():
    for command in ("learn", "sensitivity", "compare", "simulate", "explain", "reproduce", "demo", "version"):
        assert f"\n## {command.capitalize()}\n" in TEXT
        assert command in get_command(app).commands


@pytest.mark.parametrize("code", ["0", "1", "2", "130"])
def test_every_exit_code_is_described(code):
    assert re.search(rf"^\| {code} \| ", TEXT, re.MULTILINE)


def test_links_lead_somewhere():
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^## (.*)$", TEXT, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        # Headings of other pages are compared when the site is built.
        path = target.partition("#")[0]
        assert target.removeprefix("#") in headings or (path and (DOCUMENT.parent / path).exists()), target
