"""From what the caller gives (a table, a test by name) to a test that knows its data.

The choice of ``auto`` is made here: a test for discrete data if every column is discrete, one for continuous data if
every column is continuous, and one for both side by side otherwise.

The test is bound to its variables in their canonical order, so that nothing as large as a correlation matrix has to be
put into that order afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.independence import (
    BoundCITest,
    BoundFisherZ,
    ChiSquareTest,
    CITest,
    CustomTest,
    DegenerateGaussian,
    FisherZ,
    GTest,
    MutualInformation,
)
from hccd.independence.degenerate_gaussian import MOST_STATES, refuse_many_states
from hccd.independence.protocol import check_probability, order_by_content
from hccd.independence.transforms import check_positive, outlying_rows, transformed
from hccd.independence.with_gaps import bind_em, bind_testwise
from hccd.run.gaps import done_about_gaps, said_about_gaps
from hccd.run.options import Options
from hccd.run.settings import Settings
from hccd.run.suited import Suited, filled, suited
from hccd.tables import (
    Finding,
    FindingKind,
    Kind,
    MixedColumns,
    Table,
    column_keys,
    guessed_kinds,
    inspect_kinds,
    inspect_table,
    mixed_columns,
)
from hccd.tables.checks import FEWEST_COLUMNS
from hccd.wording import columns_named, counted, listed

#: What can be done to the continuous columns of a table that has others as well.
MIXED_TRANSFORMS = ("auto", "none", "normal-scores", "log")


@dataclass(frozen=True, eq=False)
class Binding:
    """A test with its data, the names of the variables, and what was found about the data.

    Variable i of ``ci`` is the caller's variable ``columns[i]``; ``names`` are in the caller's order. ``suited`` says
    what was done to continuous columns; None for all others. ``missing`` is what was done about missing cells, if any.
    """

    ci: BoundCITest
    columns: NDArray[np.int64]
    names: tuple[str, ...]
    n_samples: int | None
    findings: tuple[Finding, ...] = ()
    suited: Suited | None = None
    missing: str | None = None


def bind_bound(ci: BoundCITest, options: Options) -> Binding:
    """Take a test that is bound already; what only a table could use is refused."""
    own = _names_of(ci, options)
    return Binding(*_in_canonical_order(ci, own), own, None)


def bind_table(table: Table, spec: CITest, transform: str = "none", missing: str = "auto") -> Binding:
    """Bind a test to a table, and look through the table; ``missing`` says what is done about missing cells."""
    if table.n_missing.any():
        done = done_about_gaps(table, spec, missing)
        if isinstance(spec, FisherZ | DegenerateGaussian):
            return _bind_with_gaps(table, spec, transform, done)
    if isinstance(spec, FisherZ):
        return _bind_continuous(table, spec, transform)
    if isinstance(spec, DegenerateGaussian):
        return _bind_mixed(table, spec, transform)
    if transform not in ("auto", "none"):
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for continuous data and the test 'fisher-z': leave it out"
        )
    if isinstance(spec, GTest | ChiSquareTest | MutualInformation):
        coded = table.codes()
        order = order_by_content(keys := column_keys(coded.codes), table.names)
        gaps = coded.gaps[order] if coded.gaps.any() else None
        ci: BoundCITest = spec.bind_columns(coded.codes.T[order], [keys[i] for i in order], gaps)
        kind = Kind.DISCRETE
    else:
        # A test of the user's own gets numbers as they are, only text has to be coded; and it may know its columns
        # by their numbers, so they stay where they are.
        own_ci = spec.bind(table.codes().codes if table.texts else table.continuous())
        if own_ci.n_variables != table.n_columns:
            raise InvalidParameterError(
                f"the test has {own_ci.n_variables} variables, the table {table.n_columns} columns"
            )
        ci, order = _in_canonical_order(own_ci, table.names)
        kind = Kind.CONTINUOUS if Kind.CONTINUOUS in table.kinds else Kind.DISCRETE
    correlation = ci.correlation if isinstance(ci, BoundFisherZ) else None
    findings = inspect_table(table, kind, correlation, order)
    if not table.n_missing.any():
        return Binding(ci, order, table.names, table.n_rows, tuple(findings))
    findings = said_about_gaps(table, done, ci) + findings
    return Binding(ci, order, table.names, table.n_rows, tuple(findings), missing=done)


def _bind_continuous(table: Table, spec: FisherZ, transform: str) -> Binding:
    """Bind Fisher's z to the columns in their canonical order, after the transform."""
    values = table.numbers()
    order = order_by_content(keys := column_keys(values), table.names)
    columns = values.T[order]
    if transform == "log":
        check_positive(values.T, table.names)
    choice = suited(columns) if transform == "auto" else Suited(transform)
    ci = spec.bind_columns(columns, [keys[i] for i in order], choice.transform)
    # Copies and collinear columns are told from the values as they are.
    raw = ci.correlation if choice.transform == "none" else None
    findings = inspect_table(table, Kind.CONTINUOUS, raw, order)
    if transform == "auto":
        findings += _what_auto_did(choice.transform, columns)
    return Binding(ci, order, table.names, int(ci.n_samples), tuple(findings), choice)


