"""FCI and RFCI with a perfect test: the exact PAG, with hidden and selection variables, for any tree of clusters."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np
import pytest
from mags_by_definition import mag_of_dag, random_case

import hccd
from hccd.ancestral import dag_to_mag, dag_to_pag
from hccd.errors import InvalidParameterError
from hccd.graphs.pag import ARROW, NONE, TAIL
from hccd.wrapper import ALL_STAGES
from method_cases import random_tree

N_CASES = 200


@cache
def cases():
    """DAGs of 4 to 9 observed variables with hidden and selection variables, a tree for each, and the true PAG."""
    drawn = []
    for seed in range(N_CASES):
        rng = np.random.default_rng([2026, seed])
        observed = 4 + seed % 6
        needs_dsep = observed >= 6 and seed % 4 == 0
        selection = int(rng.integers(0, 3)) if seed % 2 else 0
        case = random_case(rng, observed, int(rng.integers(0, 4)), selection, rng.uniform(0.5, 2), needs_dsep)
        drawn.append((seed, case, random_tree(rng, observed), dag_to_pag(*case)))
    return drawn


def learned(case, **options):
    return hccd.discover(hccd.Oracle(*case).bind(), **options)


def removed_by(result, stage):
    return int((result.removals.stage == ALL_STAGES.index(stage)).sum())


@pytest.mark.parametrize("refine", ["each", "root", "never"])
def test_fci_finds_the_pag_for_any_tree(refine):
    further = 0
    for seed, case, tree, pag in cases():
        result = learned(case, baseline="fci", tree=tree, refine=refine)
        assert result.graph == pag, f"case {seed}"
        assert not result.conflicts, f"case {seed}"
        further += removed_by(result, "possible-d-sep")
    assert further >= 5


def test_fci_finds_the_pag_alone():
    for seed, case, _, pag in cases():
        result = learned(case, baseline="fci", method="pc")
        assert result.graph == pag, f"case {seed}"


@pytest.mark.parametrize("colliders", ["separating-set", "conservative", "majority", "max-p"])
def test_every_rule_for_colliders_is_exact(colliders):
    for seed, case, tree, pag in cases()[::4]:
        result = learned(case, baseline="fci", tree=tree, colliders=colliders, dsep_order="none")
        assert result.graph == pag, f"case {seed}"


def test_the_skeleton_alone_is_not_enough():
    """Without possible-d-sep sets some edges are too many: the cases would tell."""
    wrong = [seed for seed, case, tree, pag in cases() if learned(case, baseline="fci", dsep_order=0).graph != pag]
    assert len(wrong) >= 5


def test_every_separating_set_separates():
    for seed, (dag, latent, selection), tree, _ in cases()[::3]:
        graph = nx.DiGraph(dag.directed_edges().tolist())
        graph.add_nodes_from(range(dag.n))
        seen = [v for v in range(dag.n) if v not in latent and v not in selection]
        result = learned((dag, latent, selection), baseline="fci", tree=tree)
        assert len(result.separators) + result.skeleton.n_edges == len(seen) * (len(seen) - 1) // 2
        for (x, y), given in result.separators.items():
            asked = {seen[z] for z in given} | set(selection)
            assert nx.is_d_separator(graph, {seen[x]}, {seen[y]}, asked), f"case {seed}"


@pytest.mark.parametrize("wrapped", [True, False])
def test_every_mark_of_rfci_is_right(wrapped):
    """Its skeleton may have more edges than the PAG; where it has the same, so are the marks."""
    more = 0
    for seed, case, tree, pag in cases():
        result = learned(case, baseline="rfci", **({"tree": tree} if wrapped else {"method": "pc"}))
        marks, (dag, latent, selection) = result.graph.marks, case
        assert not np.any((marks == NONE) & (pag.marks != NONE)), f"case {seed}"
        seen = [v for v in range(dag.n) if v not in latent and v not in selection]
        graph = nx.DiGraph(dag.directed_edges().tolist())
        graph.add_nodes_from(range(dag.n))
        for x, y in np.argwhere((marks == ARROW) | (marks == TAIL)).tolist():
            ancestor = any(nx.has_path(graph, seen[y], end) for end in (seen[x], *selection))
            assert ancestor == (marks[x, y] == TAIL), f"case {seed}: mark at {y} of {x}, {y}"
        if result.graph.skeleton() == pag.skeleton():
            assert result.graph == pag, f"case {seed}"
        else:
            more += 1
    assert 0 < more < N_CASES / 4


def test_oracle_answers_for_observed_variables_given_the_selection():
    for seed, case, _, _ in cases()[:40]:
        assert np.array_equal(mag_of_dag(*case) == NONE, dag_to_mag(*case).marks == NONE), f"case {seed}"
    chosen = hccd.PDAG.from_edges(4, directed=[(0, 2), (1, 2), (3, 0), (3, 1)])
    assert not hccd.Oracle(chosen, latent=[3]).bind().test(0, 1).independent
    assert hccd.Oracle(chosen).bind().test(0, 1, (3,)).independent
    assert not hccd.Oracle(chosen, selection=[2]).bind().test(0, 1, (2,)).independent
    with pytest.raises(InvalidParameterError, match="named twice"):
        hccd.Oracle(chosen, latent=[3], selection=[3]).bind()
