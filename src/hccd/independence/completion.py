"""Missing cells of discrete columns filled in by a network, so that a score can compare families on the same rows.

Families of different variables are complete on different rows, and scores of different rows cannot be compared: the
larger family always has fewer (docs/lab/ACCURACY_NOTEBOOK.md has what was tried). So after the tests each missing cell
is drawn given the rest of its row, from the graph that they left, and once more from the graph that the score found
then: structural EM with sampled cells.

The probabilities of a family come from the rows that are complete for it, and lean to the shares of the child's states
by the weight that makes these rows most probable: a parent that tells nothing in the data tells nothing in the drawn
cells either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from hccd._kernels.scores.redraw import redraw
from hccd._kernels.scores.table_families import WEIGHTS
from hccd.graphs import PDAG
from hccd.independence.table_data import RowCounts, TableData

#: How often every missing cell is drawn; the last draw stays.
SWEEPS = 8
#: Cells of a family's table for each row, at most: further parents do not help to fill in.
_CELLS_PER_ROW = 4
_SEED = 13
#: Rows that are there several times are drawn as often, up to so many rows and cells.
_MOST_ROWS, _MOST_CELLS = 1 << 22, 1 << 26


def completed(data: TableData, dag: PDAG) -> TableData:
    """Return the columns with every missing cell drawn by the graph."""
    if data.gaps is None:
        return data
    data = _drawn_apart(data)
    rng = np.random.default_rng(_SEED)
    # A column of which nothing is known has one state.
    states = np.maximum(data.states, 1).astype(np.int32)
    known = data.codes < data.states[:, None]
    counts: NDArray[np.float64] = np.ones(data.codes.shape[1])
    if data.counted is not None:
        counts *= data.counted.counts * data.counted.unit
    codes = data.codes.copy()
    rows, ends = [], [0]
    for column, there, n_states in zip(codes, known, states.tolist(), strict=True):
        missing = np.flatnonzero(~there).astype(np.int32)
        shares = np.bincount(column[there], counts[there], n_states)
        column[missing] = np.searchsorted(np.cumsum(shares)[:-1], rng.random(len(missing)) * shares.sum(), "right")
        rows.append(missing)
        ends.append(ends[-1] + len(missing))
    families = [_fitting(v, dag, states, codes.shape[1]) for v in range(len(codes))]
    tables = [_table(v, own, data.codes, known, states, counts) for v, own in enumerate(families)]
    children = [[c for c, own in enumerate(families) if v in own] for v in range(len(codes))]
    strides = [np.cumprod([1, *states[own[::-1]]], dtype=np.int64)[:-1][::-1] for own in families]
    parents, first_parent = _joined([np.array(own, np.int32) for own in families])
    network = (
        parents,
        np.concatenate(strides),
        first_parent,
        *_joined([np.array(own, np.int32) for own in children]),
        *_joined(tables),
    )
    flat, chance = np.concatenate(rows), np.empty(int(states.max()))
    for _ in range(SWEEPS):
        redraw(codes, states, flat, np.array(ends, np.int64), *network, rng.random(len(flat)), chance)
    codes.flags.writeable = False
    return TableData(codes, states, None, data.counted)


def _drawn_apart(data: TableData) -> TableData:
    """Return rows that miss cells as often as they count: one draw for all of them would make up dependences.

    Of more rows than can be drawn, all rows count for less, so that none counts more than it was drawn.
    """
    if data.counted is None:
        return data
    counts, unit, alone = data.counted
    times = np.where((data.codes >= data.states[:, None]).any(axis=0), counts * unit, 0.0)
    share = min(1.0, min(_MOST_ROWS, _MOST_CELLS // len(data.codes)) / max(times.sum(), 1.0))
    copies = np.clip(np.rint(times * share), 1, counts).astype(np.int64)
    which = np.arange(copies.sum()) - np.repeat(np.cumsum(copies) - copies, copies)
    own = np.repeat(counts // copies, copies) + (which < np.repeat(counts % copies, copies))
    apart = RowCounts(own.astype(np.int32), unit * share, alone)
    return data._replace(codes=np.repeat(data.codes, copies, axis=1), counted=apart)


def _joined(parts: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return arrays one after another, and where each begins and the last one ends."""
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)], dtype=np.int64)


def _fitting(v: int, dag: PDAG, states: NDArray[np.int32], n_rows: int) -> list[int]:
    """Return the parents of v, as many of the first ones as have a table of few cells."""
    cells, own = int(states[v]), []
    for parent in sorted(int(p) for p in dag.parents(v)):
        cells *= int(states[parent])
        if cells > _CELLS_PER_ROW * n_rows + 256:
            break
        own.append(parent)
    return own


def _table(
    v: int,
    parents: list[int],
    codes: NDArray[np.uint16],
    known: NDArray[np.bool_],
    states: NDArray[np.int32],
    counts: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the probabilities of the states of v for each combination of the parents, the last varying fastest."""
    n_states = int(states[v])
    shares = np.bincount(codes[v][known[v]], counts[known[v]], n_states)
    shares = shares / shares.sum() if shares.any() else np.full(n_states, 1.0 / n_states)
    there = known[[v, *parents]].all(axis=0)
    cell, width = np.zeros(np.count_nonzero(there), np.int64), 1
    for parent in parents:
        cell = cell * states[parent] + codes[parent][there]
        width *= int(states[parent])
    # Without any rows numpy counts in whole numbers.
    table = np.bincount(cell * n_states + codes[v][there], counts[there], width * n_states).astype(np.float64)
    table = table.reshape(width, n_states)
    occurs = table[table.sum(axis=1) > 0.0]
    rows, own = occurs.sum(axis=1), shares > 0.0
    evidence = [
        np.sum(gammaln(s) - gammaln(s + rows))
        + np.sum(gammaln(s * shares[own] + occurs[:, own]) - gammaln(s * shares[own]))
        for s in WEIGHTS
    ]
    table += WEIGHTS[int(np.argmax(evidence))] * shares
    return np.asarray(table / table.sum(axis=1, keepdims=True)).ravel()
