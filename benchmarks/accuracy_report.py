"""What the ledger of ``accuracy.py`` says: errors of every learner by cell, and the default against the best peer.

A standard error is that of the mean over seeds; who was not asked has an empty field. The best peer of a cell has the
lowest mean SHD compared with the default's, on the tables that both learned from; it is chosen by the figures it is
shown with, which flatters it. The default is *behind* where the paired difference is more than two standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.store import DONE, STOPPED, Record, known_by
from hccd.studies.cells import AnyCell
from hccd.studies.run_store import RunStore

DEFAULT, TESTS = "default", "tests alone"
#: How many standard errors of a difference are more than noise.
CLEAR = 2.0
#: Tables that a peer must have in common with the default, if that has so many.
FEWEST = 2


@dataclass(frozen=True)
class Known:
    """The ledger as the present versions of the learners see it, for some seeds."""

    store: RunStore
    versions: Mapping[str, str]
    seeds: range

    def records(self, cell: AnyCell, learner: str) -> dict[int, Record]:
        """Return by seed what a learner did in a cell."""
        seeds = range(self.seeds.start, self.seeds.start + (cell.seeds or len(self.seeds)))
        asked = {seed: self.store.find(known_by(cell.name, learner, seed, self.versions[learner])) for seed in seeds}
        return {seed: record for seed, record in asked.items() if record is not None}

    def done(self, cell: AnyCell, learner: str) -> dict[int, Record]:
        """Return by seed what a learner finished; nothing of one that was stopped in this cell: means would mislead."""
        records = self.records(cell, learner)
        stopped = any(record["status"] == STOPPED for record in records.values())
        return {} if stopped else {seed: record for seed, record in records.items() if record["status"] == DONE}


@dataclass(frozen=True)
class Duel:
    """The default and the best peer of a cell on the same seeds."""

    peer: str
    ours: NDArray[np.float64]
    theirs: NDArray[np.float64]

    @property
    def ratio(self) -> float:
        """Our errors for each of theirs; not a number if they have none."""
        return float(self.ours.mean() / self.theirs.mean()) if self.theirs.any() else math.nan

    @property
    def difference(self) -> tuple[float, float]:
        """The mean of the differences, and its standard error."""
        return mean_and_error(self.ours - self.theirs)

    @property
    def behind(self) -> bool:
        """Whether we have more errors, by more than noise."""
        mean, error = self.difference
        return mean > 0 and mean > CLEAR * error


def mean_and_error(values: Any) -> tuple[float, float]:
    """Return a mean and its standard error; that of one value is not known."""
    values = np.asarray(values, np.float64)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return float(values.mean()), float(error)


def in_words(values: Any, digits: int = 1) -> str:
    """Return mean and standard error as text."""
    mean, error = mean_and_error(values)
    return f"{mean:.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}")


def said(records: dict[int, Record]) -> str:
    """Return the mean SHD, its standard error, the seconds, and what else there is to say."""
    done = [record for record in records.values() if record["status"] == DONE]
    if not done or any(record["status"] == STOPPED for record in records.values()):
        stopped = [record["cap"] for record in records.values() if record["status"] == STOPPED]
        return f"not in {max(stopped):.0f} s" if stopped else "failed" if records else ""
    distances = [record["shd"] for record in done]
    taken, exact = float(np.mean([record["seconds"] for record in done])), distances.count(0)
    share = f", {exact} of {len(done)} exact" if exact else ""
    failed = f", {len(records) - len(done)} failed" if len(records) > len(done) else ""
    return f"{in_words(distances)} ({taken:.{3 if taken < 0.1 else 2}f} s{share}{failed})"


def duel(cell: AnyCell, known: Known) -> Duel | None:
    """Find the best peer of a cell; None if there is none, or nothing of ours."""
    ours = known.done(cell, DEFAULT)
    found = []
    for peer in known.versions:
        theirs = {} if peer in (DEFAULT, TESTS) else known.done(cell, peer)
        common = [seed for seed in ours if seed in theirs]
        if len(common) >= min(len(ours), FEWEST) and common:
            errors = [np.array([float(records[seed]["shd"]) for seed in common]) for records in (ours, theirs)]
            found.append(Duel(peer, *errors))
    return max(found, key=lambda each: each.difference[0], default=None)


def print_all(tables: Mapping[str, Sequence[AnyCell]], known: Known) -> None:
    """Print all errors, then the comparison with the best peers."""
    for title, cells in tables.items():
        # A table of continuous and discrete cells is printed in two: few learners take both.
        for kind in dict.fromkeys(cell.kind for cell in cells):
            print_errors(f"{title} ({kind})", [cell for cell in cells if cell.kind == kind], known)
    duels = {cell: each for cells in tables.values() for cell in cells if (each := duel(cell, known)) is not None}
    if duels:
        print_duels(duels, known)


def print_errors(title: str, cells: Sequence[AnyCell], known: Known) -> None:
    """Print the errors of all learners that have any."""
    learners = [name for name in known.versions if any(known.records(cell, name) for cell in cells)]
    if not learners:
        return
    print(f"| {title} | {' | '.join(learners)} |")
    print("|---|" + "---|" * len(learners))
    for cell in cells:
        print(f"| {cell.name} | {' | '.join(said(known.records(cell, name)) for name in learners)} |")
    print(flush=True)


def print_duels(duels: Mapping[AnyCell, Duel], known: Known) -> None:
    """Print the default against the best peer of each cell, and what follows over all of them."""
    print("| SHD | default | best peer | | ratio | difference | F1 | F1 of the peer | seeds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for cell, each in duels.items():
        ours, theirs = known.done(cell, DEFAULT), known.done(cell, each.peer)
        common = ours.keys() & theirs.keys()
        f1 = [np.mean([records[seed]["f1"] for seed in common]) for records in (ours, theirs)]
        ratio = "" if math.isnan(each.ratio) else f"{each.ratio:.2f}"
        behind = " **behind**" if each.behind else ""
        print(
            f"| {cell.name} | {in_words(each.ours)} | {in_words(each.theirs)} | {each.peer} | {ratio} "
            f"| {in_words(each.ours - each.theirs)}{behind} | {f1[0]:.3f} | {f1[1]:.3f} | {len(common)} |"
        )
    ratios = [each.ratio for each in duels.values() if not math.isnan(each.ratio)]
    # One error more on both sides, so that cells without any count as well; logarithms, so that both sides are alike.
    shifted = [math.log((each.ours.mean() + 1) / (each.theirs.mean() + 1)) for each in duels.values()]
    print()
    if ratios:
        print(f"Mean ratio over {len(ratios)} cells in which the best peer has errors: {np.mean(ratios):.2f}.")
    print(
        f"Geometric mean of (errors + 1) / (errors of the best peer + 1) over all {len(duels)} cells: "
        f"{math.exp(np.mean(shifted)):.2f}."
    )
    behind_in = [cell.name for cell, each in duels.items() if each.behind]
    print(f"Behind by more than {CLEAR:.0f} standard errors in {len(behind_in)}: {'; '.join(behind_in) or 'none'}.")
    print(flush=True)
