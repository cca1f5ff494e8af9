"""What resamples cost, told from a table and its graph: never from a clock, so that every machine decides alike.

The numbers are fitted to CPU times of resamples of 20 to 300 variables, and right within a factor of three there.
"""

from __future__ import annotations

import numpy as np

from hccd.baselines import PC
from hccd.graphs import PDAG
from hccd.independence.tables import BoundTableTest
from hccd.run.prepared import Prepared
from hccd.scoring import MOST_CANDIDATES
from hccd.wrapper import TestCounts

#: How many resamples ``auto`` draws, and how many nanoseconds of work they may take together.
RESAMPLES, MOST_WORK = 100, 5e9
# Nanoseconds: of any resample; of each variable; of a pair of variables, and of a row of one, for correlations; of a
# variable for the square of each one's number of parents, in a search over orders; of a row of a discrete variable and
# one that it is looked at with; of a test on a row of discrete columns, and of one on correlations; of a pair and row
# that EM fills in.
_ANY, _VARIABLE = 2e6, 3e4
_PAIR, _PAIR_ROW, _PARENTS = 50.0, 0.2, 200.0
_TABLE_ROW = 8.0
_TEST_ROW, _TEST, _FILLED = 0.5, 200.0, 30.0


def resamples_for(prepared: Prepared, tests: TestCounts, dag: PDAG | None) -> int:
    """Return how many resamples are to be drawn after a run that took these tests, and found this DAG by a score."""
    squares = None
    if dag is not None:
        parents = np.bincount(dag.directed_edges()[:, 1], minlength=dag.n)
        squares = float(parents @ parents)
    return resamples_of(prepared, work_of(prepared, sum(tests.by_order[1:]), squares))


def resamples_of(prepared: Prepared, work: float) -> int:
    """Return how many resamples are to be drawn if one takes so many nanoseconds."""
    wanted = prepared.options.bootstrap
    if wanted != "auto":
        drawable = prepared.binding.reweighted is not None
        return int(wanted) if wanted != "none" and drawable else 0
    return RESAMPLES if may_resample(prepared) and RESAMPLES * work <= MOST_WORK else 0


def may_resample(prepared: Prepared) -> bool:
    """Whether ``auto`` draws resamples at all: of tables, with compiled tests, and not where authors are followed."""
    compiled = prepared.binding.ci.score_name is not None and isinstance(prepared.settings.baseline, PC)
    return prepared.binding.reweighted is not None and compiled and prepared.options.preset != "paper"


def work_of(prepared: Prepared, tests: float, squares: float | None) -> float:
    """Return about how many nanoseconds a resample takes.

    Parameters
    ----------
    prepared : Prepared
        The data of the run.
    tests : float
        How many tests with conditions the run takes; they are made again where there is no score.
    squares : float or None
        With a score, the squares of the variables' numbers of parents, added up; None without.
    """
    ci, rows = prepared.binding.ci, prepared.table.n_rows if prepared.table is not None else 0
    if prepared.binding.units is not None:
        # Blocks of rows, of which the moments are known.
        rows = len(prepared.binding.units)
    n, tables = ci.n_variables, isinstance(ci, BoundTableTest)
    work = _ANY + n * _VARIABLE
    if squares is None:
        work += tests * (_TEST_ROW * rows if tables else _TEST)
    elif tables:
        work += n * min(n, MOST_CANDIDATES) * rows * _TABLE_ROW
    else:
        work += _PARENTS * n * squares
    if not tables:
        work += n * n * (_PAIR + _PAIR_ROW * rows)
    return work + (_FILLED * rows * n * n if prepared.binding.missing == "em" else 0.0)
