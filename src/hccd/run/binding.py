"""From a table and the specification of a test to a test that knows its data.

The test is bound to its variables in their canonical order, so that nothing as large as a correlation matrix has to be
put into that order afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    RegressionTest,
)
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian, check_states
from hccd.independence.foreign import ForeignFunction
from hccd.independence.imputation import TIMES
from hccd.independence.protocol import check_probability, order_by_content
from hccd.independence.transforms import check_positive, outlying_rows, transformed
from hccd.independence.with_gaps import part_of
from hccd.run.gaps import done_about_gaps, said_about_gaps, with_cells_drawn
from hccd.run.options import Options
from hccd.run.reweighted import Correlated, Gapped, Repeated, Reweighted, Stacked
from hccd.run.suited import Suited, filled, suited
from hccd.run.what_auto_did import what_auto_did
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
from hccd.tables.weights import drawn_rows
from hccd.wording import quoted

Floats = NDArray[np.float64]

CURVED = (
    "many relations are curved, but Fisher's z and its score assume linear ones: edges may be wrong or missing, so use "
    "the test 'auto', which learns curves"
)
#: What can be done to the continuous columns of a table that has others as well.
MIXED_TRANSFORMS = ("auto", "none", "trim-cells", "normal-scores", "log", "curves")
#: And where cells are missing.
GAP_TRANSFORMS = ("auto", "none", "trim", "trim-cells", "normal-scores", "log", "curves")


@dataclass(frozen=True, eq=False)
class Binding:
    """A test with its data, the names of the variables, and what was found about the data.

    Variable i of ``ci`` is the caller's variable ``columns[i]``; ``names`` are in the caller's order. ``suited`` says
    what was done to continuous columns; None for all others. ``missing`` is what was done about missing cells, if any.
    ``reweighted`` binds the same test to the same columns, after the same transform, with other weights of the rows,
    0 for those that are left out; None if there are no rows. Where resamples are drawn of something else than rows of
    the table, ``units`` are how often each is there. ``streamed`` is what is recorded of rows that were streamed.
    """

    ci: BoundCITest
    columns: NDArray[np.int64]
    names: tuple[str, ...]
    n_samples: float | None
    findings: tuple[Finding, ...] = ()
    suited: Suited | None = None
    missing: str | None = None
    reweighted: Reweighted | None = None
    units: NDArray[np.float64] | None = None
    streamed: Mapping[str, Any] | None = None


def bind_bound(ci: BoundCITest, options: Options) -> Binding:
    """Take a test that is bound already; what only a table could use is refused."""
    own = _names_of(ci, options)
    return Binding(*_in_canonical_order(ci, own), own, None)


def bind_table(
    table: Table,
    spec: CITest,
    transform: str = "none",
    missing: str = "auto",
    *,
    named: bool = True,
    keys: Sequence[bytes] | None = None,
) -> Binding:
    """Bind a test to a table, and look through the table.

    ``missing`` says what is done about missing cells. A test that nobody named may give way to another. ``keys`` are
    the digests of columns of states, where their rows are not those that were digested.
    """
    done = None
    if table.n_missing.any():
        done = done_about_gaps(table, spec, missing)
        if done == "impute" and isinstance(spec, FisherZ | DegenerateGaussian):
            return _bind_imputed(table, spec, transform, named)
        if isinstance(spec, FisherZ | DegenerateGaussian | RegressionTest):
            return _bind_with_gaps(table, spec, transform, done, named)
    if isinstance(spec, FisherZ):
        return _bind_continuous(table, spec, transform, named)
    if isinstance(spec, DegenerateGaussian | RegressionTest):
        return _bind_mixed(table, spec, transform)
    if transform not in ("auto", "none"):
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for continuous data and the test 'fisher-z': leave it out",
            go_on={"transform": "auto"},
        )
    if isinstance(spec, GTest | ChiSquareTest | MutualInformation):
        coded = table.codes()
        keys = column_keys(coded.codes, table.weights) if keys is None else keys
        order = order_by_content(keys, table.names)
        gaps = coded.gaps[order] if coded.gaps.any() else None
        counted = spec.bind_columns(coded.codes.T[order], [keys[i] for i in order], gaps, table.weights)
        ci: BoundCITest = counted
        kind = Kind.DISCRETE
        again: Reweighted = counted.reweighted
    else:
        if table.weights is not None:
            raise InvalidParameterError(
                "weights cannot be used with a test of your own, which gets the rows unweighted"
            )
        if table.texts and isinstance(spec, CustomTest) and isinstance(spec.function, ForeignFunction):
            name = quoted(table.names[min(table.texts)])
            raise InvalidParameterError(
                f"the test {spec.function.name!r} is for numbers, and column {name} is text: "
                "choose a test of the package, such as 'dg', or leave the column out"
            )
        # A test of the user's own gets numbers as they are, only text has to be coded; and it may know its columns
        # by their numbers, so they stay where they are.
        values = table.codes().codes if table.texts else table.continuous()
        own_ci = spec.bind(values)
        if own_ci.n_variables != table.n_columns:
            raise InvalidParameterError(
                f"the test has {own_ci.n_variables} variables, the table {table.n_columns} columns"
            )
        ci, order = _in_canonical_order(own_ci, table.names)
        kind = Kind.CONTINUOUS if Kind.CONTINUOUS in table.kinds else Kind.DISCRETE
        again = Repeated(values, 0, lambda rows: spec.bind(rows).reordered(order))
    correlation = ci.correlation if isinstance(ci, BoundFisherZ) else None
    findings = inspect_table(table, kind, correlation, order)
    if kind is Kind.DISCRETE and Kind.CONTINUOUS not in table.kinds:
        findings = guessed_kinds(table) + findings
    if done is not None:
        findings = said_about_gaps(table, done, ci) + findings
    return Binding(ci, order, table.names, table.n_samples, tuple(findings), missing=done, reweighted=again)


def _bind_continuous(table: Table, spec: FisherZ, transform: str, named: bool) -> Binding:
    """Bind Fisher's z to the columns in their canonical order, after the transform; curves need another test."""
    values = table.numbers_of_usual_size()
    order = order_by_content(keys := column_keys(values, table.weights), table.names)
    columns = values.T[order]
    if transform == "log":
        check_positive(values.T, table.names)
    choice = _suited(columns, table, curves=not named) if transform == "auto" else Suited(transform)
    # Copies and collinear columns are told from the values as they are.
    raw = None
    own_keys = [keys[i] for i in order]
    ci: BoundFisherZ | BoundDegenerateGaussian
    again: Reweighted
    if choice.transform == "curves":
        ordered = MixedColumns(columns, np.zeros(len(order), np.int64), own_keys)
        own_names = [table.names[i] for i in order]
        embedded = DegenerateGaussian(spec.alpha).embedded(ordered, own_names, table.weights, curves=True)
        ci, again = embedded.bound(table.weights), embedded.bound
    else:
        ci = spec.bind_columns(columns, own_keys, choice.transform, table.weights)
        raw = ci.correlation if choice.transform == "none" else None
        again = Correlated.after(choice.transform, columns, table.weights, spec, own_keys)
    findings = guessed_kinds(table) if Kind.DISCRETE not in table.kinds else []
    findings += inspect_table(table, Kind.CONTINUOUS, raw, order)
    if transform == "auto":
        findings += what_auto_did(choice.transform, table, order.tolist(), columns)
    if choice.curved:
        findings.append(Finding(FindingKind.TRANSFORM, (), CURVED))
    if isinstance(ci, BoundFisherZ) and any(finding.kind is FindingKind.COLLINEAR for finding in findings):
        ci = ci.softened()
        assert isinstance(again, Correlated)
        again = replace(again, soft=True)
    return Binding(ci, order, table.names, _size(ci.n_samples), tuple(findings), choice, reweighted=again)


