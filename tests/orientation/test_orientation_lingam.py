"""Directions by noise that is not normal: the measure, what is claimed, what is refused, and what is said."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import hccd
from hccd.errors import DataWarning, InvalidDataError, InvalidParameterError
from hccd.graphs import meek_closure, pdag_to_dag
from hccd.orientation.lingam import entropy, pairwise_gain
from hccd.report.content import report_html
from method_cases import random_dag, true_cpdag

NOISE = {
    "uniform": lambda rng, shape: rng.uniform(-1.7, 1.7, shape),
    "exponential": lambda rng, shape: rng.exponential(1.0, shape),
    "laplace": lambda rng, shape: rng.laplace(0.0, 0.7, shape),
    "normal": lambda rng, shape: rng.normal(0.0, 1.0, shape),
}


def drawn(rng, dag, rows, kind="uniform"):
    data = NOISE[kind](rng, (rows, dag.n))
    for v in dag.topological_order():
        for parent in dag.parents(v):
            data[:, v] += rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.0) * data[:, parent]
    return data


def chain(kind="uniform", rows=1000, arcs=((0, 1), (1, 2))):
    return drawn(np.random.default_rng(8), hccd.PDAG.from_edges(3, directed=arcs), rows, kind)


def learned(data, **options):
    with warnings.catch_warnings():
        # Skewness, outliers and copies are told.
        warnings.simplefilter("ignore", DataWarning)
        return _learned(data, **options)


def _learned(data, **options):
    return hccd.discover(data, names=[f"V{i}" for i in range(data.shape[1])], bootstrap="none", **options)


def test_the_entropy_of_a_normal_variable_is_the_largest():
    rng = np.random.default_rng(0)
    normal = entropy(_standard(rng.normal(size=20_000)))
    assert normal == pytest.approx(0.5 * np.log(2 * np.pi * np.e), abs=1e-3)
    for kind in ("uniform", "exponential", "laplace"):
        assert entropy(_standard(NOISE[kind](rng, 20_000))) < normal - 0.01
    # An approximation from above: the exact value for a uniform variable is log(sqrt(12)).
    assert np.log(np.sqrt(12.0)) < entropy(_standard(rng.uniform(size=20_000))) < np.log(np.sqrt(12.0)) + 0.15


def _standard(u):
    return (u - u.mean()) / u.std()


@pytest.mark.parametrize("kind", ["uniform", "exponential", "laplace"])
def test_the_gain_has_the_sign_of_the_direction(kind):
    rng = np.random.default_rng(1)
    x = NOISE[kind](rng, 3000)
    y = 0.8 * x + NOISE[kind](rng, 3000)
    assert pairwise_gain(x, y) > 0.0
    assert pairwise_gain(y, x) == pytest.approx(-pairwise_gain(x, y), abs=1e-12)
    assert pairwise_gain(5.0 - 3.0 * x, y) == pytest.approx(pairwise_gain(x, y), abs=1e-9)


def test_the_gain_is_the_measure_of_the_package_lingam():
    lingam = pytest.importorskip("lingam")
    rng = np.random.default_rng(2)
    theirs = lingam.DirectLiNGAM()
    for _ in range(20):
        x = rng.uniform(size=300)
        x, y = _standard(x), _standard(rng.normal() * x + rng.laplace(size=300))
        gain = theirs._diff_mutual_info(x, y, theirs._residual(x, y), theirs._residual(y, x))
        assert pairwise_gain(x, y) == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("arcs", [((0, 1), (1, 2)), ((2, 1), (1, 0)), ((1, 0), (1, 2)), ((0, 1), (0, 2), (1, 2))])
@pytest.mark.parametrize("kind", ["uniform", "exponential", "laplace"])
def test_small_graphs_are_directed(kind, arcs):
    """All members of a class of three, and a triangle, whose undirected edges have a common cause in the third."""
    result = learned(chain(kind, 4000, arcs), undirected="lingam")
    assert {tuple(edge) for edge in result.graph.directed_edges().tolist()} == set(arcs)
    assert set(result.reasons.values()) <= {"lingam", "R1", "R2"}


@pytest.mark.parametrize("seed", range(12))
def test_the_graph_stays_in_the_class(seed):
    """Nothing but undirected edges changes, without cycles and colliders, and closed under the rules."""
    rng = np.random.default_rng([9, seed])
    dag = random_dag(rng, 12, 0.25)
    data = drawn(rng, dag, 600, ["uniform", "exponential", "laplace"][seed % 3])
    plain, result = learned(data), learned(data, undirected="lingam")
    assert true_cpdag(pdag_to_dag(result.graph)) == plain.graph
    assert meek_closure(result.graph) == result.graph
    kept = {edge: why for edge, why in result.reasons.items() if edge in plain.reasons}
    assert kept == dict(plain.reasons)
    new = set(result.reasons) - set(plain.reasons)
    assert len(new) >= len(plain.graph.undirected_edges()) / 2
    assert {result.reasons[edge] for edge in new} <= {"lingam", "R1", "R2", "R3", "R4"}


def test_nearly_all_directions_are_right():
    right = wrong = 0
    for seed in range(8):
        rng = np.random.default_rng([10, seed])
        dag = random_dag(rng, 12, 0.18)
        result = learned(drawn(rng, dag, 2000), undirected="lingam")
        for arrow, why in result.reasons.items():
            if why == "lingam" and dag.skeleton().has_edge(*arrow):
                right += arrow[1] in dag.children(arrow[0])
                wrong += arrow[1] not in dag.children(arrow[0])
    assert right > 15
    assert wrong <= 0.1 * right


def test_columns_may_be_permuted():
    rng = np.random.default_rng(11)
    data = drawn(rng, random_dag(rng, 10, 0.2), 500)
    order = rng.permutation(10)
    plain, moved = learned(data, undirected="lingam"), learned(data[:, order], undirected="lingam")
    assert moved.graph.relabelled(order) == plain.graph


def test_normal_data_are_refused():
    refused = 0
    for seed in range(20):
        rng = np.random.default_rng([12, seed])
        data = drawn(rng, random_dag(rng, 10, 0.25), 500, "normal")
        try:
            learned(data, undirected="lingam")
        except InvalidDataError as error:
            refused += 1
            assert "no column differs from a normal distribution (smallest p-value" in str(error)
    assert refused >= 19


def test_edges_between_normal_variables_stay():
    """One column that is not normal, beside others that are, does not make these tell anything."""
    rng = np.random.default_rng(13)
    data = np.column_stack([chain("normal", 800), rng.uniform(size=800)])
    result = learned(data, undirected="lingam")
    assert len(result.graph.undirected_edges()) == 2
    assert not len(result.graph.directed_edges())


def test_knowledge_comes_first():
    result = learned(chain(), undirected="lingam", tiers=[["V1"], ["V0", "V2"]])
    assert set(result.reasons.values()) == {"knowledge"}


def test_it_is_said():
    result = learned(chain(), undirected="lingam")
    assert result.parameters["undirected"] == "lingam"
    assert "the noise is not normal and fits this direction better" in result.explain("V0", "V1")
    page = report_html(result)
    assert "noise that is not normal (LiNGAM)" in page
    assert "--undirected lingam" in page
    assert hccd.HCCDResult.from_dict(result.to_dict()).reasons == dict(result.reasons)
    assert "undirected" not in learned(chain()).parameters


def test_copies_are_left_alone():
    data = chain()
    result = learned(np.column_stack([data, data[:, 0]]), undirected="lingam")
    assert 3 in result.graph.undirected_neighbors(0)


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ({"a": np.arange(200) % 3, "b": np.arange(200) % 7 % 2}, {}, "for continuous columns, and 'a' is discrete"),
        ({"a": np.exp(np.arange(200) / 9.0 % 3), "b": ["x", "y"] * 100}, {}, "continuous columns, and 'b' is discrete"),
        (np.where(np.arange(3000).reshape(1000, 3) == 7, np.nan, chain()), {}, "cells of 'X2' are missing"),
        (chain(rows=99), {}, "needs 100 rows, and there are 99"),
        (chain(), {"weights": np.arange(1.0, 1001.0)}, "cannot use weights"),
        (chain(), {"transform": "curves", "test": "dg"}, "relations are curved"),
        (hccd.FisherZ().bind(chain()), {}, "the test is bound already"),
    ],
)
def test_what_it_is_not_for_is_refused(data, options, said):
    with pytest.raises(InvalidParameterError, match=said):
        hccd.discover(data, undirected="lingam", **options)
