"""The total effect of a variable on another, for every set of parents that the cause can have (IDA).

In each DAG of the class the effect is found by adjusting for the parents of the cause, whatever else the DAG has
(Pearl 2000; Maathuis, Kalisch and Buehlmann 2009). So the possible effects are as many as the possible sets of parents.
"""

from __future__ import annotations

from numbers import Real

from hccd.effects.columns import Column, columns_of
from hccd.effects.linear import on_the_mean
from hccd.effects.parent_sets import ParentSet, parent_sets
from hccd.effects.states import on_the_states
from hccd.effects.value import Contrast, Effect, Possibility
from hccd.errors import InvalidDataError, InvalidParameterError
from hccd.graphs import PDAG
from hccd.tables import Table
from hccd.wording import quoted


def effect_of(graph: PDAG, table: Table, test: str, cause: int, effect: int, level: float) -> Effect:
    """Estimate the possible effects of one variable on another.

    ``table`` has the graph's variables in the same places; ``test`` is the name of the run's test, which decides how
    columns are understood.
    """
    if cause == effect:
        raise InvalidParameterError(f"{quoted(table.names[cause])} is both cause and effect: give two variables")
    if not (isinstance(level, Real) and 0.0 < level < 1.0):
        raise InvalidParameterError(f"level is {level!r}; give a number between 0 and 1, for example 0.95")
    sets = parent_sets(graph, cause)
    concerned = sorted({cause, effect}.union(*(each.parents for each in sets)))
    columns = dict(zip(concerned, columns_of(table, test, concerned), strict=True))
    found: list[Possibility] = []
    left_out = 0.0
    for each in sets:
        absent = _absent(table.names, cause, effect, each)
        contrasts: tuple[Contrast, ...] = ()
        if not absent:
            parents = [columns[parent] for parent in each.parents]
            contrasts, share = _contrasts(columns[cause], columns[effect], parents, level)
            left_out = max(left_out, share)
        found.append(Possibility(tuple(table.names[parent] for parent in each.parents), absent, contrasts))
    notes = ()
    if left_out > 0.0:
        notes = (
            f"Some states of {quoted(table.names[cause])} never occur with some values of its parents: "
            f"up to {100 * left_out:.2g} % of the rows say nothing about them and are left out.",
        )
    rows = len(columns[cause].values)
    return Effect(table.names[cause], table.names[effect], rows, float(level), tuple(found), notes)


def _absent(names: tuple[str, ...], cause: int, effect: int, possible: ParentSet) -> str:
    """Say why there is no effect in DAGs with these parents; nothing if there may be one."""
    if effect in possible.parents:
        return f"{quoted(names[effect])} is a cause of {quoted(names[cause])}"
    if effect not in possible.reachable:
        return f"no directed path leads from {quoted(names[cause])} to {quoted(names[effect])}"
    return ""


def _contrasts(
    cause: Column, effect: Column, parents: list[Column], level: float
) -> tuple[tuple[Contrast, ...], float]:
    """Return the effect by the method that suits the columns, and the share of rows that could not be used."""
    if effect.states is None:
        return on_the_mean(cause, effect, parents, level), 0.0
    numbers = [each.name for each in (cause, *parents) if each.states is None]
    if numbers:
        raise InvalidDataError(
            f"{quoted(effect.name)} is discrete and {quoted(numbers[0])} is continuous: effects on discrete variables "
            "are estimated from discrete causes with discrete parents; group the values of the column, or give the "
            "graph to DoWhy (to_dowhy)"
        )
    return on_the_states(cause, effect, parents, level)
