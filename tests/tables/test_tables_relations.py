"""Relations between columns: written as a person would, the same for any order, and what is done with them."""

from __future__ import annotations

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning
from hccd.graphs import dag_to_cpdag, pdag_to_dag
from hccd.tables.relations import linear_relation

quiet = pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")

RNG = np.random.default_rng(0)
A, B, C, D, E, F = RNG.normal(size=(6, 300))

EQUATIONS = [
    ({"A": A, "B": B, "TOTAL": A + B}, "TOTAL = A + B"),
    ({"celsius": A, "fahrenheit": 1.8 * A + 32}, "fahrenheit = 1.8 celsius + 32"),
    ({"a": A, "b": B, "c": C, "z": 0.5 * (A + B + C)}, "z = 0.5 (a + b + c)"),
    ({"a": A, "b": B, "c": C, "mean": (A + B + C) / 3}, "mean = 1/3 (a + b + c)"),
    ({"a": A, "b": B, "gain": A - B}, "a = b + gain"),
    ({"km": A, "two words": 1000 * A}, "'two words' = 1000 km"),
    ({"a": A, "b": B, "rest": 100 - A - B}, "rest = 100 - a - b"),
    ({"a": A, "b": B, "z": 0.1234567 * A + 7.654321 * B}, "z = 0.123457 a + 7.65432 b"),
    (
        {"a": A, "b": B, "c": C, "d": D, "e": E, "f": F, "t": A + B + C + D + E + F},
        "t = a + b + c + d + e + ... (1 more)",
    ),
    ({"a": np.round(A, 2), "b": np.round(B, 2), "t": np.round(np.round(A, 2) + np.round(B, 2), 2)}, "t = a + b"),
    ({"a": 1e250 * A, "b": 2e250 * A}, "b = 2 a"),
]


@pytest.mark.parametrize(("columns", "equation"), EQUATIONS)
def test_relations_are_written_plainly_and_hold(columns, equation):
    found = linear_relation(np.array(list(columns.values())), list(columns))
    assert found.equation == equation
    assert equation.split(" = ")[0].strip("'") == list(columns)[found.dependent]


@pytest.mark.parametrize(("columns", "equation"), [case for case in EQUATIONS if len(case[0]) > 2])
def test_the_order_of_the_columns_changes_no_sentence(columns, equation):
    noise = {"other": np.random.default_rng(1).normal(size=300)}
    sentences = set()
    for order in (list(columns), list(columns)[::-1]):
        with pytest.warns(DataWarning) as warned:
            hccd.discover({**noise, **{name: columns[name] for name in order}}, scoring="none")
        sentences |= {str(each.message) for each in warned}
    assert len(sentences) == 1
    assert sentences.pop().startswith(f"{equation} in every row: ")


def chain(rows=600, seed=3):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, rows))
    c = a + b + rng.normal(size=rows)
    return {"a": a, "b": b, "c": c, "d": c + rng.normal(size=rows)}


@quiet
@pytest.mark.parametrize("scoring", ["auto", "none"])
@pytest.mark.parametrize(
    "copy", [lambda x: x, lambda x: -x, lambda x: 1.8 * x + 32, lambda x: x + 1e-10 * np.sin(99 * x)]
)
def test_a_copy_hangs_on_its_original_and_changes_nothing_else(scoring, copy):
    data = chain()
    plain = hccd.discover(data, scoring=scoring)
    for name in "abcd":
        with_copy = hccd.discover({**data, "copy": copy(data[name])}, scoring=scoring)
        assert with_copy.parameters["copies"] == {"copy": name}
        edges = with_copy.edges()
        assert [edge for edge in edges if "copy" not in edge] == plain.edges()
        assert [set(edge[:2]) for edge in edges if "copy" in edge] == [{name, "copy"}]
        # Still the class of a DAG, and nothing that nobody knows.
        assert dag_to_cpdag(pdag_to_dag(with_copy.graph)) == with_copy.graph
        assert "knowledge" not in with_copy.parameters
        assert set(with_copy.reasons.values()) <= {"collider", "score", "forced", "R1", "R2", "R3"}


@quiet
@pytest.mark.parametrize("kind", ["text", "mixed"])
def test_copies_of_discrete_columns(kind):
    data = {name: np.digitize(values, [-0.5, 0.5]) for name, values in chain(2000).items()}
    if kind == "mixed":
        data["a"] = chain(2000)["a"]
    copy = np.array(["low", "middle", "high"])[data["c"]]
    result = hccd.discover({**data, "level": copy})
    assert result.parameters["copies"] == {"level": "c"}
    assert [edge for edge in result.edges() if "level" not in edge] == hccd.discover(data).edges()


