"""Tables of common packages, learned by ``hccd learn TABLE.csv`` without options, and the page that shows them.

    python -m benchmarks tables                  # learns all, says what came of each
    python -m benchmarks tables --page docs      # and writes docs/TABLES.md and docs/tables/*.svg

The tables come with packages that are installed into an environment of their own (``bundled.py``); none is part of
this repository. What is said about each graph is computed: which relations that anybody would expect are there, and
which arrows point at a column that nothing in the table can cause.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.bundled import BARE, PINS
from benchmarks.peers import install
from benchmarks.tables_judged import JUDGED, Judged

HERE = Path(__file__).parent
HOME = HERE / ".venv-tables"
RESULTS = HERE / "results" / "tables"
_SHOWN = ("variables", "rows", "test", "score", "edges", "conflicts")
_PAGE = """# 23 tables, learned without options

These 23 tables come with common Python packages. `hccd learn TABLE.csv` learned each of them without options. Each
section shows the first lines of the output, the graph, and an assessment. The assessment names the expected relations,
and the arrows that cannot be true because nothing in the table causes their target, such as the age. Background
knowledge removes such arrows (`--tier age,sex --tier ...`, [Knowledge](KNOWLEDGE.md)).
`python -m benchmarks tables --page docs` makes this page: it installs the packages, in fixed versions, and writes their
tables as CSV files.

An arrow means "is a cause of" only if no common cause is missing from the table. Few tables meet this condition. So
read the graphs as descriptions of dependence, and the arrows as hypotheses. The [Gallery](GALLERY.md) analyses five
tables with background knowledge.

"""


class Learned(NamedTuple):
    """What a command did."""

    code: int
    said: list[str]
    summary: dict[str, str]
    edges: list[tuple[str, str, str]]
    seconds: float


def write_tables() -> None:
    """Write all tables into ``RESULTS``."""
    python = install(HOME, PINS, BARE)
    subprocess.run([str(python), str(HERE / "bundled.py"), str(RESULTS)], check=True)


def learn(name: str) -> Learned:
    """Learn one table as a user would."""
    out = RESULTS / "runs" / name
    command = [sys.executable, "-m", "hccd", "learn", f"{name}.csv", "--out", str(out), "--force"]
    began = time.monotonic()
    ran = subprocess.run(command, capture_output=True, text=True, cwd=RESULTS, check=False)
    seconds = time.monotonic() - began
    summary = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in ran.stdout.splitlines() if " " in line}
    edges = []
    if ran.returncode == 0:
        graph = json.loads((out / "graph.json").read_text(encoding="utf-8"))
        edges = [(edge["source"], edge["target"], edge["type"]) for edge in graph["edges"]]
    return Learned(ran.returncode, ran.stderr.splitlines(), summary, edges, seconds)


def judgement(learned: Learned, judged: Judged) -> str:
    """Say which expected relations are there, and which arrows cannot be."""
    pairs = {frozenset(edge[:2]) for edge in learned.edges}
    there = [f"{a} - {b}" for a, b in judged.expected if frozenset((a, b)) in pairs]
    gone = [f"{a} - {b}" for a, b in judged.expected if frozenset((a, b)) not in pairs]
    wrong = [f"{a} -> {b}" for a, b, kind in learned.edges if kind == "directed" and b in judged.roots]
    said = []
    if there:
        said.append(f"As expected: {', '.join(there)}.")
    if gone:
        said.append(f"Expected, but missing: {', '.join(gone)}.")
    if wrong:
        said.append(f"Cannot be true: {', '.join(wrong)} (nothing here causes {' or '.join(judged.roots)}).")
    elif judged.roots:
        said.append(f"No arrow points to a variable that nothing here can cause ({', '.join(judged.roots)}).")
    return " ".join([*said, judged.thought])


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 127, break_long_words=False, break_on_hyphens=False)


def section(name: str, learned: Learned) -> str:
    """Return the part of the page about one table."""
    judged = JUDGED[name]
    told = [f"{label:<11}{learned.summary[label]}" for label in _SHOWN if label in learned.summary]
    lines = [*map(_wrapped, learned.said), *told]
    parts = [f"## {name}", judged.what, "```text\n" + "\n".join([f"$ hccd learn {name}.csv", *lines]) + "\n```"]
    if learned.code == 0:
        parts += [f"![The graph of {name}](tables/{name}.svg)", _wrapped(judgement(learned, judged))]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Learn all tables; write the page if it is asked for."""
    parser = argparse.ArgumentParser(prog="benchmarks tables")
    parser.add_argument("--page", type=Path, help="the folder of the documents, to write TABLES.md and tables/ there")
    given = parser.parse_args(arguments)
    write_tables()
    results = {name: learn(name) for name in JUDGED}
    print("| table | exit code | warnings | edges | arrows that cannot be | seconds |\n|---|---|---|---|---|---|")
    for name, one in results.items():
        wrong = sum(kind == "directed" and target in JUDGED[name].roots for _, target, kind in one.edges)
        warned = sum(line.startswith("warning") for line in one.said)
        print(f"| {name} | {one.code} | {warned} | {len(one.edges)} | {wrong} | {one.seconds:.1f} |")
    learned = sum(one.code == 0 for one in results.values())
    print(f"{learned} of {len(results)} learned")
    if given.page is not None:
        write_page(given.page, results)
    return 0 if learned == len(results) else 1


def write_page(folder: Path, results: dict[str, Learned]) -> None:
    """Write the page and its pictures."""
    pictures = folder / "tables"
    pictures.mkdir(exist_ok=True)
    for name, one in results.items():
        if one.code == 0:
            picture, run = pictures / f"{name}.svg", RESULTS / "runs" / name
            command = [sys.executable, "-m", "hccd", "plot", str(run), "--out", str(picture), "--force", "--quiet"]
            subprocess.run(command, check=True)
    text = _PAGE + "\n".join(section(name, one) for name, one in results.items())
    (folder / "TABLES.md").write_text(text, encoding="utf-8")
