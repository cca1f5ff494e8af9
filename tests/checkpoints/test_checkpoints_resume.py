"""A search that is stopped again and again gives the same result as one that was left alone."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

import hccd
from hccd import CheckpointFolder
from method_cases import discrete_net, linear_gaussian
from reference_pc import ReferencePC


class Stopped(Exception):
    """The power went off."""


class Stopping(CheckpointFolder):
    """Save whenever that is possible, and stop the run at some save."""

    def __init__(self, folder, saves, note=None):
        super().__init__(folder, every=0.0, note=note)
        self.saves = saves

    def due(self, stage, *, finished=False):
        return True

    def save(self, stage, key, state):
        super().save(stage, key, state)
        self.saves -= 1
        if self.saves == 0:
            raise Stopped


def partial_correlation(data, x, y, given):
    """A test of the user's own: everything goes through Python."""
    precision = np.linalg.inv(np.corrcoef(data[:, [x, y, *given]].T))
    r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    return 2 * norm.sf(abs(np.arctanh(r)) * np.sqrt(len(data) - len(given) - 3))


def factor(n, rows):
    """Everything depends on everything: many orders, and levels of many tests."""
    rng = np.random.default_rng(3)
    return rng.normal(size=(rows, 1)) + 1.5 * rng.normal(size=(rows, n))


@cache
def data(kind):
    rng = np.random.default_rng(0)
    return {
        "gaussian": lambda: linear_gaussian(rng, 40, 5, 400),
        "discrete": lambda: discrete_net(rng, 30, 3, 600),
        "small": lambda: linear_gaussian(rng, 12, 3, 400),
        "factor": lambda: factor(14, 500),
        "gaps": lambda: np.where(rng.random((600, 12)) < 0.1, np.nan, discrete_net(rng, 12, 3, 600)),
        "mixed": lambda: mixed(rng, 12, 400),
    }[kind]()


def mixed(rng, n, rows):
    """Every third column has three states."""
    values = linear_gaussian(rng, n, 3, rows)
    return {f"v{i}": np.digitize(v, [-0.5, 0.5]).astype(str) if i % 3 == 0 else v for i, v in enumerate(values.T)}


def plain(result):
    return json.dumps({**result.to_dict(), "seconds": None})


CASES = [
    ("gaussian", {}),
    ("gaussian", {"preset": "paper"}),
    ("gaussian", {"method": "pc"}),
    ("gaussian", {"method": "tscb"}),
    ("gaussian", {"method": "not-c"}),
    ("discrete", {}),
    ("discrete", {"preset": "paper", "threshold": 0.02}),
    ("gaps", {}),
    ("mixed", {}),
    ("small", {"tiers": [["x0", "x1", "x2"], [f"x{i}" for i in range(3, 12)]], "names": [f"x{i}" for i in range(12)]}),
    ("discrete", {"test": "chi2", "method": "flat"}),
    ("factor", {"method": "pc"}),
    ("gaussian", {"baseline": "rai"}),
    ("discrete", {"baseline": "b-rai", "seed": 3}),
    ("gaussian", {"baseline": "mmhc"}),
    ("small", {"test": partial_correlation}),
    ("small", {"test": partial_correlation, "preset": "paper"}),
]


def stopped_again_and_again(kind, options, folder):
    """Return how often a run was stopped, what it told, and its checkpoint; it ends like one that was left alone."""
    whole = plain(hccd.discover(data(kind), **options))
    stops, told = 0, []
    while True:
        try:
            # Other workers each time; the many states of a score are skipped by other numbers.
            kept = Stopping(folder, 1 + stops % (3 if stops < 12 else 37), told.append)
            result = hccd.discover(data(kind), n_jobs=1 + stops % 2, checkpoint=kept, **options)
            break
        except Stopped:
            stops += 1
            assert stops < 500
    assert plain(result) == whole
    assert stops >= 3
    assert all(sentence.startswith("continuing the interrupted run: ") for sentence in told)
    return stops, told, kept


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize(("kind", "options"), CASES)
def test_the_same_result_however_often_it_is_stopped(kind, options, tmp_path):
    stops, told, kept = stopped_again_and_again(kind, options, tmp_path)
    of_search = [sentence.split(": ")[1] for sentence in told if "tests are done" in sentence]
    assert len(of_search) == stops
    tests = [int(sentence.split()[0].replace(",", "")) for sentence in of_search]
    assert tests == sorted(tests) and tests[-1] > tests[0]
    kept.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore::hccd.errors.DataWarning")
@pytest.mark.parametrize("kind", ["gaussian", "discrete", "gaps"])
@pytest.mark.parametrize(
    "options", [{"method": "score"}, {"baseline": "score"}, {"baseline": "score", "refine": "never"}]
)
def test_a_search_by_a_score_alone_goes_on_where_it_was(kind, options, tmp_path):
    _, told, kept = stopped_again_and_again(kind, {**options, "bootstrap": "none"}, tmp_path)
    assert sum("the score search was at sweep" in sentence for sentence in told) >= 2
    kept.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_level_is_gone_on_with_in_its_midst(tmp_path):
    """Many edges are asked at one order: some states are of a level that is not finished."""
    unfinished = []

    class Watching(CheckpointFolder):
        def due(self, stage, *, finished=False):
            return True

        def save(self, stage, key, state):
            unfinished.append(state.done)
            super().save(stage, key, state)

    for kind, test in (("gaussian", "auto"), ("small", partial_correlation)):
        unfinished.clear()
        hccd.discover(data(kind), method="pc", test=test, checkpoint=Watching(tmp_path))
        assert any(unfinished) and not all(unfinished)


