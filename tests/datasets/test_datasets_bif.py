"""Reading BIF: what the format allows, and what is refused with its line."""

import gzip
import re

import numpy as np
import pytest

from hccd.datasets import load_network, parse_bif, read_bif
from hccd.errors import FileFormatError

GOOD = """network unknown {
}
variable rain {
  type discrete [ 2 ] { no, yes };
}
variable wet {
  type discrete [ 3 ] { dry, damp, soaked };
}
probability ( rain ) {
  table 0.8, 0.2;
}
probability ( wet | rain ) {
  (no) 0.9, 0.1, 0.0;
  (yes) 0.1, 0.2, 0.7;
}
"""


def test_a_plain_file():
    network = parse_bif(GOOD)
    assert network.names == ("rain", "wet")
    assert network.states == (("no", "yes"), ("dry", "damp", "soaked"))
    assert network.parents == ((), (0,))
    assert [table.tolist() for table in network.tables] == [[[0.8, 0.2]], [[0.9, 0.1, 0.0], [0.1, 0.2, 0.7]]]


def test_packed_or_not_and_any_line_ends(tmp_path):
    expected = parse_bif(GOOD).sample(20, 1)
    for name, content in {
        "plain.bif": GOOD.encode(),
        "packed.bif.gz": gzip.compress(GOOD.encode()),
        "misnamed.bif": gzip.compress(GOOD.encode()),
        "windows.bif": b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
        "mac.bif": GOOD.replace("\n", "\r").encode(),
        "no_ending": GOOD.encode(),
    }.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert np.array_equal(load_network(path).sample(20, 1), expected), name
        assert np.array_equal(load_network(str(path)).sample(20, 1), expected), name


# The dog problem of the format's own description: no commas, no bar, quotation marks, properties and comments,
# and tables in which the variable itself varies slowest.
OLD = """// Bayesian network in the interchange format {
network "Dog-Problem" { //5 variables
    property "credal-set constant-density-bounded 1.1" ;
}
variable "light-on" { //2 values; with a brace }
    type discrete[2] { "true" "false" };
    property "position = (218, 195)" ;
}
variable  "family-out" {
    property position = (257, 99) ;
    type discrete[2] { "true"  "false" } ;
}
/* a comment
   over two lines with "quotes and ; */
probability(  "light-on"  "family-out" ) {
    property "nothing; { here";
    table 0.6 0.05 0.4 0.95 ;
}
probability(  "family-out" ) { table 0.15 0.85; }
"""


def test_the_old_dialect():
    network = parse_bif(OLD)
    assert network.names == ("light-on", "family-out")
    assert network.states == (("true", "false"),) * 2
    assert network.parents == ((1,), ())
    # P(light on | family out) = 0.6 and P(light on | family in) = 0.05.
    assert network.tables[0].tolist() == [[0.6, 0.4], [0.05, 0.95]]


def test_tables_of_two_parents_have_the_last_parent_fastest():
    text = """network n {} variable a { type discrete [2] {a0, a1}; } variable b { type discrete [3] {b0, b1, b2}; }
    variable c { type discrete [2] {c0, c1}; }
    probability (a) {table .5, .5;} probability (b) {table 0.2, 0.3, 0.5;}
    probability (c | b, a) { table 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5; }"""
    network = parse_bif(text)
    assert network.parents[2] == (1, 0)
    assert network.tables[2][:, 0].tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    rows = text.replace(
        "table 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5;",
        "(b2, a1) 0.5 0.5; (b0, a1) 0.1, 0.9; default 0.25, 0.75; (b1,a0) 2e-1 8E-1;",
    )
    assert parse_bif(rows).tables[2][:, 0].tolist() == [0.25, 0.1, 0.2, 0.25, 0.25, 0.5]


def test_names_of_several_words_as_other_programs_write_them():
    text = GOOD.replace("wet", "wet street").replace("soaked", "quite  soaked").replace("yes", "some rain")
    network = parse_bif(text)
    assert network.names == ("rain", "wet street")
    assert network.states == (("no", "some rain"), ("dry", "damp", "quite soaked"))
    assert network.tables[1].tolist() == parse_bif(GOOD).tables[1].tolist()


def test_signs_in_names():
    text = GOOD.replace("wet", "wet/v1.0-x").replace("soaked", "<=3_or_>7+").replace("yes", "a:b*'c'=?")
    network = parse_bif(text)
    assert network.names[1] == "wet/v1.0-x"
    assert network.states[1][2] == "<=3_or_>7+" and network.states[0][1] == "a:b*'c'=?"


def test_quoted_names_may_hold_anything():
    text = GOOD.replace("wet", '"w; {e}t | (x), // y"').replace("yes", '" (y), es"')
    network = parse_bif(text)
    assert network.names[1] == "w; {e}t | (x), // y" and network.states[0][1] == " (y), es"


def changed(old, new):
    assert GOOD.count(old) >= 1
    return GOOD.replace(old, new, 1)


