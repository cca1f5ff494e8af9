"""The three validity checks against their definitions, on every graph of four variables."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from graphs_by_definition import (
    adjacencies,
    all_dags,
    all_pdags,
    colliders,
    forced_by_meek,
    is_acyclic,
    random_dag,
)

from hccd.graphs import PDAG, Validity, check_validity, dag_to_cpdag


def test_every_graph_of_four_variables() -> None:
    extendable = {}
    for dag in all_dags(4):
        extendable.setdefault(adjacencies(dag), []).append(dag)
    outcomes = set()
    for directed, undirected in all_pdags(4):
        adjacent = adjacencies(directed | undirected)
        kept = colliders(directed, adjacent)
        expected = Validity(
            acyclic=is_acyclic(4, directed),
            extendable=any(directed <= dag and colliders(dag, adjacent) == kept for dag in extendable[adjacent]),
            meek_closed=not forced_by_meek(4, directed, undirected),
        )
        graph = PDAG.from_edges(4, list(directed), list(undirected))
        assert check_validity(graph) == expected, (sorted(directed), sorted(undirected))
        outcomes.add(expected)
    # All but "extendable with a cycle", which cannot be.
    assert len(outcomes) == 6


def test_cpdags_are_valid() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        assert check_validity(dag_to_cpdag(random_dag(rng, 12, 0.3))).valid


@pytest.mark.parametrize("acyclic", [True, False])
@pytest.mark.parametrize("extendable", [True, False])
@pytest.mark.parametrize("meek_closed", [True, False])
def test_valid_means_all_three(acyclic: bool, extendable: bool, meek_closed: bool) -> None:
    assert Validity(acyclic, extendable, meek_closed).valid == (acyclic and extendable and meek_closed)


def test_a_validity_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        check_validity(PDAG.empty(2)).acyclic = False  # type: ignore[misc]