def _suited(columns: Floats, table: Table, curves: bool = True, beside: Floats | None = None) -> Suited:
    """Look at columns as ``auto`` does; of weighted rows at those that stand for all."""
    rows = slice(None) if table.weights is None else drawn_rows(table.weights)
    return suited(columns[:, rows], curves, beside=None if beside is None else beside[:, rows])


def _size(n_samples: float) -> int | float:
    """Return a sample size as it is recorded."""
    return int(n_samples) if n_samples == int(n_samples) else round(float(n_samples), 3)


def _bind_mixed(table: Table, spec: DegenerateGaussian | RegressionTest, transform: str) -> Binding:
    """Bind a test for all kinds to the columns in their canonical order; the continuous ones are transformed.

    Kinds are looked through one at a time.
    """
    if transform not in MIXED_TRANSFORMS:
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for tables of continuous columns only: choose one of "
            f"{', '.join(MIXED_TRANSFORMS)}",
            go_on={"transform": "auto"},
        )
    columns = mixed_columns(table)
    order = order_by_content(columns.keys, table.names)
    measured = [i for i in order.tolist() if table.kinds[i] is Kind.CONTINUOUS]
    values = columns.values[measured]
    if transform == "log" and measured:
        check_positive(values, [table.names[i] for i in measured])
    beside = np.delete(columns.values, measured, axis=0)
    choice = _suited(values, table, beside=beside) if transform == "auto" else Suited(transform)
    if choice.transform not in MIXED_TRANSFORMS:
        # Rows that are far off in some columns may be all right in the others.
        choice = replace(choice, transform="none")
    if choice.transform not in ("none", "curves"):
        changed = columns.values.copy()
        changed[measured] = transformed(choice.transform, values, table.weights, beside)
        columns = columns._replace(values=changed)
    if isinstance(spec, RegressionTest):
        _refuse_weights(table)
    curves = choice.transform == "curves"
    ci: BoundCITest
    again: Reweighted
    if isinstance(spec, RegressionTest):
        bound = spec.bind_columns(columns, table.names, curves=curves)
        ci, order = _in_canonical_order(bound, table.names)
        again = Repeated(
            columns.values,
            1,
            lambda rows: spec.bind_columns(columns._replace(values=rows), table.names, curves=curves).reordered(order),
        )
    else:
        embedded = spec.embedded(columns, table.names, table.weights, curves)
        ci, again = embedded.bound(table.weights), embedded.bound
    findings = guessed_kinds(table) + inspect_kinds(table)
    if transform == "auto":
        findings += what_auto_did(choice.transform, table, measured, values, beside)
    size = table.n_rows if table.weights is None else _size(float(table.weights.sum()))
    return Binding(ci, order, table.names, size, tuple(findings), choice, reweighted=again)


