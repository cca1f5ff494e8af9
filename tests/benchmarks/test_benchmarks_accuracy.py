"""The accuracy benchmark: the same tables every time, of the kind they say; a ledger that goes on; what is printed."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

import hccd
from benchmarks import accuracy, accuracy_design, accuracy_peers, accuracy_report, accuracy_scores
from benchmarks.accuracy import Learner, learn_all
from benchmarks.accuracy_design import CELLS, FACTORS, chosen
from benchmarks.accuracy_report import Duel, Known
from benchmarks.store import DONE, STOPPED, measurements
from hccd.graphs import PDAG
from hccd.graphs.dseparation import d_separated
from hccd.metrics import bdeu
from hccd.studies import cells, continuous_models
from hccd.studies.cells import Cell, DiscreteCell, NetworkCell, truth_of
from hccd.studies.continuous_models import scale_free

MODELS = ["linear", *cells.WRONG]


@pytest.mark.parametrize(
    "cell",
    [
        *(Cell(12, 3, 200, model=model) for model in MODELS),
        Cell(12, 4, 200, "scale-free", cells.WEAK),
        Cell(12, 3, 200, "paper's generator", cells.PAPER),
        Cell(12, 3, 200, standardised=True),
        Cell(12, 0, 10),
        DiscreteCell(12, 3, 200),
        DiscreteCell(12, 0, 10, 4, "skewed"),
    ],
    ids=lambda cell: cell.name,
)
def test_a_cell_and_a_seed_give_the_same_table_every_time(cell):
    data, dag = cell.make(7)
    again, same_dag = cell.make(7)
    other, _ = cell.make(8)
    np.testing.assert_array_equal(data, again)
    np.testing.assert_array_equal(dag, same_dag)
    assert data.shape == (cell.rows, 12) and np.isfinite(data).all()
    assert not np.array_equal(data, other)
    assert dag.any() == bool(cell.degree)
    assert truth_of(dag).n == 12


def test_linear_data_follow_the_dag():
    data, dag = Cell(8, 3, 50_000).make(3)
    for y in range(8):
        parents = np.flatnonzero(dag[:, y])
        rest = data[:, y] - data[:, parents] @ np.linalg.lstsq(data[:, parents], data[:, y], rcond=None)[0]
        assert 0.68 < rest.std() < 1.42


def test_standardised_columns_are_so_before_their_children_are_made():
    """With one parent of weight w and noise of deviation s the correlation is w / sqrt(w^2 + s^2), however deep."""
    data, dag = Cell(60, 2, 20_000, standardised=True).make(3)
    np.testing.assert_allclose(data.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.std(axis=0), 1)
    only = [(int(np.flatnonzero(dag[:, y])[0]), y) for y in range(60) if dag[:, y].sum() == 1]
    correlations = [abs(np.corrcoef(data[:, x], data[:, y])[0, 1]) for x, y in only]
    assert len(only) > 5
    assert 0.5 / np.hypot(0.5, 1.4) - 0.03 < min(correlations) and max(correlations) < 1.5 / np.hypot(1.5, 0.7) + 0.03


def test_noise_of_discrete_columns_has_its_marginals():
    data, dag = DiscreteCell(40, 0, 20_000, 4, "skewed").make(1)
    assert not dag.any() and set(data.max(axis=0) + 1) == {2, 3, 4}
    assert (data == 0).mean(axis=0).min() > 0.74
    even, _ = DiscreteCell(40, 0, 20_000, 4, "uniform").make(1)
    np.testing.assert_allclose((even == 0).mean(axis=0), 1 / (even.max(axis=0) + 1), atol=0.02)


def test_a_network_is_read_from_the_folder_that_is_given(tmp_path, monkeypatch):
    coin = hccd.datasets.DiscreteNetwork(("a", "b"), (("0", "1"),) * 2, ((), (0,)), ([[0.5, 0.5]], [[1, 0], [0, 1]]))
    hccd.datasets.save_bif(coin, tmp_path / "coins.bif")
    monkeypatch.setattr(NetworkCell, "folder", tmp_path)
    data, dag = NetworkCell("coins", 2, 50).make(0)
    np.testing.assert_array_equal(data[:, 0], data[:, 1])
    assert dag.sum() == 1 and data.shape == (50, 2)


def test_pairs_are_inseparable_if_no_set_of_observed_variables_separates_them():
    """By trying all sets."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        dag = np.triu(rng.random((6, 6)) < 0.45, 1)
        observed = np.sort(rng.permutation(6)[:4])
        found = cells.inseparable(dag, observed)
        for i, j in combinations(range(4), 2):
            others = [int(z) for z in observed if z not in (observed[i], observed[j])]
            sets = [given for size in range(3) for given in combinations(others, size)]
            separated = any(d_separated(truth_of(dag), int(observed[i]), int(observed[j]), given) for given in sets)
            assert found[i, j] == found[j, i] == (not separated)


