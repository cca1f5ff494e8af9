"""Knowledge from files and the command line: the same value whatever the form, and one sentence for what is damaged."""

from __future__ import annotations

import json

import numpy as np
import pytest

import hccd
from hccd.cli.main import main
from hccd.errors import FileFormatError, InvalidParameterError

KNOWN = hccd.Knowledge(
    tiers=[["age", "sex"], ["bmi"]], forbidden=[("sex", "bmi")], required=[("age", "bmi")], roots=["sex"]
)
FORMS = {
    "known.toml": """
tiers = [["age", "sex"], ["bmi"]]
forbidden = [["sex", "bmi"]]
required = [["age", "bmi"]]
roots = ["sex"]
""",
    "known.json": json.dumps(KNOWN.describe()),
    "known.csv": """
# what we know
tier, 1, age, sex
tier, 2, bmi
forbidden, sex, bmi
required, age, bmi,
root, sex
""",
}
TETRAD = """/knowledge
addtemporal

1 age sex
2* bmi pressure

forbiddirect

sex bmi

requiredirect
age bmi
"""


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_forms_say_the_same(name, tmp_path):
    file = tmp_path / name
    file.write_text(FORMS[name])
    assert hccd.read_knowledge(file) == KNOWN


def test_tetrads_file(tmp_path):
    file = tmp_path / "knowledge.txt"
    file.write_text(TETRAD)
    assert hccd.read_knowledge(file) == hccd.Knowledge(
        tiers=[["age", "sex"], ["bmi", "pressure"]],
        closed_tiers=[2],
        forbidden=[("sex", "bmi")],
        required=[("age", "bmi")],
    )


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.toml", "tiers = [", "not TOML"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[]", "not a table of tiers"),
        ("a.json", '{"tier": []}', "a part 'tier'"),
        ("a.json", '{"tiers": 3}', "give a list"),
        ("a.csv", "forbidden,a", "line 1 is 'forbidden,a'"),
        ("a.csv", "root,a\nnever,a,b", "line 2"),
        ("a.txt", "forbidden,a,b", "ends in .toml, .json or .csv"),
        ("a.txt", "/knowledge\nforbiddengroup\na b", "line 2 is 'forbiddengroup'"),
    ],
)
def test_damaged_files(name, text, sentence, tmp_path):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(FileFormatError) as refused:
        hccd.read_knowledge(file)
    assert sentence in str(refused.value) and name in str(refused.value) and "\n" not in str(refused.value)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    age = rng.normal(size=300)
    bmi = age + rng.normal(size=300)
    pressure = bmi + rng.normal(size=300)
    values = np.column_stack([pressure, bmi, age])
    rows = "\n".join(",".join(f"{value:.6f}" for value in row) for row in values)
    (tmp_path / "table.csv").write_text(f"pressure,bmi,age\n{rows}\n")
    return tmp_path


@pytest.fixture
def run(capsys):
    def command(*words):
        capsys.readouterr()
        code = main(list(words))
        done = capsys.readouterr()
        return code, done.out + done.err

    return command


def test_tiers_on_the_command_line(table, run):
    assert run("learn", "table.csv", "--quiet")[0] == 0
    assert {kind for *_, kind in hccd.HCCDResult.load("hccd-out/graph.json").edges()} == {"undirected"}
    code, said = run("learn", "table.csv", "--tier", "age", "--tier", "pressure,bmi")
    assert code == 0, said
    assert "knowledge" in said and "arrow" in said
    result = hccd.HCCDResult.load("hccd-out/graph.json")
    assert sorted(result.edges()) == [("age", "bmi", "directed"), ("bmi", "pressure", "directed")]
    assert result.parameters["knowledge"] == {"tiers": [["age"], ["pressure", "bmi"]]}
    assert "your knowledge" in result.explain("age", "bmi")
    page = (table / "hccd-out/report.html").read_text()
    assert "--tier age --tier pressure,bmi" in page


def test_one_tier_says_nothing(table, run):
    """Whoever names the first columns only takes for granted that the others come later; nothing says so."""
    code, said = run("learn", "table.csv", "--tier", "age,pressure")
    assert code == 2 and "there is only one tier" in said
    with pytest.raises(InvalidParameterError, match="second one"):
        hccd.discover(np.random.default_rng(0).normal(size=(50, 3)), tiers=[[0]])


def test_a_file_and_hccd_toml(table, run):
    (table / "known.toml").write_text('required = [["age", "pressure"]]\nroots = ["age"]\n')
    code, said = run("learn", "table.csv", "--knowledge", "known.toml")
    assert code == 0, said
    result = hccd.HCCDResult.load("hccd-out/graph.json")
    assert ("age", "pressure", "directed") in result.edges()
    assert "adjacent: your knowledge requires the edge" in result.explain("age", "pressure")
    (table / "hccd.toml").write_text('[learn]\ntier = ["pressure", "bmi:age"]\n')
    assert run("learn", "table.csv", "--quiet")[0] == 0
    again = hccd.HCCDResult.load("hccd-out/graph.json")
    assert again.parameters["knowledge"] == {"tiers": [["pressure"], ["bmi", "age"]]}


def test_a_contradiction_is_one_sentence(table, run):
    (table / "known.csv").write_text("required,age,bmi\nrequired,bmi,age\n")
    code, said = run("learn", "table.csv", "--knowledge", "known.csv")
    assert code == 2
    assert "the cycle 'bmi' -> 'age' -> 'bmi'" in said
    assert run("learn", "table.csv", "--knowledge", "nowhere.csv")[0] == 2
