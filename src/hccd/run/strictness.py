"""Which level or price is asked for, and whether the data can choose it; refused before anything takes long."""

from __future__ import annotations

from hccd.errors import InvalidParameterError
from hccd.independence import BoundFisherZ
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian
from hccd.independence.tables import BoundTableTest
from hccd.run.binding import Binding
from hccd.run.options import Options
from hccd.tables import Table

#: Each of the parts that are held out must have some rows.
FEWEST_ROWS = 50


def left_to_the_data(options: Options) -> str | None:
    """Return what is to be chosen by the data: ``alpha``, ``price``, or nothing."""
    return next((name for name in ("alpha", "price") if getattr(options, name) == "auto"), None)


def check_strictness(options: Options, table: Table | None, binding: Binding, score: str | None) -> None:
    """Refuse a price without a score, and a choice that these data cannot make."""
    if options.price is not None and score is None:
        raise InvalidParameterError(
            "price is the penalty of an edge in the score search, and there is no score search here: leave it out"
        )
    name = left_to_the_data(options)
    if name is None:
        return
    why = None
    if options.alpha == options.price:
        why = "and so is price: give a number for one of them"
    elif table is None or not levelled(binding):
        why = "which is for tables and the tests 'fisher-z', 'dg', 'g' and 'chi2': give a number"
    elif table.weights is not None:
        why = "and weighted rows cannot be held out: give a number"
    elif table.n_missing.any():
        why = "and cells are missing: drop incomplete rows (missing 'rows'), or give a number"
    elif table.n_rows < FEWEST_ROWS:
        why = f"and there are fewer than {FEWEST_ROWS} rows to hold some out: give a number"
    if why is not None:
        raise InvalidParameterError(f"{name} is 'auto', {why}", go_on={name: None})


def levelled(binding: Binding) -> bool:
    """Whether a test is compiled and has a level, so that it can be made again at another."""
    return isinstance(binding.ci, BoundFisherZ | BoundDegenerateGaussian | BoundTableTest) and (
        binding.ci.alpha is not None
    )