def test_where_variables_are_hidden_directions_do_not_count():
    cell = Cell(18, 3, 100, model=cells.HIDDEN)
    data, dag = cell.make(1)
    truth = truth_of(dag)
    turned = PDAG.from_edges(18, truth.directed_edges()[:, ::-1])
    assert data.shape == (100, 18)
    assert cells.distance(cell, truth, turned) == 0
    assert cells.distance(cell, truth, PDAG.from_edges(18)) == dag.sum()
    assert cells.distance(Cell(18, 3, 100), truth, turned) > 0


def test_a_scale_free_graph_has_its_edges_and_a_hub():
    dag = scale_free(100, 2, np.random.default_rng(1))
    assert not np.tril(dag).any()
    assert dag.sum() == 1 + 2 * 98
    assert (dag | dag.T).sum(axis=0).max() > 12


def test_names_are_unique_and_cells_can_be_chosen():
    names = [cell.name for cells in CELLS.values() for cell in cells]
    assert len(set(names)) == len(names)
    assert [cell.model for cell in chosen("QUADRATIC", 50)["Wrong assumptions"]] == ["quadratic"]
    assert set(chosen("noise alone", 20)) == {"Noise alone", "Noise alone, discrete", "Noise alone, mixed"}


def test_all_factors_meet_each_other():
    """But for numbers of variables and of neighbours with two values each, any two values are together somewhere."""
    levels = [set(values) for values in zip(*FACTORS, strict=True)]
    assert [len(each) for each in levels] == [5, 4, 3, 2, 2, 2]
    for i, j in combinations(range(6), 2):
        met = Counter((cell[i], cell[j]) for cell in FACTORS)
        assert len(met) == len(levels[i]) * len(levels[j])
    assert len(set(FACTORS)) == len(FACTORS) == 40


def test_networks_have_the_variables_that_they_say():
    for name, n in accuracy_design.NETWORKS:
        assert cells.loaded(name, None).dag.shape == (n, n)


