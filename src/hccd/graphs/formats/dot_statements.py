"""The DOT language as statements: nodes and edges with their attributes; what they mean is told in the formats.

Two dialects are read: that of Graphviz, and that of DAGitty, which has more kinds of edges, other rules for names and
attributes without values. Chains (``a -> b -> c``), subgraphs (``a -> {b c}``), defaults (``edge [dir=none]``), ports,
comments and text in pieces (``"a" + "b"``) are understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hccd.errors import FileFormatError


@dataclass(frozen=True)
class Dialect:
    """What differs between the two.

    Attributes
    ----------
    kinds : tuple of str
        The words that begin a graph.
    token : pattern
        One token: ``text`` in quotation marks, an ``operator``, a ``word`` or a ``sign``.
    escape : pattern
        What a backslash does in quotation marks: before a line break both vanish, else it vanishes itself.
    """

    name: str
    kinds: tuple[str, ...]
    token: re.Pattern[str]
    escape: re.Pattern[str]


_SPACE = r"(?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)"
_SIGN = r"(?P<sign>[{}\[\];,=:+])"
GRAPHVIZ = Dialect(
    "DOT",
    ("graph", "digraph"),
    re.compile(
        rf'{_SPACE}|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<operator>->|--)'
        rf"|(?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)|[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*)|{_SIGN}|(?P<html><)",
        re.DOTALL | re.MULTILINE,
    ),
    # A pair of backslashes stays a pair, but the second escapes nothing.
    re.compile(r'(?P<kept>\\\\)|\\(?:(?P<quote>")|\r?\n)'),
)
DAGITTY = Dialect(
    "DAGitty",
    ("dag", "pdag", "mag", "pag", "graph", "digraph"),
    re.compile(
        rf'{_SPACE}|"(?P<text>(?:\\"|[^"\\]|\\(?!"))*)"|(?P<operator>@->|<-@|--@|@--|@-@|<->|->|--|<-)'
        rf"|(?P<word>-?[0-9A-Za-z_.]+)|{_SIGN}",
        re.DOTALL | re.MULTILINE,
    ),
    re.compile(r'(?P<kept>(?!))|\\(?:(?P<quote>")|[\r\n]+)'),
)

Attributes = dict[str, str]


@dataclass(frozen=True)
class DotEdge:
    """One edge, as it was written."""

    source: str
    operator: str
    target: str
    attributes: Mapping[str, str]


@dataclass(frozen=True)
class DotGraph:
    """A graph as it was written: its kind, its nodes in the order of their first mention, and its edges."""

    kind: str
    nodes: dict[str, Attributes] = field(default_factory=dict)
    edges: list[DotEdge] = field(default_factory=list)


def parse_dot_statements(text: str, dialect: Dialect) -> DotGraph:
    """Read the first graph of a text.

    Raises
    ------
    FileFormatError
        If the text does not follow the grammar; the line is named.
    """
    try:
        return _Reader(text, dialect).graph()
    except RecursionError:
        raise FileFormatError("the subgraphs of this file are nested too deeply: give a plain graph") from None


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: int


class _Reader:
    """One pass over the tokens of a text."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._source = text
        self._dialect = dialect
        self._tokens = self._split()
        self._next = 0

    def graph(self) -> DotGraph:
        """Read ``strict? kind name? { ... }``."""
        if self._peek().kind == "word" and self._peek().text.lower() == "strict":
            self._take()
        kind = self._take()
        if kind.kind != "word" or kind.text.lower() not in self._dialect.kinds:
            raise self._refusal(kind, f"{self._dialect.name} begins with {' or '.join(self._dialect.kinds)}")
        if self._peek().kind in ("word", "text"):
            self._identifier()
        found = DotGraph(kind.text.lower())
        self._block(found, {}, {})
        return found

    def _block(self, found: DotGraph, node_defaults: Attributes, edge_defaults: Attributes) -> list[str]:
        """Read statements in braces; return the nodes that they name. Defaults hold up to the closing brace."""
        self._expect("{")
        node_defaults, edge_defaults = dict(node_defaults), dict(edge_defaults)
        defaults: dict[str, Attributes] = {"node": node_defaults, "edge": edge_defaults, "graph": {}}
        members: list[str] = []
        while not self._is("}"):
            if self._is(";") or self._is(","):
                self._take()
                continue
            word = self._peek()
            if word.kind == "word" and word.text.lower() in defaults and self._is("[", ahead=1):
                self._take()
                defaults[word.text.lower()].update(self._attributes())
            elif self._is("=", ahead=1):
                self._identifier()
                self._take()
                self._identifier()
            else:
                members += self._chain(found, node_defaults, edge_defaults)
        self._take()
        return members

    def _chain(self, found: DotGraph, node_defaults: Attributes, edge_defaults: Attributes) -> list[str]:
        """Read a node, or nodes and sets of nodes joined by edges, and the attributes behind."""
        groups = [self._group(found, node_defaults, edge_defaults)]
        operators: list[str] = []
        alone = not self._was_subgraph
        while self._peek().kind == "operator":
            operators.append(self._take().text)
            groups.append(self._group(found, node_defaults, edge_defaults))
        attributes = self._attributes()
        if not operators and alone:
            found.nodes[groups[0][0]].update(attributes)
        for sources, operator, targets in zip(groups, operators, groups[1:], strict=False):
            for source in sources:
                for target in targets:
                    found.edges.append(DotEdge(source, operator, target, {**edge_defaults, **attributes}))
        return [name for group in groups for name in group]

    def _group(self, found: DotGraph, node_defaults: Attributes, edge_defaults: Attributes) -> list[str]:
        """Read one node or one subgraph; return the names of the nodes."""
        word = self._peek()
        named = word.kind == "word" and word.text.lower() == "subgraph" and self._dialect is GRAPHVIZ
        self._was_subgraph = named or self._is("{")
        if self._was_subgraph:
            if named:
                self._take()
                if not self._is("{"):
                    self._identifier()
            members = self._block(found, node_defaults, edge_defaults)
            self._was_subgraph = True
            return list(dict.fromkeys(members))
        name = self._identifier()
        while self._is(":"):
            self._take()
            self._identifier()
        if name not in found.nodes:
            found.nodes[name] = dict(node_defaults)
        return [name]

    def _attributes(self) -> Attributes:
        """Read any number of lists in brackets."""
        found: Attributes = {}
        while self._is("["):
            self._take()
            while not self._is("]"):
                if self._is(",") or self._is(";"):
                    self._take()
                    continue
                key = self._identifier()
                if self._is("="):
                    self._take()
                    found[key] = self._identifier()
                else:
                    found[key] = "true"
            self._take()
        return found

    def _identifier(self) -> str:
        """Read a name: a word, or text in quotation marks, perhaps in pieces."""
        token = self._take()
        if token.kind not in ("word", "text"):
            raise self._refusal(token, "a name is expected")
        parts = [token.text]
        while self._is("+"):
            self._take()
            parts.append(self._take().text)
        return "".join(parts)

    def _is(self, sign: str, ahead: int = 0) -> bool:
        token = self._tokens[min(self._next + ahead, len(self._tokens) - 1)]
        return token.kind == "sign" and token.text == sign

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        if token.kind == "end":
            raise FileFormatError(
                f"this {self._dialect.name} text ends too early: the file is cut off or of another kind"
            )
        self._next += 1
        return token

    def _expect(self, sign: str) -> None:
        token = self._take()
        if token.kind != "sign" or token.text != sign:
            raise self._refusal(token, f"{sign} is expected")

    def _refusal(self, token: _Token, expected: str) -> FileFormatError:
        line = self._source.count("\n", 0, token.place) + 1
        return FileFormatError(f"line {line} has {token.text[:40]!r} where it cannot be: {expected}")

    def _split(self) -> list[_Token]:
        """Cut the text into tokens, with one of kind "end" behind them."""
        tokens: list[_Token] = []
        text, place = self._source, 0
        while place < len(text):
            found = self._dialect.token.match(text, place)
            if found is None:
                raise self._refusal(_Token("", text[place : place + 10], place), "this is not " + self._dialect.name)
            kind, end = str(found.lastgroup), found.end()
            if kind == "text":
                tokens.append(_Token(kind, self._unescaped(found["text"]), place))
            elif kind == "html":
                end = _end_of_html(text, place)
                tokens.append(_Token("text", text[place + 1 : end - 1], place))
            elif kind != "space":
                tokens.append(_Token(kind, found[kind], place))
            place = end
        return [*tokens, _Token("end", "", place)]

    def _unescaped(self, text: str) -> str:
        """Return what stands in quotation marks."""
        return self._dialect.escape.sub(lambda found: found["kept"] or found["quote"] or "", text)


def _end_of_html(text: str, place: int) -> int:
    """Return the place behind the bracket that closes the one at ``place``."""
    depth = 0
    for end in range(place, len(text)):
        depth += {"<": 1, ">": -1}.get(text[end], 0)
        if depth == 0:
            return end + 1
    raise FileFormatError("this DOT text ends too early: the file is cut off or of another kind")
