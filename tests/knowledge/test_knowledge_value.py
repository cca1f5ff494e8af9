"""Knowledge as a value: what it means column by column, and the contradictions that are named before any test."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from knowledge_cases import holds, names_of, random_knowledge

import hccd
from hccd.errors import InvalidParameterError
from method_cases import random_dag

NAMES = ["age", "sex", "bmi", "pressure", "a,b"]


def test_the_matrices_say_what_the_statements_say():
    """An arrow is forbidden if and only if the DAG of that arrow alone contradicts what is not required."""
    for seed in range(60):
        rng = np.random.default_rng([77, seed])
        knowledge = random_knowledge(rng, random_dag(rng, 5, 0.4))
        matrices = knowledge.constraints(names_of(5))
        free = hccd.Knowledge(**{k: v for k, v in knowledge.describe().items() if k not in ("required", "adjacent")})
        for x in range(5):
            for y in range(5):
                if x != y:
                    alone = hccd.PDAG.from_edges(5, [(x, y)])
                    reverse = (f"V{y}", f"V{x}") in knowledge.required
                    assert matrices.forbidden[x, y] == (not holds(free, alone) or reverse)


def test_lists_ranges_and_awkward_names():
    knowledge = hccd.Knowledge(tiers=["age:sex", ["bmi", "a,b"]], forbidden=[("bmi:pressure", "a,b")])
    assert knowledge.resolved(NAMES).tiers == (("age", "sex"), ("bmi", "a,b"))
    assert knowledge.resolved(NAMES).forbidden == (("bmi", "a,b"), ("pressure", "a,b"))
    assert hccd.Knowledge(**knowledge.describe()) == knowledge
    assert not hccd.Knowledge() and knowledge
    by_position = hccd.Knowledge(tiers=[[0, 1], [2]], required=[(np.int64(4), 3)])
    assert by_position.resolved(NAMES).tiers == (("age", "sex"), ("bmi",))
    assert by_position.resolved(NAMES).required == (("a,b", "pressure"),)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"required": [("age", "sex"), ("sex", "bmi"), ("bmi", "age")]}, "cycle 'age' -> 'sex' -> 'bmi' -> 'age'"),
        ({"required": [("age", "sex"), ("sex", "age")]}, "cycle 'age' -> 'sex' -> 'age'"),
        ({"required": [("age", "sex")], "forbidden": [("age", "sex")]}, "'age' -> 'sex' is forbidden"),
        ({"required": [("age", "sex")], "tiers": [["sex"], ["age"]]}, "'sex' is in tier 1 and 'age' in tier 2"),
        ({"required": [("age", "sex")], "tiers": [["sex", "age"]], "closed_tiers": True}, "no edges inside"),
        ({"required": [("age", "sex")], "roots": ["sex"]}, "'sex' is a root"),
        ({"required": [("age", "sex")], "leaves": ["age"]}, "'age' is a leaf"),
        ({"adjacent": [("age", "sex")], "roots": ["age", "sex"]}, "edge between 'age' and 'sex'"),
        ({"adjacent": [("age", "sex")], "roots": ["age"], "required": [("sex", "bmi"), ("bmi", "age")]}, "is a root"),
        (
            {"adjacent": [("age", "sex")], "forbidden": [("sex", "age")], "required": [("sex", "bmi"), ("bmi", "age")]},
            "cycle 'age' -> 'sex' -> 'bmi' -> 'age'",
        ),
        ({"tiers": [["age"], ["age", "bmi"]]}, "'age' in tier 1 and in tier 2"),
        ({"forbidden": [("age", "height")]}, "no column 'height'"),
        ({"forbidden": [("age", "age")]}, "to itself"),
        ({"forbidden": [("age",)]}, "pairs of two columns"),
        ({"forbidden": "age"}, "give a list"),
        ({"tiers": [["age"]], "closed_tiers": [2]}, "count from 1"),
    ],
)
def test_contradictions_are_named_before_any_test(parts, sentence):
    def never(*_):
        raise AssertionError("a test was made")

    table = np.random.default_rng(1).normal(size=(30, 5))
    with pytest.raises(InvalidParameterError) as refused:
        hccd.discover(table, test=never, names=NAMES, knowledge=hccd.Knowledge(**parts))
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


def test_tiers_by_themselves_and_twice():
    rng = np.random.default_rng(3)
    x = rng.normal(size=400)
    table = np.column_stack([x + rng.normal(size=400), x])
    assert hccd.discover(table, names=["y", "x"], tiers=[["x"], ["y"]]).edges() == [("x", "y", "directed")]
    both = {"tiers": [["x"], ["y"]], "knowledge": {"tiers": [["x"], ["y"]]}}
    with pytest.raises(InvalidParameterError, match="given twice"):
        hccd.discover(table, names=["y", "x"], **both)
    with pytest.raises(InvalidParameterError, match="give a Knowledge"):
        hccd.discover(table, knowledge=3)


def test_causallearns_knowledge_is_taken():
    graph = pytest.importorskip("causallearn.graph.GraphNode")
    from causallearn.utils.PCUtils.BackgroundKnowledge import BackgroundKnowledge

    node = {name: graph.GraphNode(name) for name in NAMES[:4]}
    theirs = BackgroundKnowledge()
    theirs.add_node_to_tier(node["age"], 0).add_node_to_tier(node["bmi"], 1)
    theirs.add_forbidden_by_node(node["sex"], node["bmi"]).add_required_by_node(node["bmi"], node["pressure"])
    table = np.random.default_rng(1).normal(size=(50, 4))
    result = hccd.discover(table, names=NAMES[:4], knowledge=theirs)
    assert result.parameters["knowledge"] == {
        "tiers": [["age"], ["bmi"]],
        "forbidden": [["sex", "bmi"]],
        "required": [["bmi", "pressure"]],
    }
    theirs.add_forbidden_by_pattern("a.*", "b.*")
    with pytest.raises(InvalidParameterError, match="pattern"):
        hccd.discover(table, names=NAMES[:4], knowledge=theirs)


def every_dag(n):
    pairs = list(combinations(range(n), 2))
    for kinds in product(range(3), repeat=len(pairs)):
        arrows = [(x, y) if kind == 1 else (y, x) for (x, y), kind in zip(pairs, kinds, strict=True) if kind]
        dag = hccd.PDAG.from_edges(n, arrows)
        if dag.is_dag():
            yield dag


def test_knowledge_is_refused_if_and_only_if_no_dag_agrees_with_it():
    """The random statements contradict each other about as often as not; all 543 DAGs of four variables are tried."""
    dags = list(every_dag(4))
    assert len(dags) == 543
    names, refused = names_of(4), 0
    for seed in range(200):
        rng = np.random.default_rng([78, seed])
        some = lambda most: [tuple(rng.permutation(names)[:2]) for _ in range(rng.integers(0, most))]  # noqa: B023, E731
        cut = rng.integers(0, 5)
        tiers = [part.tolist() for part in np.split(rng.permutation(names), [cut]) if len(part)]
        knowledge = hccd.Knowledge(
            tiers=tiers if rng.random() < 0.4 else [],
            forbidden=some(4),
            required=some(4),
            adjacent=some(3),
            roots=rng.permutation(names)[: rng.integers(0, 2)].tolist(),
            leaves=rng.permutation(names)[: rng.integers(0, 2)].tolist(),
        )
        possible = any(holds(knowledge, dag) for dag in dags)
        try:
            knowledge.constraints(names)
        except InvalidParameterError as error:
            assert not possible, f"case {seed}: {error}"
            refused += 1
        else:
            assert possible, f"case {seed}"
    assert 50 < refused < 180