def _bind_mixed(table: Table, spec: DegenerateGaussian, transform: str) -> Binding:
    """Bind the degenerate Gaussian test to the columns in their canonical order; the continuous ones are transformed.

    Kinds are looked through one at a time.
    """
    if transform not in MIXED_TRANSFORMS:
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for tables of continuous columns only: choose one of "
            f"{', '.join(MIXED_TRANSFORMS)}"
        )
    columns = mixed_columns(table)
    order = order_by_content(columns.keys, table.names)
    measured = [i for i in order.tolist() if table.kinds[i] is Kind.CONTINUOUS]
    values = columns.values[measured]
    if transform == "log" and measured:
        check_positive(values, [table.names[i] for i in measured])
    choice = suited(values) if transform == "auto" else Suited(transform)
    if choice.transform not in MIXED_TRANSFORMS:
        # Rows that are far off in some columns may be all right in the others.
        choice = replace(choice, transform="none")
    if choice.transform != "none":
        changed = columns.values.copy()
        changed[measured] = transformed(choice.transform, values)
        columns = columns._replace(values=changed)
    ci, order = _in_canonical_order(spec.bind_columns(columns, table.names), table.names)
    findings = guessed_kinds(table) + inspect_kinds(table)
    if transform == "auto":
        findings += _what_auto_did(choice.transform, values)
    return Binding(ci, order, table.names, table.n_rows, tuple(findings), choice)


def _bind_with_gaps(table: Table, spec: FisherZ | DegenerateGaussian, transform: str, done: str) -> Binding:
    """Bind a test to columns with missing cells; the continuous ones are transformed by what is observed of them."""
    if transform not in (*MIXED_TRANSFORMS, "trim"):
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for tables without missing values: choose one of "
            f"{', '.join(MIXED_TRANSFORMS)}"
        )
    mixed = isinstance(spec, DegenerateGaussian)
    if mixed:
        columns = mixed_columns(table)
        refuse_many_states(columns, table.names)
    else:
        numbers = table.numbers()
        columns = MixedColumns(numbers.T, np.zeros(table.n_columns, np.int64), column_keys(numbers))
    check_probability("alpha", spec.alpha)
    order = order_by_content(columns.keys, table.names)
    measured = [i for i in order.tolist() if not mixed or table.kinds[i] is Kind.CONTINUOUS]
    values = columns.values[measured]
    judged = filled(values)
    if transform == "log" and measured:
        check_positive(values, [table.names[i] for i in measured])
    choice = suited(judged) if transform == "auto" else Suited(transform)
    if mixed and choice.transform not in MIXED_TRANSFORMS:
        choice = replace(choice, transform="none")
    changed = columns.values.copy()
    if choice.transform == "trim":
        changed = changed[:, ~outlying_rows(judged)]
    elif choice.transform != "none":
        changed[measured] = transformed(choice.transform, values)
    columns = MixedColumns(changed[order], columns.states[order], [columns.keys[i] for i in order])
    ci = bind_em(spec, columns) if done == "em" else bind_testwise(spec, columns)
    findings = said_about_gaps(table, done, ci)
    findings += guessed_kinds(table) + inspect_kinds(table) if mixed else inspect_table(table, Kind.CONTINUOUS)
    if transform == "auto":
        findings += _what_auto_did(choice.transform, judged)
    return Binding(ci, order, table.names, changed.shape[1], tuple(findings), choice, done)


def _what_auto_did(transform: str, columns: NDArray[np.float64]) -> list[Finding]:
    """Say what ``auto`` did to the columns, if it did something."""
    if transform == "none":
        return []
    if transform == "trim":
        rows = np.flatnonzero(outlying_rows(columns)) + 1
        numbers = listed([f"{row:,}" for row in rows.tolist()])
        said = (
            f"{counted(len(rows), 'row is', 'rows are')} far from all others in many columns and left out "
            f"({'row' if len(rows) == 1 else 'rows'} {numbers})"
        )
    else:
        said = (
            "columns tell more about each other by the order of their values than by the values, as with outliers or "
            "curved relations, and normal scores of their ranks are taken"
        )
    return [Finding(FindingKind.TRANSFORM, (), f"{said}: the transform 'none' takes the values as they are")]


