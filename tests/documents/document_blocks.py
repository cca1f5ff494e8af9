"""The fenced blocks of a document, run in order in one folder, as a reader would.

``python`` is executed, all blocks of a document in one namespace; with ``>>>`` the answers are compared. ``console``
holds commands behind ``$`` and what they say, ``...`` standing for anything; ``bash`` holds commands alone. ``toml`` is
a file whose name is in its first line. Everything else is only shown, and must be one of the words in ``SHOWN``.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import hccd

RUN = frozenset({"python", "console", "bash", "toml"})
SHOWN = frozenset({"text", "json", "r"})


class Block(NamedTuple):
    kind: str
    text: str
    line: int


def blocks_of(document: Path) -> list[Block]:
    """List the fenced blocks, also those inside a list or a note."""
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [
        Block(
            match[2],
            re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE),
            text.count("\n", 0, match.start()) + 1,
        )
        for match in found
    ]


def matches(expected: str, said: str) -> bool:
    """Compare, with ... for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, said.strip(), re.DOTALL) is not None


def run(document: Path, folder: Path) -> int:
    """Run the blocks of a document in ``folder``, which is the working directory; return how many there are."""
    names: dict[str, object] = {"__name__": "__main__"}
    environment = _environment(folder)
    count = 0
    for block in blocks_of(document):
        where = f"{document.name}, line {block.line}"
        if block.kind == "python" and ">>>" in block.text:
            _compare_answers(block, names, where)
        elif block.kind == "python":
            # Empty lines in front make the numbers in a traceback those of the document.
            exec(compile("\n" * block.line + block.text, document.name, "exec"), names)
        elif block.kind == "console":
            _compare_commands(block, folder, environment, where)
        elif block.kind == "bash":
            _call(block.text, folder, environment, where, code=0)
        elif block.kind == "toml":
            name, _, content = block.text.partition("\n")
            (folder / name.removeprefix("# ")).write_text(content, encoding="utf-8")
        count += block.kind in RUN
    return count


def _environment(folder: Path) -> dict[str, str]:
    """Make ``hccd`` a command that runs this very package, whatever is installed."""
    programs = folder.parent / f"{folder.name}-programs"
    programs.mkdir()
    command = programs / "hccd"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m hccd "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HCCD_")}
    return kept | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(hccd.__file__).parents[1]),
        "MPLBACKEND": "agg",
    }


def _compare_answers(block: Block, names: dict[str, object], where: str) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, where, None, block.line)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test, out=said.append, clear_globs=False).failed == 0, "".join(said)
    names.update(test.globs)


def _compare_commands(block: Block, folder: Path, environment: dict[str, str], where: str) -> None:
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
    assert commands, f"{where}: no line begins with $"
    for command, expected in commands:
        said = _call(command, folder, environment, where, code=2 if "error: " in expected else 0)
        assert matches(expected, said), f"{where}: {command}\n{said}"


def _call(command: str, folder: Path, environment: dict[str, str], where: str, code: int) -> str:
    finished = subprocess.run(
        ["/bin/sh", "-e", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert finished.returncode == code, f"{where}: {command}\n{finished.stdout}"
    return finished.stdout
