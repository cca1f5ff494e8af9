"""A look at the data before learning: everything that would be refused, and everything that may surprise.

One check is one file; here they are called in order. Nothing is changed, and nothing is learned: the only tests made
are those of all pairs, and a sample of others for the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from hccd.baselines import PC
from hccd.confidence import resamples_of, work_of
from hccd.errors import InvalidDataError
from hccd.independence import BoundCITest, BoundDegenerateGaussian, BoundFisherZ
from hccd.independence.tables import BoundTableTest
from hccd.parallel import one_blas_thread
from hccd.preflight.data_check import CheckFinding, ColumnSummary, DataCheck, Severity, WorkEstimate
from hccd.preflight.estimate import Estimate, estimate_search
from hccd.preflight.known import contradiction, known_line
from hccd.preflight.memory import gigabytes_needed, memory_sentence
from hccd.preflight.score_estimate import estimate_score
from hccd.preflight.understood import columns_understood, told_by, why_this_test
from hccd.report.check_section import size_line
from hccd.run.checks.identifiers import identifiers
from hccd.run.checks.rows import ROWS_PER_CELL, largest_set, typical_states
from hccd.run.option import shared_options
from hccd.run.options import CheckOptions, Options
from hccd.run.prepared import Prepared, known, prepare
from hccd.run.settings import settings_of
from hccd.run.signature import takes
from hccd.streams import Stream, opened, raw_or_stream
from hccd.tables import (
    Finding,
    FindingKind,
    Kind,
    RawTable,
    Table,
    as_raw_table,
    inspect_kinds,
)
from hccd.tables.checks import FEWEST_COLUMNS, flaw_problems, shape_problems
from hccd.tables.clean import clean_columns
from hccd.tables.columns import RawColumn
from hccd.tables.gaps import missing_cells
from hccd.wording import counted

# What the wrapper makes of PC's tests, in the mean of the runs in docs/DATA.md; estimates of PC come out low.
_TESTS_OF_PC = {"pc": 1.2}
_TESTS_OF_WRAPPERS = 0.8
_GRAVITY = ("error", "warning", "note")


@takes(CheckOptions)
def check_data(data: Any, options: CheckOptions) -> DataCheck:
    """Check data before learning from them.

    Parameters
    ----------
    data : table or path
        What :func:`hccd.discover` takes, missing values and other flaws included; rows that it streams are streamed.
    **options
        The fields of `hccd.run.options.CheckOptions`.

    Returns
    -------
    DataCheck
        Findings by severity (``ok`` if learning would not be refused), how the columns are interpreted, the test that
        would be used and why, and what it would cost.

    Examples
    --------
    >>> import numpy as np
    >>> import hccd
    >>> rng = np.random.default_rng(0)
    >>> dose = rng.normal(size=200)
    >>> found = hccd.check_data({"id": np.arange(200), "dose": dose, "twice": 2 * dose, "fever": rng.normal(size=200)})
    >>> found.ok, [(finding.kind, finding.columns) for finding in found.findings]
    (True, [('left-out', ()), ('collinear', ('twice', 'dose'))])
    """
    with one_blas_thread():
        return _checked(data, options)


def _checked(data: Any, options: CheckOptions) -> DataCheck:
    wanted = Options(**shared_options(options, Options))
    # What does not go together is refused before a file is read.
    settings_of(wanted)
    data = _raw(data, options.names)
    if isinstance(data, Stream):
        return _streamed(data, wanted)
    raw = data.weighted(options.weights)
    if options.discrete or options.continuous or options.ordinal:
        raw = raw.declared(options.discrete, options.continuous, options.ordinal)
    raw = raw.discretized(options.discretize)
    findings: list[CheckFinding] = []
    raw = raw.without_unusable()
    too_small = shape_problems(raw.names, raw.columns, raw.weights)
    if too_small:
        return _refused(raw, too_small)
    cleaned = clean_columns(raw.columns, raw.discrete)
    for flaw, problem in flaw_problems(raw.names, cleaned.flaws).items():
        concerned = tuple(raw.names[i] for i, column in sorted(cleaned.flaws.items()) if column.flaw is flaw)
        findings.append(CheckFinding("error", flaw.value, problem.sentence, concerned, problem.go_on))
    knowledge = known(wanted)
    contradicts = contradiction(knowledge, raw.names)
    if contradicts:
        findings.append(CheckFinding("error", "knowledge", contradicts))
    if contradicts or cleaned.flaws:
        wanted = replace(wanted, knowledge=None, tiers=None)
    usable = raw.without(cleaned.flaws)
    too_large = memory_sentence(len(raw.names))
    if too_large:
        findings.append(CheckFinding("error", "memory", too_large))
    if len(usable.names) < FEWEST_COLUMNS or too_large:
        return _result(raw, None, None, "", findings)
    said = "" if contradicts else known_line(knowledge, raw.names)
    table = raw.table_of(cleaned) if usable is raw else usable.table()
    refused = wanted.missing == "refuse" and bool(table.n_missing.any())
    if refused:
        findings += _gaps_refused(table)
    try:
        prepared = prepare(
            table,
            replace(
                wanted,
                discrete=(),
                continuous=(),
                ordinal=(),
                discretize=None,
                weights=None,
                missing="auto" if refused else wanted.missing,
            ),
        )
    except InvalidDataError as refusal:
        findings.append(CheckFinding("error", "test", refusal.sentence, (), refusal.go_on))
        findings += _by_kind(table)
        return _result(raw, table, None, "", findings)
    assert prepared.table is not None
    table = prepared.table
    test, why, found, cost = _looked_through(prepared, table, estimate=options.estimate and not cleaned.flaws)
    # What is done about gaps is not done if they are refused.
    found = [each for each in found if not (refused and each.kind == "missing")]
    return replace(_result(raw, table, test, why, findings + found, cost), knowledge=said)


def check_prepared(prepared: Prepared) -> DataCheck:
    """Look at data that are ready to be learned from; a test that came bound has none to look at."""
    table = prepared.table
    assert table is not None
    test, why, found, cost = _looked_through(prepared, table, estimate=True)
    said = known_line(prepared.knowledge, table.names)
    return replace(_result(as_raw_table(table), table, test, why, found, cost), knowledge=said)


def _streamed(stream: Stream, options: Options) -> DataCheck:
    """Look at streamed rows as a run does: all of them, and a sample."""
    try:
        prepared = prepare(stream, options)
    except InvalidDataError as refusal:
        findings = (CheckFinding("error", "shape", refusal.sentence, (), refusal.go_on),)
        columns = tuple(ColumnSummary(name, None, "", None, 0) for name in stream.names)
        return DataCheck(stream.source.n_rows, columns, "", None, "", findings)
    found, streamed = check_prepared(prepared), prepared.binding.streamed
    assert streamed is not None
    columns = tuple(replace(each, missing=prepared.n_missing[each.name]) for each in found.columns)
    return replace(found, n_rows=streamed["rows"], columns=columns)


def table_told(prepared: Prepared) -> list[str]:
    """Say how the data that are learned from were understood; warnings apart, which the result has as findings."""
    table = prepared.table
    if table is None or prepared.binding.streamed is not None:
        return []
    known = known_line(prepared.knowledge, table.names)
    return [
        size_line(table.n_rows, table.n_columns, columns_understood(table)),
        *([f"Knowledge: {known}"] if known else []),
        *(finding.sentence for finding in _rows_suffice(table, prepared.binding.ci)),
        *table.notes,
    ]


def _raw(data: Any, names: Sequence[str] | None) -> RawTable | Stream:
    if isinstance(data, RawTable):
        return data
    if isinstance(data, str | PathLike):
        return raw_or_stream(data, {})
    data = opened(data)
    return data if isinstance(data, Stream) else as_raw_table(data, names)


def _gaps_refused(table: Table) -> list[CheckFinding]:
    """Return the refusal of missing values."""
    try:
        table.refuse_gaps(missing="auto")
    except InvalidDataError as refusal:
        names = tuple(table.names[i] for i in np.flatnonzero(table.n_missing))
        return [CheckFinding("error", "missing", refusal.sentence, names, refusal.go_on)]
    return []


def _looked_through(
    prepared: Prepared, table: Table, *, estimate: bool
) -> tuple[str, str, list[CheckFinding], WorkEstimate | None]:
    """Return the test and why it is used, what the checks that need a test find, and what learning would cost."""
    binding, test = prepared.binding, prepared.options.test
    described = binding.ci.describe()
    why = why_this_test(
        table,
        test if isinstance(test, str) else "",
        described,
        transform="none" if binding.suited is None else binding.suited.transform,
        threshold_chosen=bool(prepared.thresholds),
    )
    findings = [_translated(table, finding) for finding in prepared.findings]
    ci = binding.ci
    # A choice among thresholds takes many runs, most of which end early: nothing to go by. And where tables are counted
    # in passes over rows, these take the time.
    estimate = (
        estimate
        and not prepared.thresholds
        and isinstance(ci, BoundFisherZ | BoundDegenerateGaussian | BoundTableTest)
        and not (isinstance(ci, BoundTableTest) and ci.at_hand is not ci)
    )
    findings += _rows_suffice(table, ci)
    baseline = prepared.settings.baseline
    found = None
    if estimate and isinstance(baseline, PC):
        work = float(table.n_rows) if isinstance(ci, BoundTableTest) else 100.0
        found = estimate_search(ci, prepared.marginals, baseline, work)
    spent = prepared.clock.spent("learning")
    cost = None if found is None else _cost(found, prepared, table.n_columns, spent)
    return str(described["name"]), why, findings, cost


def _cost(found: Estimate, prepared: Prepared, n_columns: int, spent: float) -> WorkEstimate:
    """Turn the tests of PC into those of the method; what is known about pairs counts as it is."""
    scale = _TESTS_OF_PC.get(prepared.options.method, _TESTS_OF_WRAPPERS)
    by_order = (round(found.by_order[0]), *(round(scale * tests) for tests in found.by_order[1:]))
    phases = {"tests": 1.5 * spent + scale * found.seconds}
    score = estimate_score(prepared)
    if score is not None:
        phases["score"] = score.seconds
        work = work_of(prepared, sum(by_order[1:]), score.squares)
        phases["bootstrap"] = 1e-9 * work * resamples_of(prepared, work)
    return WorkEstimate(sum(by_order), by_order, phases, gigabytes_needed(n_columns))


def _rows_suffice(table: Table, ci: BoundCITest) -> list[CheckFinding]:
    """Say for how large conditioning sets there are rows, if that limits the test."""
    if not isinstance(ci, BoundTableTest):
        return []
    typical = typical_states(table)
    if typical == 1.0 or (largest := largest_set(table.n_samples, typical)) < 1:
        return []
    sentence = (
        f"there are enough rows to condition on up to {counted(largest, 'column')} ({ROWS_PER_CELL} rows for each "
        f"cell, {typical:.1f} states for a column)"
    )
    return [CheckFinding("note", "rows", sentence)]


def _by_kind(table: Table) -> list[CheckFinding]:
    """Look through a table that mixes both kinds, one kind at a time."""
    found = inspect_kinds(table)
    named = {i for finding in found if finding.kind is FindingKind.IDENTIFIER for i in finding.columns}
    return [_translated(table, finding) for finding in (*identifiers(table, named), *found)]


def _translated(table: Table, finding: Finding) -> CheckFinding:
    columns = tuple(table.names[i] for i in finding.columns)
    severity: Severity = "note" if finding.kind is FindingKind.STREAMED else "warning"
    return CheckFinding(severity, finding.kind.value, finding.sentence, columns)


def _refused(raw: RawTable, problems: Sequence[InvalidDataError]) -> DataCheck:
    """Return the check of a table that is too small or no table; columns are only looked at for flaws."""
    findings = [CheckFinding("error", "shape", problem.sentence) for problem in problems]
    gaps = [0] * len(raw.names)
    if len({len(column) for column in raw.columns}) == 1 and len(raw.names) == len(raw.columns):
        gaps = list(map(_gaps, raw.columns))
        flaws = clean_columns(raw.columns, raw.discrete).flaws
        findings += [
            CheckFinding("error", flaw.value, problem.sentence, (), problem.go_on)
            for flaw, problem in flaw_problems(raw.names, flaws).items()
        ]
    columns = tuple(ColumnSummary(name, None, "", None, n) for name, n in zip(raw.names, gaps, strict=True))
    return DataCheck(raw.n_rows, columns, "", None, "", tuple(findings), None, raw.notes)


def _result(
    raw: RawTable,
    table: Table | None,
    test: str | None,
    why: str,
    findings: Sequence[CheckFinding],
    cost: WorkEstimate | None = None,
) -> DataCheck:
    known: dict[str, tuple[str, str, int | None]] = {}
    if table is not None:
        states = _numbers_of_states(table)
        for i, name in enumerate(table.names):
            known[name] = (table.kinds[i].value, told_by(table, i), states.get(i))
    same = table is not None and raw.columns is table.columns
    gaps = table.n_missing.tolist() if table is not None and same else map(_gaps, raw.columns)
    columns = tuple(
        ColumnSummary(name, *(*known.get(name, (None, "", None)), missing))
        for name, missing in zip(raw.names, gaps, strict=True)
    )
    return DataCheck(
        n_rows=raw.n_rows,
        columns=columns,
        understood="" if table is None else columns_understood(table),
        test=test,
        why=why,
        findings=tuple(sorted(findings, key=lambda finding: _GRAVITY.index(finding.severity))),
        estimate=cost if not any(finding.severity == "error" for finding in findings) else None,
        notes=raw.notes,
    )


def _gaps(column: RawColumn) -> int:
    return int(missing_cells(column).sum())


def _numbers_of_states(table: Table) -> dict[int, int]:
    """Return how many states the discrete columns have."""
    states = {i: len(text.states) for i, text in table.texts.items()}
    for i, kind in enumerate(table.kinds):
        if kind is Kind.DISCRETE and i not in states:
            values = table.columns[i]
            states[i] = len(np.unique(values[~missing_cells(values)]))
    return states