@quiet
def test_explanations_and_files_know_copies(tmp_path):
    data = chain()
    result = hccd.discover({**data, "copy": data["c"]})
    assert "'copy' is a copy of 'c'" in result.explain("c", "copy")
    assert "Ask about 'c' and 'a' instead" in result.explain("copy", "a")
    result.save(tmp_path / "graph.json")
    again = hccd.HCCDResult.load(tmp_path / "graph.json")
    assert again.explain("copy", "a") == result.explain("copy", "a")
    assert "copy" in hccd.learn_skeleton({**data, "copy": data["c"]}).parameters["copies"]


@quiet
def test_what_the_caller_knows_of_a_copy_comes_first():
    data = chain()
    result = hccd.discover({**data, "copy": data["c"]}, knowledge=hccd.Knowledge(required=[("copy", "d")]))
    assert "copies" not in result.parameters
    assert ("copy", "d", "directed") in result.edges()
    assert "copies" not in hccd.discover({**data, "copy": data["c"]}, preset="paper").parameters


@quiet
def test_tiers_tell_copies_apart_only_if_they_are_in_different_ones():
    data = chain()
    table = {**data, "copy": data["c"]}
    together = hccd.discover(table, tiers=[["a", "b"], ["c", "copy", "d"]])
    assert together.parameters["copies"] == {"copy": "c"}
    assert [edge for edge in together.edges() if "copy" not in edge] == hccd.discover(
        data, tiers=[["a", "b"], ["c", "d"]]
    ).edges()
    assert "copies" not in hccd.discover(table, tiers=[["a", "b", "c"], ["copy", "d"]]).parameters
    closed = hccd.Knowledge(tiers=[["a", "b"], ["c", "copy"]], closed_tiers=[2])
    assert "copies" not in hccd.discover(table, knowledge=closed).parameters


@quiet
@pytest.mark.parametrize("test", ["fisher-z", "dg"])
def test_a_sum_has_its_parts_for_parents_however_it_is_scaled_or_rounded(test):
    data = chain(1000)
    for total in (data["a"] + data["b"], 1e6 * (data["a"] + data["b"]), np.round(data["a"] + data["b"], 9)):
        edges = hccd.discover({**data, "total": total}, test).edges()
        assert {("a", "total", "directed"), ("b", "total", "directed")} <= set(edges)
        assert len(edges) <= 5


def test_determined_columns_are_named_by_discover_and_check():
    rng = np.random.default_rng(0)
    code = rng.integers(0, 9, 900)
    data = {
        "date_code": code.astype(str),
        "month": (code // 3).astype(str),
        "other": rng.integers(0, 2, 900).astype(str),
    }
    with pytest.warns(DataWarning, match="^month is determined by date_code"):
        hccd.discover(data)
    with pytest.warns(DataWarning, match="^month is determined by date_code"):
        hccd.discover({**data, "size": rng.normal(size=900)})
    assert [finding.columns for finding in hccd.check_data(data).findings if finding.kind == "determined"] == [
        ("date_code", "month")
    ]


def test_columns_that_hardly_vary_are_named():
    rng = np.random.default_rng(0)
    data = chain(200) | {"flag": np.where(np.arange(200) < 3, "yes", "no"), "rare": np.where(np.arange(200) < 5, 1, 0)}
    data["level"] = np.where(np.arange(200) == 7, rng.normal(), 5.0)
    [found] = [finding for finding in hccd.check_data(data).findings if finding.kind == "near-constant"]
    assert found.columns == ("flag", "level")
    assert found.sentence.startswith(
        "'flag' is 'no' in all but 3 of 200 rows and 'level' is '5.0' in all but 1 of 200 rows: "
    )


@quiet
@pytest.mark.parametrize("test", ["g", "dg", "fisher-z"])
def test_few_rows_that_are_the_same_by_chance_are_no_copies(test):
    """Of 60 columns of ten fair coins some two are the same; of 60 with 100 rows none are, unless one is a copy."""
    rng = np.random.default_rng(1)
    coins = rng.integers(0, 2, (10, 60))
    assert len(np.unique(coins * (1 - 2 * coins[0]) + coins[0], axis=1).T) < 60
    assert "copies" not in hccd.discover(coins, test=test).parameters
    coins = rng.integers(0, 2, (100, 60))
    coins[:, 7] = 1 - coins[:, 3]
    assert hccd.discover(coins, test=test).parameters["copies"] == {"X8": "X4"}