@pytest.mark.parametrize("exhaustive", [True, False])
def test_an_algorithm_of_ones_own_is_taken_up_between_passes(exhaustive, tmp_path):
    """Wherever it is stopped: a pass that is over is not made again, even by who would ask everything anew."""
    tree = [[0, 1, 2], [3, 4, 5], [[6, 7], [8, 9, 10, 11]]]
    options = {"baseline": ReferencePC(exhaustive=exhaustive), "scoring": "none", "tree": tree}
    whole = plain(hccd.discover(data("small"), **options))
    for saves in range(1, 20):
        try:
            hccd.discover(data("small"), checkpoint=Stopping(tmp_path, saves), **options)
            break
        except Stopped:
            told = []
            kept = CheckpointFolder(tmp_path, note=told.append)
            assert plain(hccd.discover(data("small"), checkpoint=kept, **options)) == whole
            assert len(told) == 1 and told[0].startswith("continuing")
            kept.remove()
    assert saves == 11


def test_a_skeleton_can_be_taken_up_too(tmp_path):
    whole = hccd.learn_skeleton(data("gaussian"))
    with pytest.raises(Stopped):
        hccd.learn_skeleton(data("gaussian"), checkpoint=Stopping(tmp_path, 5))
    told = []
    # The directions come after the search, so the whole run may go on from a skeleton's.
    result = hccd.discover(
        data("gaussian"), colliders="majority", scoring="none", checkpoint=CheckpointFolder(tmp_path, note=told.append)
    )
    assert len(told) == 1 and told[0].startswith("continuing")
    assert np.array_equal(result.skeleton.edges, whole.skeleton.edges)


def test_the_order_and_the_names_of_the_columns_do_not_matter(tmp_path):
    values = data("gaussian")
    order = np.random.default_rng(1).permutation(values.shape[1])
    with pytest.raises(Stopped):
        hccd.discover(values, checkpoint=Stopping(tmp_path, 7))
    told = []
    names = [f"column {i}" for i in range(len(order))]
    shuffled = hccd.discover(values[:, order], names=names, checkpoint=CheckpointFolder(tmp_path, note=told.append))
    assert len(told) == 1 and told[0].startswith("continuing")
    assert plain(shuffled) == plain(hccd.discover(values[:, order], names=names))


OTHER = {
    "data": lambda values: (values + 1e-9 * np.arange(values.size).reshape(values.shape) ** 0.5, {}),
    "fewer rows": lambda values: (values[:-1], {}),
    "alpha": lambda values: (values, {"alpha": 0.02}),
    "correction": lambda values: (values, {"correction": "none"}),
    "method": lambda values: (values, {"method": "not-c"}),
    "largest set": lambda values: (values, {"baseline": hccd.PC(max_order=2)}),
    "inner order": lambda values: (values, {"inner_order": 1}),
}


@pytest.mark.parametrize("what", OTHER)
def test_another_run_begins_anew(what, tmp_path):
    with pytest.raises(Stopped):
        hccd.discover(data("gaussian"), checkpoint=Stopping(tmp_path, 7))
    (first,) = tmp_path.iterdir()
    before = first.read_bytes()
    values, options = OTHER[what](data("gaussian"))
    told = []
    kept = CheckpointFolder(tmp_path, note=told.append)
    assert plain(hccd.discover(values, checkpoint=kept, **options)) == plain(hccd.discover(values, **options))
    (sentence,) = told
    assert "other data or options" in sentence and first.name in sentence
    kept.remove()
    assert first.read_bytes() == before


class Listening(CheckpointFolder):
    """Remember the key of each search."""

    def __init__(self, folder, keys):
        super().__init__(folder)
        self.keys = keys

    def resume(self, stage, key, read):
        self.keys.append(key())
        return super().resume(stage, key, read)


def test_equal_pairs_do_not_make_equal_data(tmp_path):
    """Three columns that determine each other look independent in pairs, whichever way round."""
    rng = np.random.default_rng(5)
    a, b = rng.permutation(np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 100, axis=0)).T
    keys = []
    for c in (a ^ b, 1 - (a ^ b)):
        hccd.discover(np.column_stack([a, b, c]), test="g", checkpoint=Listening(tmp_path, keys))
    assert keys[0] != keys[1]


class Known(hccd.BoundCITest):
    """A test of the user's own that shows nothing of its data."""

    def __init__(self, edges):
        self.edges = edges

    @property
    def n_variables(self):
        return 4

    def test(self, x, y, given=()):
        return hccd.CIResult(tuple(sorted((x, y))) not in self.edges)


def test_tests_that_show_no_data_are_told_by_their_answers(tmp_path):
    keys = []
    for edges in ({(0, 1)}, {(0, 2)}, {(0, 1)}):
        hccd.discover(Known(edges), checkpoint=Listening(tmp_path, keys))
    assert keys[0] == keys[2] != keys[1]