def test_the_table_is_printed_and_the_ledger_goes_on(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(accuracy_design, "CELLS", {"Tiny": [Cell(6, 2, 100), Cell(5, 0, 50, seeds=1)]})
    accuracy.main(["--seeds", "2", "--out", str(tmp_path)])
    first = capsys.readouterr()
    lines = first.out.splitlines()
    assert lines[:2] == ["| Tiny (continuous) | tests alone | default |", "|---|---|---|"]
    assert lines[2].startswith("| n 6, degree 2, 100 rows | ") and lines[2].count("±") == 2
    assert lines[3].startswith("| n 5, no edges, 50 rows | ") and "±" not in lines[3]
    assert first.err.count("\n") == 6
    accuracy.main(["--seeds", "2", "--out", str(tmp_path)])
    assert capsys.readouterr() == (first.out, "")
    accuracy.main(["--seeds", "3", "--out", str(tmp_path)])
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.filterwarnings("ignore:columns 'X1'")
def test_ours_take_many_codes_for_states_if_they_are():
    codes = np.random.default_rng(0).integers(0, 60, (500, 3))
    prices = {
        kind: accuracy.ours()[1].learn(values, kind)["price"]
        for kind, values in (("discrete", codes), ("continuous", codes.astype(float)))
    }
    assert prices["discrete"] != prices["continuous"]


def learner(name, answer, version="1", kinds=("continuous", "discrete")):
    asked = []

    def learn(data, kind):
        asked.append(data.shape)
        return answer

    return Learner(name, version, kinds, learn), asked


FOUND = {"status": DONE, "directed": [], "undirected": [[0, 1]], "seconds": 1.0}


def test_nobody_is_asked_twice_and_a_new_version_is_asked_again(tmp_path):
    cell, seeds = Cell(4, 0, 20), range(3)
    one, asked = learner("one", FOUND)
    other, _ = learner("other", FOUND)
    learn_all([cell], [one], seeds, 5.0, measurements(tmp_path / "ledger"))
    learn_all([cell], [one, other], seeds, 5.0, measurements(tmp_path / "ledger"))
    assert len(asked) == 3
    store = measurements(tmp_path / "ledger")
    assert [record["shd"] for record in store.runs.values()] == [1] * 6
    newer, asked = learner("one", FOUND, version="2")
    learn_all([cell], [newer], seeds, 5.0, store)
    assert len(asked) == 3


def test_one_that_is_late_is_asked_again_only_where_it_is_easier_or_with_more_time(tmp_path):
    store = measurements(tmp_path / "ledger")
    late, asked = learner("late", {"status": STOPPED, "cap": 5.0})
    learn_all([Cell(4, 2, 20), Cell(5, 2, 20), Cell(5, 2, 10), DiscreteCell(5, 2, 20)], [late], range(3), 5.0, store)
    assert asked == [(20, 4), (10, 5), (20, 5)]
    learn_all([Cell(6, 2, 20, weights=cells.WEAK)], [late], range(3), 5.0, store)
    assert asked[3:] == [(20, 6)]
    learn_all([Cell(4, 2, 20)], [late], range(3), 9.0, store)
    assert len(asked) == 7


def test_only_tables_of_the_right_kind_are_offered(tmp_path):
    discrete, asked = learner("discrete", FOUND, kinds=("discrete",))
    learn_all([Cell(4, 0, 20), DiscreteCell(5, 2, 20)], [discrete], range(1), 5.0, measurements(tmp_path / "ledger"))
    assert asked == [(20, 5)]


def test_a_ledger_of_other_tables_is_refused(tmp_path, monkeypatch):
    one, other = learner("one", FOUND)[0], learner("other", FOUND)[0]
    store = measurements(tmp_path / "ledger")
    learn_all([Cell(4, 0, 20)], [one], range(1), 5.0, store)
    monkeypatch.setattr(continuous_models, "normal", lambda rows, rng: rng.normal(size=rows) + 1)
    with pytest.raises(SystemExit, match="runs on another table of 'n 4, no edges, 20 rows'"):
        learn_all([Cell(4, 0, 20)], [other], range(1), 5.0, store)


def test_what_a_cell_of_the_table_says():
    def records(*found):
        return {seed: {"status": DONE, "shd": shd, "seconds": seconds} for seed, (shd, seconds) in enumerate(found)}

    said = accuracy_report.said
    assert said(records((0, 0.25), (2, 0.75))) == "1.0 ± 1.0 (0.50 s, 1 of 2 exact)"
    assert said(records((3, 0.0012))) == "3.0 (0.001 s)"
    assert said({**records((3, 0.0012)), 1: {"status": "failed"}}) == "3.0 (0.001 s, 1 failed)"
    assert said({**records((3, 1.0)), 1: {"status": STOPPED, "cap": 60.0}}) == "not in 60 s"
    assert said({0: {"status": "failed"}}) == "failed" and said({}) == ""


def test_the_best_peer_is_found_on_the_tables_in_common(tmp_path):
    cell, store = Cell(4, 2, 20), measurements(tmp_path / "ledger")
    exact = {**FOUND, "undirected": [], "directed": np.argwhere(cell.make(0)[1]).tolist()}
    learn_all([cell], [learner("default", FOUND)[0], learner("whole", FOUND)[0]], range(3), 5.0, store)
    versions = {"default": "1", "whole": "1", "part": "1"}
    learn_all([cell], [learner("part", exact)[0]], range(1), 5.0, store)
    # One table of three is too few to say anything, but not one of one.
    assert accuracy_report.duel(cell, Known(store, versions, range(3))).peer == "whole"
    assert accuracy_report.duel(cell, Known(store, versions, range(1))).peer == "part"
    learn_all([cell], [learner("part", exact)[0]], range(2), 5.0, store)
    found = accuracy_report.duel(cell, Known(store, versions, range(3)))
    assert found.peer == "part" and found.ours.shape == (2,) and found.theirs[0] == 0


def test_behind_is_more_than_noise():
    ours = np.array([4.0, 6.0, 5.0])
    assert Duel("peer", ours, np.array([2.0, 4.0, 2.5])).behind
    assert not Duel("peer", ours, np.array([6.0, 0.0, 5.0])).behind
    assert not Duel("peer", ours, ours + 2).behind
    assert Duel("peer", ours, np.array([2.0, 2.0, 2.0])).ratio == 2.5


@pytest.mark.parametrize("cell", [Cell(8, 3, 500), DiscreteCell(8, 3, 500)], ids=lambda cell: cell.name)
def test_scores_of_peers_are_compared_by_our_own_score(cell, tmp_path, capsys):
    """The default's own graph gains nothing over itself, one without an edge of it loses, and stands in no table."""
    store, peer = measurements(tmp_path / "ledger"), "XGES, BIC" if cell.kind == "continuous" else "pyagrum tabu"
    default = next(each for each in accuracy.ours() if each.name == "default")
    found = default.learn(cell.make(0)[0], cell.kind)
    same = {**FOUND, "directed": found["directed"], "undirected": found["undirected"]}
    learn_all([cell], [default, learner(peer, same)[0]], range(1), 5.0, store)
    known = Known(store, {"default": default.version, peer: "1"}, range(1))
    compared, truth = accuracy_scores.compare(cell, 0, known)
    assert compared.own == 0
    assert truth.peer == accuracy_scores.TRUTH and truth.own is None and truth.errors == (compared.errors[0], 0)
    if cell.kind == "continuous":
        assert compared.ours == pytest.approx(0, abs=1e-6)
    fewer = {**same, "directed": same["directed"][1:], "undirected": same["undirected"][1:]}
    store.add({**store.runs[list(store.runs)[-1]], **fewer})
    compared = accuracy_scores.compare(cell, 0, known)[0]
    assert compared.ours < -1 and compared.own < -1
    accuracy_scores.print_all([cell], known)
    assert f"| {peer} | 1 | 0 | 0 | 1 | 1 |" in capsys.readouterr().out


def test_what_peers_maximise_is_their_score_with_their_price():
    data, dag = Cell(6, 3, 200).make(1)
    truth = truth_of(dag)
    once, twice = (accuracy_scores.objective_of(f"XGES, BIC{more}", data, "continuous") for more in ("", " x 2"))

    # By regression, without what is the same for all graphs.
    def residual(y):
        design = np.column_stack([np.ones(200), data[:, np.flatnonzero(dag[:, y])]])
        return data[:, y] - design @ np.linalg.lstsq(design, data[:, y], rcond=None)[0]

    fit = sum(-100 * np.log(residual(y).var() / data[:, y].var()) for y in range(6))
    empty, edges = PDAG.empty(6), int(dag.sum())
    assert once(truth) - once(empty) == pytest.approx(fit - edges * 0.5 * np.log(200))
    assert twice(truth) - twice(empty) == pytest.approx(fit - edges * np.log(200))
    codes, dag = DiscreteCell(6, 3, 200).make(1)
    assert accuracy_scores.objective_of("pyagrum tabu", codes, "discrete")(truth_of(dag)) == bdeu(truth_of(dag), codes)


def test_every_peer_has_its_package_pinned_and_its_score_said():
    for name, peer in accuracy_peers.PEERS.items():
        assert peer.package in accuracy.pins_of(peer.package)[1]
        assert name in accuracy_peers.OBJECTIVES or name in ("dagma", "pyagrum MIIC")


def test_graphs_of_xges_are_read():
    class Found:
        def to_adjacency_matrix(self):
            return np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]])

    read = accuracy_peers.read_xges(Found())
    assert read == {"directed": [[1, 2]], "undirected": [[0, 1]]}
    assert PDAG.from_edges(3, read["directed"], read["undirected"]).n == 3
