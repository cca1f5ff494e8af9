"""Tests by correlations bound to the moments of streamed rows.

What ``binding.py`` tells from the rows is told from a sample here: which transform suits the data, ranks, and which
rows are outlying. Correlations are of all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hccd.errors import InvalidParameterError
from hccd.independence import BoundCITest, BoundFisherZ, DegenerateGaussian, FisherZ
from hccd.independence.degenerate_gaussian import BoundDegenerateGaussian, check_states
from hccd.independence.protocol import check_probability, order_by_content
from hccd.independence.transforms import Bulk, check_positive
from hccd.independence.with_gaps import bind_embedded
from hccd.parallel import one_blas_thread
from hccd.run.binding import CURVED, MIXED_TRANSFORMS, Binding
from hccd.run.suited import Suited, filled, suited
from hccd.streams.cells import MISSING, numbers
from hccd.streams.embedding import Embedded, EmbeddedMoments, Embedding, Scores
from hccd.streams.keys import stream_keys
from hccd.streams.look import Looked, plain
from hccd.streams.moments import BlockMoments, Moments, total
from hccd.streams.passes import summed
from hccd.streams.patterns import PatternMoments, Patterns
from hccd.tables import Finding, FindingKind, Kind, MixedColumns, Table, guessed_kinds, inspect_kinds, inspect_table
from hccd.tables.table import usual_scale
from hccd.wording import counted

Floats = NDArray[np.float64]
#: Makes a test of moments.
Make = Callable[[Moments | Patterns], BoundCITest]

_NO_BLOCKS = (
    "there are no resamples, so probabilities are unknown: there are too few rows to form blocks, or too many "
    "columns to keep correlations for each block"
)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The test bound to resamples: blocks of rows with weights, 0 for those that are left out."""

    blocks: Sequence[Moments | Patterns]
    make: Make

    def __call__(self, weights: Floats) -> BoundCITest:
        """Bind the test to the blocks with these weights."""
        own = [block.times(weight) for block, weight in zip(self.blocks, weights.tolist(), strict=True) if weight]
        return self.make(total(own))  # type: ignore[arg-type]  # Patterns are merged as moments are


def bind_moments(
    looked: Looked, table: Table, spec: FisherZ | DegenerateGaussian, transform: str, *, named: bool, em: bool = False
) -> Binding | None:
    """Bind a test to all rows; ``table`` is the sample.

    With ``em`` the moments are those of each pattern of missing cells; None if there are too many of these, or if
    outlying rows are to be told. Otherwise rows are complete ones, and so are those of the sample.
    """
    check_probability("alpha", spec.alpha)
    mixed = isinstance(spec, DegenerateGaussian)
    if mixed and transform not in MIXED_TRANSFORMS:
        raise InvalidParameterError(
            f"transform is {transform!r}, which is for tables of continuous columns only: choose one of "
            f"{', '.join(MIXED_TRANSFORMS)}",
            go_on={"transform": "auto"},
        )
    if not mixed:
        # Refuses text by name.
        table.numbers()
    columns = [_plain_column(looked, table, i, mixed) for i in range(table.n_columns)]
    if mixed:
        states = np.array([0 if each.ranked else len(each.states) for each in columns], np.int64)
        check_states(MixedColumns(np.zeros((len(columns), 0)), states, []), table.names, "dg")
    keys = stream_keys(looked, list(table.names), _content(dict(zip(table.names, columns, strict=True))))
    if mixed:
        keys = [key + bytes([bool(each.states) and not each.ranked]) for key, each in zip(keys, columns, strict=True)]
    order = order_by_content(keys, table.names)
    measured = [i for i in order.tolist() if not mixed or table.kinds[i] is Kind.CONTINUOUS]
    sample = _sample(table, columns, measured)
    if transform == "log" and measured:
        low = np.array([[looked.seen[table.names[i]].low] for i in measured])
        check_positive(low, [table.names[i] for i in measured])
    judged = filled(sample)
    choice = suited(judged, mixed or not named, cells=False) if transform == "auto" else Suited(transform)
    if mixed and choice.transform not in MIXED_TRANSFORMS:
        choice = replace(choice, transform="none")
    if em and choice.transform == "trim":
        return None
    embedding = _embedding(columns, order, measured, sample, choice.transform, mixed)
    blocks = _patterns(looked, embedding) if em else _moments(looked, embedding)
    if isinstance(blocks, PatternMoments) and blocks.full:
        return None
    moments = blocks.all()
    make = _maker(looked, spec, embedding, [columns[i] for i in order.tolist()], tuple(keys[i] for i in order), mixed)
    ci = make(moments)
    raw = ci.correlation if isinstance(ci, BoundFisherZ) and choice.transform == "none" else None
    findings = guessed_kinds(table) if mixed or Kind.DISCRETE not in table.kinds else []
    findings += inspect_kinds(table) if mixed else inspect_table(table, Kind.CONTINUOUS, raw, order)
    findings += _what_was_done(choice, looked, moments, asked=transform != "auto")
    if choice.curved and not mixed:
        findings.append(Finding(FindingKind.TRANSFORM, (), CURVED))
    if isinstance(ci, BoundFisherZ) and any(finding.kind is FindingKind.COLLINEAR for finding in findings):
        hard = make

        def make(own: Moments | Patterns) -> BoundCITest:
            bound = hard(own)
            return bound.softened() if isinstance(bound, BoundFisherZ) else bound

        ci = make(moments)
    drawn = blocks.drawn()
    if drawn is None:
        findings.append(Finding(FindingKind.OPTION, (), _NO_BLOCKS))
    return Binding(
        ci,
        order,
        table.names,
        int(moments.n),
        tuple(findings),
        choice,
        reweighted=None if drawn is None else Drawn(drawn, make),
        units=None if drawn is None else np.ones(len(drawn)),
    )


