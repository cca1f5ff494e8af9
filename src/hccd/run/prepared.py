"""What learning starts from, made once: the table, the test bound to it, what follows the tests, and all order-0 tests.

A check of the data and a run go on from the same value, so that a table is read, coded, bound and looked through once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.graphs.constraints import Constraints
from hccd.independence import BoundCITest, Marginals
from hccd.knowledge import Knowledge, as_knowledge
from hccd.progress import ProgressFunction, silent
from hccd.run.binding import Binding, bind_bound, bind_table
from hccd.run.checks.assumptions import assumptions
from hccd.run.checks.groups import repeated_subjects
from hccd.run.clock import Clock
from hccd.run.determined import determined_columns
from hccd.run.gaps import with_rows_chosen
from hccd.run.left_out import without_free_text, without_row_numbers
from hccd.run.non_normal import non_normal_rows
from hccd.run.options import Options
from hccd.run.seed import seed_of
from hccd.run.settings import Settings, settings_of
from hccd.run.specification import MIXED_TESTS, chosen_test, specification
from hccd.run.streamed import Streamed
from hccd.run.strictness import check_strictness
from hccd.run.threshold import grid_of
from hccd.scoring import score_for
from hccd.streams import Stream, opened
from hccd.tables import Finding, FindingKind, Table, as_table, copies, gravest_first

#: What is said about the columns of a table, as options.
_OF_COLUMNS = ("discrete", "continuous", "ordinal", "discretize", "weights")


@dataclass(frozen=True, eq=False)
class Prepared:
    """Data that are ready to learn from.

    ``table`` is None if the test came bound. ``settings`` are those of the tests; ``score`` is the name of the score
    that is to follow them, if one is. ``thresholds`` are to be chosen from, largest first, if there are any; the test
    is bound with the first. ``non_normal`` are the columns that directions are to be told by, if any are.
    ``knowledge`` is the caller's, over single columns. ``n_missing`` are the missing cells of each column of all rows
    that were streamed. ``clock`` is that of the run.
    """

    options: Options
    table: Table | None
    binding: Binding
    settings: Settings
    score: str | None
    thresholds: tuple[float, ...]
    non_normal: NDArray[np.float64] | None = None
    knowledge: Knowledge = field(default_factory=Knowledge)
    n_missing: Mapping[str, int] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)

    @property
    def seed(self) -> int:
        """The seed of what is left to chance."""
        return seed_of(self.options)

    @property
    def progress(self) -> ProgressFunction:
        """Whom to tell of the steps of the run."""
        return self.options.progress if callable(self.options.progress) else silent

    @cached_property
    def marginals(self) -> Marginals:
        """Every unconditional test, made when it is first asked for."""
        self.clock.rest()
        ci = self.binding.ci
        marginals = ci.marginals(self.options.n_jobs)
        if self.settings.correction == "fdr" and ci.has_p_values and ci.alpha is not None:
            marginals = marginals.corrected(ci.alpha)
        self.clock.lap("learning")
        return marginals

    @cached_property
    def determined(self) -> tuple[Finding, ...]:
        """What the unconditional tests show about the table."""
        if self.table is None:
            return ()
        return tuple(determined_columns(self.table, self.binding, self.marginals))

    @cached_property
    def constraints(self) -> Constraints | None:
        """What is known and what is a copy, in canonical numbers; None if there is neither."""
        names = [self.binding.names[v] for v in self.binding.columns]
        if not self.knowledge and not self.copies:
            return None
        known = self.knowledge.constraints(names) if self.knowledge else Constraints.none(len(names))
        return known.with_copies([(names.index(x), names.index(copy)) for copy, x in self.copies.items()])

    @cached_property
    def copies(self) -> dict[str, str]:
        """Columns that are copies, and of which; not those that the caller can tell apart."""
        if self.options.preset == "paper":
            return {}
        names = self.binding.names
        pairs = [(names[x], names[copy]) for x, copy in copies(self.binding.findings)]
        return {copy: x for x, copy in pairs if not self.knowledge.tells_apart(x, copy)}

    def with_test(self, ci: BoundCITest) -> Prepared:
        """Return the same with another test of the same variables, for a try that leaves no checkpoint."""
        options = replace(self.options, checkpoint=None)
        binding = replace(self.binding, ci=ci, reweighted=getattr(ci, "reweighted", None))
        return replace(self, options=options, binding=binding, clock=Clock())

    @property
    def units(self) -> tuple[int, NDArray[np.float64] | None] | None:
        """How many rows, or blocks of rows, resamples are drawn of, and their weights; None if none can be drawn."""
        if self.table is None or self.binding.reweighted is None:
            return None
        blocks = self.binding.units
        return (self.table.n_rows, self.table.weights) if blocks is None else (len(blocks), blocks)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that is to be known about the data: what the columns show, and what the unconditional tests do."""
        return (*self.binding.findings, *self.determined)


