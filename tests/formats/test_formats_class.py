"""The DAGs of an equivalence class: their number, all of them, and draws that are uniform."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from hccd.errors import InvalidGraphError, InvalidParameterError, NotExtendableError
from hccd.graphs import PDAG, check_validity, dag_to_cpdag, markov_equivalent
from hccd.graphs.formats import NamedGraph
from hccd.graphs.members import class_size, members, sample_members

Arcs = frozenset[tuple[int, int]]


def arcs_of(graph: PDAG) -> Arcs:
    return frozenset(map(tuple, graph.directed_edges().tolist()))


def all_dags(n: int) -> set[Arcs]:
    """Every DAG on n variables: subsets of each order's forward pairs."""
    found: set[Arcs] = set()
    for order in permutations(range(n)):
        forward = list(combinations(order, 2))
        found.update(
            frozenset(pair for k, pair in enumerate(forward) if chosen >> k & 1) for chosen in range(1 << len(forward))
        )
    return found


def class_key(arcs: Arcs) -> tuple[frozenset[frozenset[int]], frozenset[tuple[int, int, int]]]:
    """Skeleton and v-structures (Verma and Pearl)."""
    near = frozenset(map(frozenset, arcs))
    colliders = ((x, z, y) for x, z in arcs for y, w in arcs if w == z and x < y and frozenset((x, y)) not in near)
    return near, frozenset(colliders)


def extensions_by_definition(graph: PDAG) -> set[Arcs]:
    """Try both directions of every undirected edge."""
    arrows = arcs_of(graph)
    lines = [tuple(edge) for edge in graph.undirected_edges().tolist()]
    near = frozenset(map(frozenset, [*arrows, *lines]))

    def colliders(arcs: Arcs) -> set[tuple[int, int, int]]:
        return {(x, z, y) for x, z in arcs for y, w in arcs if w == z and x < y and frozenset((x, y)) not in near}

    found = set()
    for turned in product((False, True), repeat=len(lines)):
        arcs = arrows | {(j, i) if turn else (i, j) for (i, j), turn in zip(lines, turned, strict=True)}
        if PDAG.from_edges(graph.n, arcs).is_dag() and colliders(arcs) == colliders(arrows):
            found.add(frozenset(arcs))
    return found


def random_chordal(rng: np.random.Generator, n: int, most: int) -> PDAG:
    """A connected chordal graph: each new vertex joins a part of a clique."""
    cliques, edges = [[0]], []
    for v in range(1, n):
        clique = cliques[rng.integers(len(cliques))]
        chosen = rng.choice(clique, rng.integers(1, min(most, len(clique)) + 1), replace=False).tolist()
        edges += [(u, v) for u in chosen]
        cliques.append([*chosen, v])
    return PDAG.from_edges(n, undirected=edges).relabelled(rng.permutation(n))


@pytest.mark.parametrize(("n", "classes"), [(1, 1), (2, 2), (3, 11), (4, 185)])
def test_all_classes_of_few_variables(n: int, classes: int) -> None:
    """The numbers of classes are those of Gillispie and Perlman (2001)."""
    by_key: dict[object, set[Arcs]] = defaultdict(set)
    for dag in all_dags(n):
        by_key[class_key(dag)].add(dag)
    assert len(by_key) == classes
    for own in by_key.values():
        cpdag = dag_to_cpdag(PDAG.from_edges(n, min(own, key=sorted)))
        assert class_size(cpdag) == len(own)
        found = [arcs_of(dag) for dag in members(cpdag)]
        assert len(found) == len(own) and set(found) == own
        assert {arcs_of(dag) for dag in sample_members(cpdag, 5, seed=n)} <= own


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(1, 5))
def test_chordal_graphs_are_counted_as_they_are_listed(seed: int, n: int, most: int) -> None:
    graph = random_chordal(np.random.default_rng(seed), n, most)
    found = [arcs_of(dag) for dag in members(graph)]
    assert class_size(graph) == len(found) == len(set(found))
    if len(graph.undirected_edges()) <= 10:
        assert set(found) == extensions_by_definition(graph)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.floats(0.2, 0.9))