BAD = {
    "no such state": (changed("(yes)", "(maybe)"), 14, "'maybe' is not a state of the parent; its states are 'no, "),
    "too many states": (changed("(yes)", "(yes, no)"), 14, "2 states are given for the 1 parents of 'wet'"),
    "a state short": (changed("0.2, 0.7", "0.9"), 14, "'wet' has 3 states, but 2 probabilities are given"),
    "no number": (changed("0.2, 0.7", "0.2, x7"), 14, "'x7' is not a number"),
    "bad sum": (changed("0.2, 0.7", "0.2, 0.1"), 14, "must lie between 0 and 1 and add up to 1; they add up to 0.4"),
    "negative": (changed("0.1, 0.2, 0.7", "-0.1, 0.2, 0.9"), 14, "must lie between 0 and 1"),
    "nan": (changed("0.1, 0.2, 0.7", "nan, 0.2, 0.9"), 14, "must lie between 0 and 1"),
    "a row twice": (changed("(yes)", "(no)"), 14, "have a row already"),
    "a row missing": (changed("  (yes) 0.1, 0.2, 0.7;\n", ""), 12, "'wet' needs 2 rows"),
    "bad root": (changed("table 0.8, 0.2", "table 0.8, 0.3"), 10, "they add up to 1.1"),
    "short table": (changed("table 0.8, 0.2", "table 0.8"), 10, "the table of 'rain' has 1 numbers, but must have 2"),
    "unknown entry": (changed("table 0.8, 0.2", "tabel 0.8, 0.2"), 10, "'table', 'default' or '(states)"),
    "unknown parent": (changed("wet | rain", "wet | rein"), 12, "the variable 'rein' is not declared"),
    "unknown child": (changed("( wet |", "( vet |"), 12, "the variable 'vet' is not declared"),
    "own parent": (changed("wet | rain", "wet | wet"), 12, "occurs twice"),
    "twice given": (changed("( wet | rain )", "( rain )"), 12, "'rain' has probabilities already"),
    "empty head": (changed("( wet | rain )", "( )"), 12, "not declared"),
    "no head": (changed("( wet | rain )", "wet"), 12, "'probability ( variable | parents )' is expected"),
    "declared twice": (changed("variable wet", "variable rain"), 6, "'rain' is declared already"),
    "no probabilities": (GOOD[: GOOD.index("probability ( wet")], 6, "'wet' is declared but has no probability block"),
    "wrong count": (changed("[ 3 ]", "[ 4 ]"), 7, "4 states of 'wet' are announced, but there are 3"),
    "one name for two states": (changed("damp", "dry"), 7, "two states of one name"),
    "continuous": (changed("discrete [ 3 ]", "continuous [ 3 ]"), 7, "'type discrete [ n ] { ... };' is expected"),
    "no states": (changed("  type discrete [ 3 ] { dry, damp, soaked };\n", ""), 6, "not declared ('type discrete')"),
    "no name": (changed("variable wet", "variable"), 6, "one name is expected after 'variable'"),
    "unknown block": (changed("variable rain", "varaible rain"), 3, "not 'varaible rain{'"),
    "stray text": ("hello;\n" + GOOD, 1, "a block 'network', 'variable' or 'probability' is expected, not 'hello;'"),
    "cut in a row": (GOOD[:-14], 14, "the file ends in the middle of a statement"),
    "cut in a block": (GOOD[:-2], 12, "not closed"),
    "half a quotation": (changed("variable wet", 'variable "wet'), 6, "quotation mark has no partner"),
    "a brace too many": (GOOD + "}\n", 16, "is expected, not '}'"),
}


@pytest.mark.parametrize("kind", BAD)
def test_errors_name_the_line(tmp_path, kind):
    text, line, sentence = BAD[kind]
    path = tmp_path / "some network.bif"
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        read_bif(path)
    told = str(caught.value)
    assert told.startswith(f"{str(path)!r}, line {line}: ") and sentence in told and "\n" not in told
    # Lines are counted in the file as it is, comments included.
    commented = "/* one\ntwo { */ // three\n" + text
    with pytest.raises(FileFormatError) as caught:
        parse_bif(commented, origin="it")
    assert str(caught.value).startswith(f"it, line {line + 2}: ")


def test_a_cycle_is_told():
    text = changed("( rain ) {\n  table 0.8, 0.2;", "( rain | wet ) {\n  default 0.8, 0.2;")
    with pytest.raises(FileFormatError, match="the text: the edges form a directed cycle"):
        parse_bif(text)


@pytest.mark.parametrize("text", ["", "\n\n", "network unknown {\n}\n", "// nothing"])
def test_files_without_a_network(text):
    with pytest.raises(FileFormatError, match="declares no variable"):
        parse_bif(text)


def test_files_that_cannot_be_read(tmp_path):
    for name, content, sentence in [
        ("cut.bif.gz", gzip.compress(GOOD.encode())[:-12], "compressed with gzip but damaged"),
        ("rotten.bif.gz", b"\x1f\x8b" + bytes(40), "compressed with gzip but damaged"),
        ("latin.bif", GOOD.replace("wet", "v\xe5t").encode("latin-1"), "not UTF-8 text (line 6)"),
        ("a,b.csv", b"a,b\n1,2\n", "middle of a statement"),
    ]:
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=re.escape(sentence)):
            load_network(path)
    with pytest.raises(FileFormatError, match="there is no such file"):
        load_network(tmp_path / "nowhere.bif")
    with pytest.raises(FileFormatError, match="is a folder"):
        load_network(tmp_path)
    with pytest.raises(FileFormatError, match="no file can have this name"):
        read_bif("nul\0.bif")


def test_bad_files_do_not_take_long():
    """Whatever is in the file, the time is about proportional to its length."""
    row = changed("(yes)", "(" + "yes " * 50_000)
    quoted = changed("(yes)", "(" + '"yes" ' * 50_000)
    for text in ("variable " * 100_000, '"' * 200_001, "{" * 200_000, "/*" * 100_000, "(" * 200_000 + ";", row, quoted):
        with pytest.raises(FileFormatError):
            parse_bif(text)
