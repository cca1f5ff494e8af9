"""What resamples cost, told from the run before them: counted work, never a clock, so that every machine decides alike.

The numbers are CPU times of resamples on networks of 8 to 1,000 variables, divided by what the run had counted. They
are right within a factor of two.
"""

from __future__ import annotations

from hccd.baselines import PC
from hccd.independence.tables import BoundTableTest
from hccd.run.prepared import Prepared
from hccd.scoring import BestDag
from hccd.wrapper import TestCounts

#: How many resamples ``auto`` draws, and how many nanoseconds of work they may take together.
RESAMPLES, MOST_WORK = 100, 5e9
# Nanoseconds: of any resample; of each variable, and of a unit of the score's work, for discrete columns and others; of
# a test on a row of discrete columns, and of one on correlations; of a pair; of a pair and row that EM fills in.
_ANY = 3e6
_VARIABLE, _SCORED = (2.5e5, 5e4), (0.15, 0.4)
_TEST_ROW, _TEST, _PAIR, _FILLED = 0.5, 200.0, 20.0, 30.0


def resamples_for(prepared: Prepared, tests: TestCounts, best: BestDag | None) -> int:
    """Return how many resamples are to be drawn after a run that took these tests, and this search by a score."""
    wanted = prepared.options.bootstrap
    if wanted != "auto":
        drawable = prepared.binding.reweighted is not None
        return int(wanted) if wanted != "none" and drawable else 0
    return RESAMPLES if may_resample(prepared) and RESAMPLES * work_of(prepared, tests, best) <= MOST_WORK else 0


def may_resample(prepared: Prepared) -> bool:
    """Whether ``auto`` draws resamples at all: of tables, with compiled tests, and not where authors are followed."""
    compiled = prepared.binding.ci.score_name is not None and isinstance(prepared.settings.baseline, PC)
    return prepared.binding.reweighted is not None and compiled and prepared.options.preset != "paper"


def work_of(prepared: Prepared, tests: TestCounts, best: BestDag | None) -> float:
    """Return about how many nanoseconds a resample takes."""
    ci, rows = prepared.binding.ci, prepared.table.n_rows if prepared.table is not None else 0
    n, kind = ci.n_variables, 0 if isinstance(ci, BoundTableTest) else 1
    conditional = sum(tests.by_order[1:])
    filled = _FILLED * rows * n * n if prepared.binding.missing == "em" else 0.0
    return (
        _ANY
        + n * _VARIABLE[kind]
        + n * n * _PAIR
        + conditional * (_TEST_ROW * rows if kind == 0 else _TEST)
        + (0.0 if best is None else _SCORED[kind] * best.work)
        + filled
    )