def _bind_with_gaps(
    table: Table, spec: FisherZ | DegenerateGaussian | RegressionTest, transform: str, done: str, named: bool
) -> Binding:
    """Bind a test to columns with missing cells; the continuous ones are transformed by what is observed of them."""
    if transform not in GAP_TRANSFORMS:
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for tables without missing values: choose one of "
            f"{', '.join(GAP_TRANSFORMS)}, or have the cells imputed",
            go_on={"missing": "impute"},
        )
    mixed = not isinstance(spec, FisherZ)
    if isinstance(spec, RegressionTest):
        _refuse_weights(table)
    if mixed:
        columns = mixed_columns(table)
        check_states(columns, table.names, "regression" if isinstance(spec, RegressionTest) else "dg")
    else:
        numbers = table.numbers_of_usual_size()
        keys = column_keys(numbers, table.weights)
        columns = MixedColumns(numbers.T, np.zeros(table.n_columns, np.int64), keys)
    check_probability("alpha", spec.alpha)
    order = order_by_content(columns.keys, table.names)
    measured = [i for i in order.tolist() if not mixed or table.kinds[i] is Kind.CONTINUOUS]
    values = columns.values[measured]
    judged, beside = filled(values), np.delete(columns.values, measured, axis=0)
    if transform == "log" and measured:
        check_positive(values, [table.names[i] for i in measured])
    curves = mixed or not named
    choice = _suited(judged, table, curves, beside) if transform == "auto" else Suited(transform)
    if mixed and choice.transform not in MIXED_TRANSFORMS:
        choice = replace(choice, transform="none")
    changed, kept = columns.values.copy(), np.ones(table.n_rows, np.bool_)
    if choice.transform == "trim":
        kept = ~outlying_rows(judged, table.weights)
        changed = changed[:, kept]
    elif choice.transform not in ("none", "curves"):
        changed[measured] = transformed(choice.transform, values, table.weights, beside)
    columns = part_of(columns._replace(values=changed), order)
    bind = Gapped(spec, columns, kept, done == "em", choice.transform == "curves")
    ci = bind(np.ones(table.n_rows) if table.weights is None else table.weights)
    findings = said_about_gaps(table, done, ci)
    findings += guessed_kinds(table) + inspect_kinds(table) if mixed else inspect_table(table, Kind.CONTINUOUS)
    if transform == "auto":
        looked_at = values if choice.transform == "trim-cells" else judged
        findings += what_auto_did(choice.transform, table, measured, looked_at, beside)
    size = changed.shape[1] if table.weights is None else _size(float(table.weights[kept].sum()))
    return Binding(ci, order, table.names, size, tuple(findings), choice, done, bind)


