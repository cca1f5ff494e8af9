"""With a perfect test two correct programs find the same PAG; where they differ, a MAG shows who is right.

causal-learn (0.1.4.8) calls some ends tails that are not: seldom without selection variables, in one of thirty graphs
with them. A mark that the true MAG does not have is wrong. A circle in place of a tail is right if the class has a MAG
with an arrowhead there: such a MAG is made here, and its m-separations are compared with those of the true MAG, path by
path. A mark in place of a circle is right if all MAGs of the class have it, which are enumerated.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import hccd
from hccd.ancestral import dag_to_mag, dag_to_pag
from hccd.ancestral.ends import Ends
from hccd.ancestral.member import member_of
from hccd.ancestral.rules import close
from hccd.graphs.pag import ARROW, CIRCLE, NONE, TAIL

sys.path.insert(0, str(Path(__file__).parents[1] / "ancestral"))
from mags_by_definition import is_mag, model, pag_by_enumeration, random_case

pytestmark = pytest.mark.slow


def causal_learn_pag(bound):
    """The marks of causal-learn's FCI with the answers of an oracle."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from causallearn.search.ConstraintBased.FCI import fci
        from causallearn.utils.cit import CIT_Base, register_ci_test

    class Answers(CIT_Base):
        def __init__(self, data, **options):
            super().__init__(data, **options)
            self.check_cache_method_consistent("answers", "none")

        def __call__(self, x, y, given=None):
            return float(bound.test(int(x), int(y), tuple(map(int, given or ()))).independent)

    register_ci_test("answers", Answers)
    n = bound.n_variables
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        graph = fci(np.random.default_rng(0).normal(size=(30, n)), "answers", 0.5, show_progress=False)[0].graph
    # Its graph[j, i] is the mark at j.
    return np.vectorize({0: NONE, 1: ARROW, -1: TAIL, 2: CIRCLE}.get)(graph.T.astype(int)).astype(np.int8)


def member_with_arrowhead(pag, mag, x, y):
    """Whether the class of a MAG has a member with an arrowhead at y of the edge between x and y."""
    ends = Ends.of(pag)
    ends.put(x, y, ARROW, 0)
    close(ends, lambda path: mag[path[-3], path[-2]] == ARROW and mag[path[-1], path[-2]] == ARROW)
    member = member_of(ends).pag().marks
    return member[x, y] == ARROW and is_mag(member) and model(member) == model(mag)


def compared(seeds, observed, selection):
    differences = 0
    for seed in seeds:
        rng = np.random.default_rng([18, seed])
        n = observed[seed % len(observed)]
        some = int(rng.integers(*selection))
        case = random_case(
            rng, n, int(rng.integers(1, 4)), some, rng.uniform(0.5, 2), needs_dsep=n > 5 and seed % 3 == 0
        )
        bound = hccd.Oracle(*case).bind()
        own = hccd.discover(bound, baseline="fci").graph
        assert own == dag_to_pag(*case), f"case {seed}"
        theirs = causal_learn_pag(bound)
        if np.array_equal(own.marks, theirs):
            continue
        differences += 1
        mag = dag_to_mag(*case).marks
        for x, y in np.argwhere(own.marks != theirs).tolist():
            where = f"case {seed}: at {y} of {x}, {y}"
            if theirs[x, y] == CIRCLE:
                assert pag_by_enumeration(mag)[x, y] == own.marks[x, y], where
            elif theirs[x, y] == mag[x, y]:
                assert (own.marks[x, y], theirs[x, y]) == (CIRCLE, TAIL), where
                assert member_with_arrowhead(own, mag, x, y), where
            else:
                assert own.marks[x, y] in (CIRCLE, mag[x, y]), where
    return differences


def test_hidden_common_causes():
    assert compared(range(150), (4, 5, 6, 7, 8), (0, 1)) <= 3


def test_selection_variables():
    assert 1 <= compared(range(1000, 1060), (4, 5), (1, 4)) <= 6