def _in_canonical_order(ci: BoundCITest, names: Sequence[str]) -> tuple[BoundCITest, NDArray[np.int64]]:
    """Put a bound test's variables into their canonical order."""
    order = ci.canonical_order(names)
    return ci.reordered(order), order


def _names_of(ci: BoundCITest, options: Options) -> tuple[str, ...]:
    """Return the names of a bound test's variables."""
    if options.discrete or options.continuous or options.ordinal:
        raise InvalidParameterError(
            "discrete, continuous and ordinal cannot be set any more: the test is bound already"
        )
    if options.test != "auto" or options.alpha is not None or options.threshold is not None:
        raise InvalidParameterError("test, alpha and threshold cannot be set any more: the test is bound already")
    if options.missing != "auto":
        raise InvalidParameterError("missing cannot be set any more: the test is bound already")
    if options.transform not in ("auto", "none"):
        raise InvalidParameterError("transform cannot be set any more: the test is bound already")
    if options.names is None:
        return tuple(f"X{i + 1}" for i in range(ci.n_variables))
    own = tuple(str(name) for name in options.names)
    if len(own) != ci.n_variables:
        raise InvalidParameterError(f"there are {len(own)} names for {ci.n_variables} variables: give one each")
    if len(set(own)) != len(own):
        raise InvalidParameterError("two variables have the same name: give each its own")
    return own


def specification(
    test: str | CITest | Callable[..., Any], alpha: float | None, threshold: float | Sequence[float] | None
) -> CITest:
    """Return the specification that ``test`` stands for."""
    if isinstance(test, type):
        raise InvalidParameterError(f"test is the class {test.__name__}; give an instance, such as {test.__name__}()")
    if not isinstance(test, str):
        if threshold is not None or (alpha is not None and hasattr(test, "bind")):
            raise InvalidParameterError(
                "alpha and threshold belong to the test's own specification here: set them there"
            )
        if hasattr(test, "bind"):
            return test
        if not callable(test):
            raise InvalidParameterError(f"test is {test!r}; give a name, a specification or a function")
        return CustomTest(test) if alpha is None else CustomTest(test, alpha)
    if threshold is not None and test != "mi":
        raise InvalidParameterError(f"threshold belongs to the test 'mi'; the test {test!r} has alpha")
    if test == "mi":
        if isinstance(threshold, Sequence):
            raise InvalidParameterError(f"threshold is {threshold!r}; give one amount of information in nats")
        return MutualInformation() if threshold is None else MutualInformation(threshold)
    specs: dict[str, type[FisherZ] | type[DegenerateGaussian] | type[GTest] | type[ChiSquareTest]] = {
        "fisher-z": FisherZ,
        "dg": DegenerateGaussian,
        "g": GTest,
        "chi2": ChiSquareTest,
    }
    return specs[test]() if alpha is None else specs[test](alpha)


def without_free_text(table: Table) -> tuple[Table, list[Finding]]:
    """Leave out text that names rows rather than states, where a table has other columns of both kinds or of numbers.

    Text is taken for that if it has hardly two rows for each, or more states than the test for mixed tables takes.
    """
    if Kind.CONTINUOUS not in table.kinds:
        return table, []
    most = min(MOST_STATES, table.n_rows // 2)
    free = {i for i, text in table.texts.items() if len(text.states) > most}
    kept = [i for i in range(table.n_columns) if i not in free]
    if not free or len(kept) < FEWEST_COLUMNS:
        return table, []
    named = columns_named([table.names[i] for i in sorted(free)])
    verb, are = ("holds", "is") if len(free) == 1 else ("hold", "are")
    said = f"{named} {verb} free text or identifiers (more than {counted(most, 'state')}) and {are} left out"
    return table.part(kept), [Finding(FindingKind.LEFT_OUT, (), said)]


def chosen_test(table: Table, settings: Settings) -> str:
    """Return the test that ``auto`` stands for: told from the columns."""
    if table.ordinal or len(set(table.kinds)) > 1:
        return settings.mixed_test
    return settings.discrete_test if table.kinds[0] is Kind.DISCRETE else settings.continuous_test