def _plain_column(looked: Looked, table: Table, i: int, mixed: bool) -> Embedded:
    """Return a column as it is before any transform: states of a nominal or ordinal one, or numbers of usual size."""
    name, seen = table.names[i], looked.seen[table.names[i]]
    if (mixed and table.kinds[i] is Kind.DISCRETE) or (i in table.ordinal and mixed):
        states = tuple(seen.values())
        return Embedded(name, tuple(sorted(states)) if i in table.ordinal else states, i in table.ordinal)
    return Embedded(name, scale=float(usual_scale(np.array(seen.low), np.array(seen.high))))


def _content(columns: dict[str, Embedded]) -> Callable[[Any, str], Floats]:
    """Return what gives a column as it is digested in memory: states by number, numbers as they are."""

    def content(batch: Any, name: str) -> Floats:
        cells, own = batch.column(batch.schema.get_field_index(name)), columns[name]
        if not own.states:
            return plain(numbers(cells) * np.float64(own.scale))
        codes = own.coder(cells)
        return np.where(codes == MISSING, np.nan, codes.astype(np.float64))

    return content


def _sample(table: Table, columns: list[Embedded], which: list[int]) -> Floats:
    """Return columns of the sample, as rows of numbers."""
    values = np.empty((len(which), table.n_rows))
    for own, i in zip(values, which, strict=True):
        own[:] = table.columns[i] * np.float64(columns[i].scale)
    return values


def _embedding(
    columns: list[Embedded], order: NDArray[np.int64], measured: list[int], sample: Floats, transform: str, mixed: bool
) -> Embedding:
    """Return what becomes of columns in their canonical order, by this transform."""
    if transform == "trim":
        return Embedding([columns[i] for i in order.tolist()], Bulk.of(sample))
    own = list(columns)
    if transform != "none":
        for i, values in zip(measured, sample, strict=True):
            values = values[~np.isnan(values)]
            scores = None if transform == "log" else Scores.of(values)
            middle = float(values.mean())
            largest = float(np.abs(values - middle).max()) or 1.0
            own[i] = replace(own[i], transform=transform, scores=scores, middle=middle, largest=largest)
    if transform == "curves" and mixed:
        own = [_ranks_with_curves(each) if each.ranked else each for each in own]
    return Embedding([own[i] for i in order.tolist()])


def _ranks_with_curves(column: Embedded) -> Embedded:
    """Return ranks of states with their curves; how often each occurs is left aside."""
    ranks = np.arange(len(column.states), dtype=np.float64)
    middle = float(ranks.mean())
    return replace(column, transform="curves", scores=Scores.of(ranks), middle=middle, largest=middle or 1.0)


