"""The cells of the accuracy benchmark: the same tables every time, of the kind they say; and what is printed."""

from itertools import combinations

import numpy as np
import pytest

from benchmarks import accuracy, accuracy_cells, accuracy_peers
from benchmarks.accuracy_cells import CELLS, Cell, chosen, scale_free, truth_of
from hccd.graphs import PDAG
from hccd.graphs.dseparation import d_separated

MODELS = ["linear", *accuracy_cells.WRONG]


@pytest.mark.parametrize(
    "cell",
    [
        *(Cell(12, 3, 200, model=model) for model in MODELS),
        Cell(12, 4, 200, "scale-free", accuracy_cells.WEAK),
        Cell(12, 3, 200, "paper's generator", accuracy_cells.PAPER),
        Cell(12, 0, 10),
    ],
    ids=lambda cell: cell.name,
)
def test_a_cell_and_a_seed_give_the_same_table_every_time(cell):
    data, dag = cell.make(7)
    again, same_dag = cell.make(7)
    other, _ = cell.make(8)
    np.testing.assert_array_equal(data, again)
    np.testing.assert_array_equal(dag, same_dag)
    n = 11 if cell.model == accuracy_cells.HIDDEN else 12
    assert data.shape == (cell.rows, n) and np.isfinite(data).all()
    assert not np.array_equal(data, other)
    assert dag.any() == bool(cell.degree)
    assert truth_of(dag).n == n


def test_linear_data_follow_the_dag():
    data, dag = Cell(8, 3, 50_000).make(3)
    for y in range(8):
        parents = np.flatnonzero(dag[:, y])
        rest = data[:, y] - data[:, parents] @ np.linalg.lstsq(data[:, parents], data[:, y], rcond=None)[0]
        assert 0.68 < rest.std() < 1.42


def test_pairs_are_inseparable_if_no_set_of_observed_variables_separates_them():
    """By trying all sets."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        dag = np.triu(rng.random((6, 6)) < 0.45, 1)
        observed = np.sort(rng.permutation(6)[:4])
        found = accuracy_cells.inseparable(dag, observed)
        for i, j in combinations(range(4), 2):
            others = [int(z) for z in observed if z not in (observed[i], observed[j])]
            sets = [given for size in range(3) for given in combinations(others, size)]
            separated = any(d_separated(truth_of(dag), int(observed[i]), int(observed[j]), given) for given in sets)
            assert found[i, j] == found[j, i] == (not separated)


def test_a_scale_free_graph_has_its_edges_and_a_hub():
    dag = scale_free(100, 2, np.random.default_rng(1))
    assert not np.tril(dag).any()
    assert dag.sum() == 1 + 2 * 98
    assert (dag | dag.T).sum(axis=0).max() > 12


def test_names_are_unique_and_cells_can_be_chosen():
    names = [cell.name for cells in CELLS.values() for cell in cells]
    assert len(set(names)) == len(names)
    assert [cell.model for cell in chosen("QUADRATIC", 50)["Wrong assumptions"]] == ["quadratic"]
    assert set(chosen("", 20)) == {"Linear Gaussian data", "Noise alone"}


def test_the_table_is_printed(monkeypatch, capsys):
    tiny = [Cell(6, 2, 100), Cell(5, 0, 50, seeds=1)]
    monkeypatch.setattr(accuracy_cells, "CELLS", {"Tiny": tiny})
    accuracy.main(["--seeds", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["| Tiny | tests alone | default |", "|---|---|---|"]
    assert lines[2].startswith("| n 6, degree 2, 100 rows | ") and lines[2].count("±") == 2
    assert lines[3].startswith("| n 5, no edges, 50 rows | ") and "±" not in lines[3]


def test_what_a_cell_of_the_table_says():
    assert accuracy.said([(0.0, 0.25), (2.0, 0.75)], 60) == "1.0 ± 1.0 (0.50 s, 1 of 2 exact)"
    assert accuracy.said([(3.0, 0.0012)], 60) == "3.0 (0.001 s)"
    assert accuracy.said(None, 60) == "not in 60 s"


def test_a_peer_that_is_late_is_not_asked_again():
    asked = []

    class Server:
        def learn(self, name, data, kind, cap):
            asked.append(name)
            late = {"late": cap}
            return late if name == "late" else {"directed": [], "undirected": [[0, 1]], "seconds": 1.0}

    learners = {name: accuracy.theirs(Server(), name, 5.0) for name in ("late", "early")}
    found = accuracy.measure(Cell(4, 0, 20), learners, range(3))
    assert found == {"late": None, "early": [(1, 1.0)] * 3}
    assert asked.count("late") == 1


def test_graphs_of_xges_are_read():
    class Found:
        def to_adjacency_matrix(self):
            return np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]])

    read = accuracy_peers.read_xges(Found())
    assert read == {"directed": [[1, 2]], "undirected": [[0, 1]]}
    assert PDAG.from_edges(3, read["directed"], read["undirected"]).n == 3