def test_any_graph_that_has_extensions(seed: int, n: int, density: float) -> None:
    """Arrows may have come from anywhere: from knowledge of the user's, or not all from Meek's rules."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < density, k=1).astype(np.int8)
    graph = dag_to_cpdag(PDAG(upper).relabelled(rng.permutation(n)))
    kept = rng.random((n, n)) < 0.3
    # Turn some of the free edges into arrows of one member.
    member = sample_members(graph, 1, seed % 1000)[0].marks
    known = PDAG(np.where(kept | kept.T, np.minimum(graph.marks, member), graph.marks))
    expected = extensions_by_definition(known)
    assert expected
    assert {arcs_of(dag) for dag in members(known)} == expected
    try:
        assert class_size(known) == len(expected)
    except InvalidGraphError as error:
        assert "inside an undirected part" in str(error)
        assert not check_validity(known).meek_closed or dag_to_cpdag(next(members(known))) != known


def test_known_numbers() -> None:
    path = PDAG.from_edges(30, undirected=[(i, i + 1) for i in range(29)])
    star = PDAG.from_edges(30, undirected=[(0, i) for i in range(1, 30)])
    complete = PDAG.from_edges(25, undirected=list(combinations(range(25), 2)))
    assert (class_size(path), class_size(star), class_size(complete)) == (30, 30, factorial(25))
    # One edge less than complete: 2 (n-1)! - (n-2)! (He, Jia and Yu 2015, theorem 3).
    assert class_size(PDAG.from_edges(12, undirected=list(combinations(range(12), 2))[:-1])) == (
        2 * factorial(11) - factorial(10)
    )
    # As many edges as vertices: 2n (the same theorem).
    ring = [(0, 1), (1, 2), (0, 2), *((i, i + 1) for i in range(2, 19))]
    assert class_size(PDAG.from_edges(20, undirected=ring)) == 40
    twice = [*ring, *((i + 20, j + 20) for i, j in ring)]
    assert class_size(PDAG.from_edges(41, undirected=twice)) == 40 * 40
    assert class_size(PDAG.empty(3)) == 1 and next(members(PDAG.empty(3))) == PDAG.empty(3)


def uniformity(drawn: list[Arcs], everything: list[Arcs]) -> float:
    """The p-value of the chi-square test that all are equally likely."""
    counts = Counter(drawn)
    assert set(counts) <= set(everything)
    expected = len(drawn) / len(everything)
    statistic = sum((counts[dag] - expected) ** 2 / expected for dag in everything)
    return float(chi2.sf(statistic, len(everything) - 1))


@pytest.mark.parametrize("seed", range(3))
def test_draws_are_uniform(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = (random_chordal(rng, n, 3).undirected_edges() for n in (6, 3))
    graph = PDAG.from_edges(10, [(9, i) for i in range(9)], np.concatenate([first, second + 6]))
    everything = [arcs_of(dag) for dag in members(graph)]
    drawn = [arcs_of(dag) for dag in sample_members(graph, 25 * len(everything), seed=seed)]
    assert uniformity(drawn, everything) > 1e-4
    # Orders at random, without those that make a collider, are not uniform, and this test would notice.
    if len({len(graph.undirected_neighbors(x)) for x in range(6)}) > 1:
        wrong: list[Arcs] = []
        members_of_it = set(everything)
        while len(wrong) < 2000:
            rank = rng.permutation(9)
            arcs = {(i, j) if rank[i] < rank[j] else (j, i) for i, j in graph.undirected_edges().tolist()}
            candidate = frozenset(arcs | arcs_of(graph))
            wrong += [candidate] if candidate in members_of_it else []
        assert uniformity(wrong, everything) < 1e-4


def test_large_classes_are_counted_and_drawn_from() -> None:
    graph = random_chordal(np.random.default_rng(3), 150, 4)
    size = class_size(graph)
    assert size > 2**64
    first, *others = sample_members(graph, 5, seed=2)
    assert len({first, *others}) == 5
    assert all(dag.is_dag() and markov_equivalent(dag, first) for dag in others)
    assert dag_to_cpdag(first) == graph
    assert sample_members(graph, 5, seed=2) == [first, *others] != sample_members(graph, 5, seed=3)
    with pytest.raises(InvalidParameterError, match=f"has {size:,} members, more than the limit of 1,000"):
        members(graph, 1000)
    assert len({next(iter(members(graph))) for _ in range(2)}) == 1


def test_draws_do_not_depend_on_the_order_of_the_columns() -> None:
    rng = np.random.default_rng(8)
    graph = random_chordal(rng, 12, 3)
    names = tuple(f"v{i}" for i in range(12))
    order = rng.permutation(12)
    shuffled = NamedGraph(tuple(names[i] for i in np.argsort(order)), graph.relabelled(order))
    for one, other in zip(
        NamedGraph(names, graph).sample_dags(10, seed=4), shuffled.sample_dags(10, seed=4), strict=True
    ):
        assert set(one.edges()) == set(other.edges())
        assert one.names == names and other.names == shuffled.names


def test_one_dag() -> None:
    graph = NamedGraph(("a", "b", "c"), PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    assert graph.dag().edges() == [("a", "b", "directed"), ("b", "c", "directed")]
    drawn = {graph.dag(seed) for seed in range(30)}
    assert drawn == set(graph.dags()) and len(drawn) == graph.class_size() == 3
    assert graph.dag(7) == graph.dag(7) == graph.sample_dags(1, 7)[0]
    assert [dag.edges()[0][:2] for dag in graph.dags()] == [("a", "b"), ("b", "a"), ("b", "a")]


def test_refusals() -> None:
    square = PDAG.from_edges(4, undirected=[(0, 1), (1, 2), (2, 3), (0, 3)])
    for work in (class_size, members, lambda graph: sample_members(graph, 1)):
        with pytest.raises(NotExtendableError):
            work(square)
    # A triangle in which one arrow is known: not what data can tell.
    known = PDAG.from_edges(3, [(0, 1)], [(0, 2), (1, 2)])
    for work in (class_size, lambda graph: sample_members(graph, 1)):
        with pytest.raises(InvalidGraphError, match="1 of the graph's arrows lie inside an undirected part"):
            work(known)
    assert len(list(members(known))) == len(list(members(known, 3))) == 3
    with pytest.raises(InvalidParameterError, match="more DAGs than the limit of 2"):
        list(members(known, 2))
    line = PDAG.from_edges(2, undirected=[(0, 1)])
    for call in (lambda: members(line, 0), lambda: sample_members(line, -1), lambda: sample_members(line, 1, -1),
                 lambda: sample_members(line, 1.5)):  # fmt: skip
        with pytest.raises(InvalidParameterError, match="give a whole number from"):
            call()
    assert sample_members(line, 0) == []