def _refuse_weights(table: Table) -> None:
    if table.weights is not None:
        raise InvalidParameterError("the test 'regression' cannot use weights: choose 'dg'", go_on={"test": "dg"})


def _bind_imputed(table: Table, spec: FisherZ | DegenerateGaussian, transform: str, named: bool) -> Binding:
    """Bind a test to the table several times one below the other, its missing cells drawn; look through it as it is.

    ``auto`` looks at one of the tables: ten with equal rows would show the same relation ten times.
    """
    whole, part = with_cells_drawn(table)
    first = bind_table(part, spec, transform, named=named)
    assert first.suited is not None
    bound = bind_table(whole, spec, first.suited.transform, named=named)
    assert whole.weights is not None and bound.reweighted is not None
    size = float(whole.weights.sum())
    findings = said_about_gaps(table, "impute", bound.ci) + guessed_kinds(table)
    findings += inspect_kinds(table) if Kind.DISCRETE in table.kinds else inspect_table(table, Kind.CONTINUOUS)
    findings += [each for each in first.findings if each.kind is FindingKind.TRANSFORM]
    again = Stacked(bound.reweighted, TIMES, size / (table.n_rows if table.weights is None else table.weights.sum()))
    return replace(
        bound,
        n_samples=_size(size),
        findings=tuple(findings),
        suited=first.suited,
        missing="impute",
        reweighted=again,
    )


def _in_canonical_order(ci: BoundCITest, names: Sequence[str]) -> tuple[BoundCITest, NDArray[np.int64]]:
    """Put a bound test's variables into their canonical order."""
    order = ci.canonical_order(names)
    return ci.reordered(order), order


def _names_of(ci: BoundCITest, options: Options) -> tuple[str, ...]:
    """Return the names of a bound test's variables."""
    if options.discrete or options.continuous or options.ordinal or options.discretize:
        raise InvalidParameterError(
            "discrete, continuous, ordinal and discretize cannot be set any more: the test is bound already"
        )
    if options.test != "auto" or options.alpha is not None or options.threshold is not None:
        raise InvalidParameterError("test, alpha and threshold cannot be set any more: the test is bound already")
    if options.missing != "auto":
        raise InvalidParameterError("missing cannot be set any more: the test is bound already")
    if options.transform not in ("auto", "none"):
        raise InvalidParameterError("transform cannot be set any more: the test is bound already")
    if options.weights is not None:
        raise InvalidParameterError("weights cannot be set any more: the test is bound already")
    if options.names is None:
        return tuple(f"X{i + 1}" for i in range(ci.n_variables))
    own = tuple(str(name) for name in options.names)
    if len(own) != ci.n_variables:
        raise InvalidParameterError(f"there are {len(own)} names for {ci.n_variables} variables: give one each")
    if len(set(own)) != len(own):
        raise InvalidParameterError("two variables have the same name: give each its own")
    return own
