"""Plain words: wordings that readers had to read twice stay gone from documents, help, messages and the report."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import hccd
import hccd.datasets
import hccd.metrics
import hccd.testing
from hccd.wording import STAGES

ROOT = Path(__file__).parents[2]
#: Gone from every file, comments included.
GONE = (
    "searches on from", "a score searches on", "directed otherwise", "that the data deny", "better without end",
    "something to mend", "if need be",
)  # fmt: skip
#: Gone from what users read; the code may have its own words.
GONE_FOR_USERS = (
    # Stages have one name each (hccd.wording.STAGES).
    "search by a score", "search by the score", "searching by the score", "score-based search", "score follows",
    "learning the leaves", "joining clusters", "joining the parts", "judging colliders", "testing all pairs",
    "refining",
    # Words with another meaning elsewhere, and coined ones.
    "verdict", "to mend", "is mended", "begins anew", "begin anew", "starts anew", "goes on from there",
    "going on with the run",
    "taken for lines", "of uneven size", "tell more about each other", "fewest rows together", "a pair is worth",
    "things to mend", "as questions", "you said so", "so that nothing is lost", "nothing was missed", "searched on",
    "directed by it", "as it stands", "what is to be thought", "takes off a price",
    "whatever they look like", "among the conditions", "given it as well", "hand the graph",
    "got wrong", "got right", "tells why", "tells which", "tells how", "tells the", "cannot be told",
    "as it is, but for", "is taken as it is", "edges too many", "before this work", "throw-away", "higher end",
    "what is left is", "as they lie", "drawn in to", "the truth had", "told with", "of one's own",
    "what it is taken for", "that no choice was made on", "whoever",
    "at hand", "look doubled", "as you say", "does not tell", "do not tell", "told apart", "is told by", "are told by",
    "as told", "foretell", "for want of", "not to be had", "goes on from", "it goes on", "in parcels", "as they come",
    "is no option", "is no table", "is no number",
)  # fmt: skip
PLACES = ((ROOT, "*.md"), (ROOT / "docs", "**/*.md"), (ROOT / "docs", "**/*.ipynb"), (ROOT / "src", "**/*.py"))
FILES = [path for folder, kind in PLACES for path in sorted(folder.glob(kind))]
#: What users read; the documents about how hccd came to be have their own history.
PAGES = [
    path
    for path in FILES
    if path.suffix != ".py" and path.parent.name != "lab" and path.name not in ("ARCHITECTURE.md", "CONTRIBUTING.md")
] + sorted((ROOT / "src" / "hccd" / "report" / "page").glob("*.[jh]*"))


def plain(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def strings_of(source: str) -> list[str]:
    """List the strings of a module, which may reach a user, with {} for what is filled in; docstrings are left out."""
    tree = ast.parse(source)
    passed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(node.value)
        if isinstance(node, ast.JoinedStr):
            passed |= set(ast.walk(node)) - {node}
    texts = []
    for node in ast.walk(tree):
        if node in passed:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(plain(node.value))
        elif isinstance(node, ast.JoinedStr):
            texts.append(plain("".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)))
    return texts


def public_docstrings() -> dict[str, str]:
    """Return the docstrings of what ``hccd`` and the modules of the reference name, members included, by name."""
    found = {}
    for module in (hccd, hccd.datasets, hccd.metrics, hccd.testing):
        found[module.__name__] = inspect.getdoc(module) or ""
        for name in module.__all__:
            thing = getattr(module, name)
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            found[name] = inspect.getdoc(thing) or ""
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not member.startswith("_"):
                    found[f"{name}.{member}"] = inspect.getdoc(value) or ""
    return found


@pytest.fixture(scope="module")
def read_by_users() -> dict[str, list[str]]:
    """Everything that users read, by where it is."""
    texts = {str(path.relative_to(ROOT)): [plain(path.read_text(encoding="utf-8"))] for path in PAGES}
    for path in sorted((ROOT / "src" / "hccd").rglob("*.py")):
        texts[str(path.relative_to(ROOT))] = strings_of(path.read_text(encoding="utf-8"))
    return texts | {name: [plain(text)] for name, text in public_docstrings().items()}


@pytest.mark.parametrize("words", GONE)
def test_old_wordings_are_gone(words):
    assert len(FILES) > 300
    assert not [str(path.relative_to(ROOT)) for path in FILES if words in plain(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("words", GONE_FOR_USERS)
def test_old_wordings_are_gone_from_what_users_read(words, read_by_users):
    assert len(read_by_users) > 600
    assert not [(place, text) for place, texts in read_by_users.items() for text in texts if words in text]


def test_what_users_read_is_found():
    source = 'def f(x):\n    """Hidden."""\n    return f"the verdict about {x}" "\\nis"\n'
    assert strings_of(source) == ["the verdict about {} is"]
    assert "Learn a causal graph" in public_docstrings()["discover"]
    others = {"shd", "SID", "Comparison.table", "load_network", "check_baseline", "hccd.metrics"}
    assert others <= set(public_docstrings())


def test_every_stage_is_in_the_glossary():
    page = (ROOT / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
    table = page[page.index("## The stages of a run") : page.index("## Words of the code")]
    rows = [row.strip("| ").split(" | ") for row in re.findall(r"^\|.*\|$", table, re.MULTILINE)[2:]]
    named = {key: name.strip() for name, *_, keys in rows for key in re.findall(r"`([a-z_-]+)`", keys)}
    assert set(named) == set(STAGES)
    assert all(STAGES[key] in name for key, name in named.items())


def test_an_arrow_never_means_a_cause_without_a_condition():
    pattern = re.compile(r"`A -> B`[^.|]*means? that A is a cause of B(?!, if)")
    assert pattern.search("`A -> B` means that A is a cause of B; `A -- B`")
    assert not [path.name for path in PAGES if pattern.search(plain(path.read_text(encoding="utf-8")))]