def _moments(looked: Looked, embedding: Embedding) -> BlockMoments:
    """Return the moments of the embedded columns: those of the first pass if these are the same, or of a second one."""
    as_they_are = embedding.bulk is None and all(
        not each.states and each.transform == "none" and each.scale == 1.0 for each in embedding.columns
    )
    if as_they_are and looked.moments is not None and looked.order == embedding.names:
        return looked.moments
    names = list(embedding.names)
    made = summed(looked.source, names, lambda first: EmbeddedMoments.none(embedding, first), looked.n_jobs)
    assert made is not None
    return made.moments


def _patterns(looked: Looked, embedding: Embedding) -> PatternMoments:
    """Return the moments of the embedded columns for each pattern of missing cells."""
    blocks = PatternMoments()
    with one_blas_thread():
        for batch in looked.source.batches(list(embedding.names)):
            blocks.add(embedding(batch))
            if blocks.full:
                break
    return blocks


def _maker(
    looked: Looked,
    spec: FisherZ | DegenerateGaussian,
    embedding: Embedding,
    columns: list[Embedded],
    keys: tuple[bytes, ...],
    mixed: bool,
) -> Make:
    """Return what makes a test of moments."""
    first = embedding.first
    own = np.array([1 if each.ranked or not each.states else each.width for each in columns], np.int32)
    told = np.array([_entropy(looked, each) for each in columns])
    plain = not mixed and first[-1] == len(columns)

    def entropies(mean: Floats) -> Floats:
        entropy = told.copy()
        for v, column in enumerate(columns):
            if column.states and not column.ranked:
                rest = mean[first[v] : first[v + 1]]
                entropy[v] = _entropy_of(np.append(rest, max(1.0 - rest.sum(), 0.0)))
        return entropy

    def make(moments: Moments | Patterns) -> BoundCITest:
        if isinstance(moments, Patterns):
            rows, weights = moments.rows()
            held = np.where(np.isnan(rows), 0.0, weights)
            mean = moments.origin + np.nansum(rows * held, axis=1) / held.sum(axis=1)
            name = "fisher-z" if plain else "dg"
            return bind_embedded(rows, first, own, entropies(mean), spec.alpha, keys, name, weights)
        if plain:
            return BoundFisherZ(moments.correlation(), moments.n, spec.alpha, keys)
        entropy = entropies(moments.origin + moments.mean)
        return BoundDegenerateGaussian(moments.correlation(), first, own, entropy, moments.n, spec.alpha, keys)

    return make


def _entropy(looked: Looked, column: Embedded) -> float:
    """Return how much can be told of numbers that repeat; of those of many values there is no end."""
    states = looked.seen[column.name].states
    if states is None:
        # Numbers with fractions are counted in the sample.
        values = numbers(looked.sample.column(column.name).combine_chunks())
        counts = np.unique(values[~np.isnan(values)], return_counts=True)[1]
    else:
        counts = np.array(list(states.values()), np.int64)
    return float("inf") if 2 * len(counts) > counts.sum() else _entropy_of(counts / counts.sum())


def _entropy_of(shares: Floats) -> float:
    shares = shares[shares > 0.0]
    return -float((shares * np.log(shares)).sum())


def _what_was_done(choice: Suited, looked: Looked, moments: Moments | Patterns, *, asked: bool) -> list[Finding]:
    """Say which transform was used and what of it comes from the sample."""
    if choice.transform in ("none", "log"):
        return []
    if choice.transform == "trim":
        gone = looked.n_rows - int(moments.n)
        said = f"{counted(gone, 'row is', 'rows are')} left out: far from the bulk of a sample, or incomplete"
    elif choice.transform == "curves":
        said = "squares of values, and cubes of their normal scores by the ranks of a sample, are used as well"
        said = said if asked else f"many relations are curved, so {said}"
    else:
        said = "normal scores are used, by the ranks of a sample"
        said = said if asked else f"ranks are more strongly correlated than values, so {said}"
    said += "" if asked else ": the transform 'none' uses the values as they are"
    return [Finding(FindingKind.TRANSFORM, (), said)]
