"""Runs with knowledge: the same for any order and any names of columns; kept in files; known to a checkpoint."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from knowledge_cases import names_of, random_knowledge
from test_knowledge_score import gaussian, states

import hccd
from hccd.report.figures import knowledge_settled
from hccd.report.repeat import repetition
from method_cases import random_dag


def cases():
    for seed in range(6):
        rng = np.random.default_rng([41, seed])
        n = 10
        dag = random_dag(rng, n, 0.3)
        data = (gaussian if seed % 2 else states)(rng, dag, 300)
        yield rng, data, random_knowledge(rng, random_dag(rng, n, 0.3), share=0.15)


def renamed_by(names, value):
    return [renamed_by(names, one) for one in value] if isinstance(value, list) else names.get(value, value)


def test_order_and_names_of_columns_change_nothing():
    for rng, data, knowledge in cases():
        names = names_of(10)
        plain = hccd.discover(data, names=names, knowledge=knowledge)
        order = rng.permutation(10)
        other = {name: f"{chr(106 - i)}, or so" for i, name in enumerate(names)}
        rename = partial(renamed_by, other)
        renamed = hccd.Knowledge(**{part: rename(value) for part, value in knowledge.describe().items()})
        moved = hccd.discover(data[:, order], names=[other[names[v]] for v in order], knowledge=renamed)
        assert moved.graph.relabelled(order) == plain.graph
        assert moved.tests.by_order == plain.tests.by_order


def test_a_result_is_kept_and_can_be_repeated(tmp_path):
    for _, data, knowledge in cases():
        result = hccd.discover(data, names=names_of(10), knowledge=knowledge)
        result.save(tmp_path / "graph.json")
        loaded = hccd.HCCDResult.load(tmp_path / "graph.json")
        assert loaded.graph == result.graph and dict(loaded.reasons) == dict(result.reasons)
        for x in range(10):
            for y in range(x):
                assert ("you said" in loaded.explain(x, y)) == ("you said" in result.explain(x, y))
        if not knowledge:
            continue
        python = repetition(loaded.parameters).python
        call = python.splitlines()[-1].replace("hccd.discover(table,", "hccd.discover(data, names=names_of(10),")
        space = {"hccd": hccd, "data": data, "names_of": names_of}
        exec(call, space)
        assert space["result"].graph == result.graph


def test_a_checkpoint_of_other_knowledge_is_not_used(tmp_path):
    class Every(hccd.CheckpointFolder):
        def due(self, stage, *, finished=False):
            return True

    rng = np.random.default_rng(42)
    data = gaussian(rng, random_dag(rng, 8, 0.4), 300)
    options = {"names": names_of(8), "scoring": "none"}
    wanted = hccd.Knowledge(required=[("V0", "V1"), ("V6", "V7")])
    hccd.discover(data, checkpoint=Every(tmp_path), **options)
    again = hccd.discover(data, checkpoint=Every(tmp_path), knowledge=wanted, **options)
    assert again.graph == hccd.discover(data, knowledge=wanted, **options).graph
    assert ("V0", "V1", "directed") in again.edges()


@pytest.mark.parametrize("workers", [2])
def test_workers_change_nothing(workers):
    for _, data, knowledge in list(cases())[:2]:
        one = hccd.discover(data, names=names_of(10), knowledge=knowledge)
        assert hccd.discover(data, names=names_of(10), knowledge=knowledge, n_jobs=workers).graph == one.graph


def test_an_algorithm_of_ones_own_is_not_asked_about_settled_pairs():
    class Everything:
        """Removes every pair that it is asked about without looking."""

        exhaustive = False
        max_order = None
        ordering = "column"

        def describe(self):
            return {"name": "everything"}

        def learn(self, variables, start, asked, ci, context):
            from hccd.baselines import LocalResult
            from hccd.graphs.separators import Separations

            pairs = start.edges[asked]
            given = np.array([[next(v for v in variables if v not in pair)] for pair in pairs.tolist()], np.int32)
            separations = Separations.of_one_order(pairs, given.reshape(-1, 1), np.full(len(pairs), np.nan))
            return LocalResult(start, asked, separations, np.zeros((len(pairs), 2), np.int64))

    rng = np.random.default_rng(43)
    data = gaussian(rng, random_dag(rng, 6, 0.6), 300)
    result = hccd.learn_skeleton(
        data, names=names_of(6), method="pc", baseline=Everything(), knowledge=hccd.Knowledge(adjacent=[("V1", "V4")])
    )
    assert result.edges() == [("V1", "V4")]


def test_what_knowledge_settled_is_said_without_empty_words():
    rng = np.random.default_rng(0)
    a = rng.normal(size=300)
    data = {"a": a, "b": a + rng.normal(size=300), "c": rng.normal(size=300)}
    assert knowledge_settled(hccd.discover(data, tiers=[["a"], ["b"]])) == "1 arrow by knowledge"
    forbidden = hccd.Knowledge(forbidden=[("a", "b"), ("b", "a")])
    assert knowledge_settled(hccd.discover(data, knowledge=forbidden)) == (
        "1 pair without an edge and 0 with one were not tested (which saved the conditional tests of 1 dependent "
        "pair); 0 arrows by knowledge"
    )