def prepare(data: Any, options: Options) -> Prepared:
    """Make a bound test of ``data``, whatever it is, and settle what follows; refuse what cannot be learned from."""
    clock = Clock()
    settings = settings_of(options)
    options = replace(options, seed=seed_of(options), random_state=None)
    table: Table | None = None
    left_out: list[Finding] = []
    thresholds: tuple[float, ...] = ()
    n_missing: dict[str, int] = {}
    if isinstance(data, BoundCITest):
        binding = bind_bound(data, options)
    else:
        # A table has its names; what is read from a file may get others.
        named_already = isinstance(data, Table)
        data = opened(data)
        stream = Streamed.of(data, options) if isinstance(data, Stream) else None
        rows_left_out: list[Finding] = []
        if stream is None:
            names = None if named_already else options.names
            table = as_table(data, names, **{name: getattr(options, name) for name in _OF_COLUMNS})
            left_out = [Finding(FindingKind.LEFT_OUT, (), sentence) for sentence in table.left_out]
            table, rows_left_out = with_rows_chosen(table, options.missing)
            left_out += rows_left_out
        else:
            table = stream.table
        test = options.test
        # What names subjects may be left out below.
        grouped = repeated_subjects(table)
        named = [table.names[i] for each in grouped for i in each.columns]
        if isinstance(test, str):
            stream = None if stream is None else stream.without_row_numbers()
            table, row_numbers = without_row_numbers(table) if stream is None else (stream.table, [])
            left_out += row_numbers
        if isinstance(test, str) and test in ("auto", *MIXED_TESTS):
            stream = None if stream is None else stream.without_free_text()
            table, free_text = without_free_text(table) if stream is None else (stream.table, [])
            left_out += free_text
        test = chosen_test(table, settings) if test == "auto" else test
        thresholds = grid_of(test, options.threshold, settings)
        alpha = None if options.alpha == "auto" else options.alpha
        spec = specification(test, alpha, thresholds[0] if thresholds else options.threshold)
        transform = "none" if options.preset == "paper" and options.transform == "auto" else options.transform
        # Where rows are streamed, those that are looked at are a sample.
        looked_at = table
        if stream is None:
            binding = bind_table(table, spec, transform, options.missing, named=options.test != "auto")
        else:
            # Those who follow a run hear of passes over its rows; a function of the caller's own only of its steps.
            note = getattr(options.progress, "note", _unheard)
            table, binding = stream.bound(spec, transform, options.missing, named=options.test != "auto", note=note)
            left_out += stream.findings
            n_missing = dict(zip(stream.table.names, stream.n_missing.tolist(), strict=True))
        if rows_left_out:
            binding = replace(binding, missing="rows")
        if options.alpha not in (None, "auto") and binding.ci.describe()["name"] == "mi":
            sentence = f"alpha {options.alpha:g} is not used: the test 'mi' compares with a threshold"
            left_out.append(Finding(FindingKind.OPTION, (), sentence))
        places = [(table.names.index(name),) if name in table.names else () for name in named]
        grouped = [each._replace(columns=place) for each, place in zip(grouped, places, strict=True)]
        binding = replace(binding, findings=(*left_out, *binding.findings, *grouped))
        found = assumptions(table if stream is None else looked_at, binding, grouped=bool(grouped))
        binding = replace(binding, findings=gravest_first([*binding.findings, *found]))
    # Knowledge that contradicts itself, and a score that does not fit, are refused now, not after hours of tests.
    knowledge = known(options).resolved(binding.names)
    score = score_for(binding.ci, settings.scoring, needed=settings.score_alone)
    if settings.score_alone and thresholds:
        raise InvalidParameterError(
            "thresholds are chosen by the graphs of the tests, and 'score' makes no tests: give one threshold"
        )
    clock.lap("learning")
    rows = None if settings.undirected == "keep" else non_normal_rows(table, binding)
    prepared = Prepared(
        options, table, binding, settings.before(score), score, thresholds, rows, knowledge, n_missing, clock
    )
    check_strictness(options, table, binding, score)
    _ = prepared.constraints
    return prepared


def _unheard(_sentence: str) -> None:
    """Say it to nobody."""


def known(options: Options) -> Knowledge:
    """Return what the caller knows: the knowledge, with the tiers if these are given by themselves."""
    own = Knowledge() if options.knowledge is None else as_knowledge(options.knowledge)
    if options.tiers is None:
        return own
    if own.tiers:
        raise InvalidParameterError("the tiers are given twice, as tiers and in the knowledge: leave one out")
    if len(options.tiers) == 1:
        raise InvalidParameterError(
            "there is only one tier: give a second one, or declare the columns as roots in the knowledge"
        )
    return Knowledge(**own.describe() | {"tiers": options.tiers})
