"""Which cells ``accuracy.py`` measures, by table: all of it data.

*Factors* are two cells for each number of variables and of neighbours. The two are opposite in graph, weights and
scale, and have different rows; so drawn that any two values of two factors meet about equally often.
"""

from __future__ import annotations

from collections.abc import Sequence

from hccd.studies.cells import (
    PAPER,
    STRONG,
    WEAK,
    WRONG,
    AnyCell,
    Cell,
    DiscreteCell,
    MixedNoiseCell,
    NetworkCell,
)

RANDOM, SCALE_FREE = "random", "scale-free"
RAW, ISCM = False, True
#: Seeds of cells that have so many variables or more: the costly ones.
FEWER_SEEDS = {1000: 2, 300: 3}

# fmt: off
FACTORS = (
    (  20, 2,  10000, SCALE_FREE, WEAK,   RAW),
    (  20, 2,    100, RANDOM,     STRONG, ISCM),
    (  20, 4,   1000, SCALE_FREE, WEAK,   ISCM),
    (  20, 4,  10000, RANDOM,     STRONG, RAW),
    (  20, 6,    100, RANDOM,     WEAK,   RAW),
    (  20, 6,   1000, SCALE_FREE, STRONG, ISCM),
    (  20, 8,  10000, SCALE_FREE, WEAK,   ISCM),
    (  20, 8,   1000, RANDOM,     STRONG, RAW),
    (  50, 2,   1000, SCALE_FREE, STRONG, ISCM),
    (  50, 2,    100, RANDOM,     WEAK,   RAW),
    (  50, 4,  10000, SCALE_FREE, WEAK,   ISCM),
    (  50, 4,   1000, RANDOM,     STRONG, RAW),
    (  50, 6,   1000, SCALE_FREE, STRONG, RAW),
    (  50, 6,  10000, RANDOM,     WEAK,   ISCM),
    (  50, 8,  10000, RANDOM,     STRONG, ISCM),
    (  50, 8,    100, SCALE_FREE, WEAK,   RAW),
    ( 100, 2,  10000, SCALE_FREE, WEAK,   ISCM),
    ( 100, 2,   1000, RANDOM,     STRONG, RAW),
    ( 100, 4,  10000, SCALE_FREE, STRONG, RAW),
    ( 100, 4,    100, RANDOM,     WEAK,   ISCM),
    ( 100, 6,   1000, RANDOM,     WEAK,   ISCM),
    ( 100, 6,    100, SCALE_FREE, STRONG, RAW),
    ( 100, 8,    100, RANDOM,     WEAK,   ISCM),
    ( 100, 8,  10000, SCALE_FREE, STRONG, RAW),
    ( 300, 2,    100, SCALE_FREE, STRONG, RAW),
    ( 300, 2,  10000, RANDOM,     WEAK,   ISCM),
    ( 300, 4,    100, RANDOM,     STRONG, RAW),
    ( 300, 4,   1000, SCALE_FREE, WEAK,   ISCM),
    ( 300, 6,   1000, RANDOM,     WEAK,   RAW),
    ( 300, 6,    100, SCALE_FREE, STRONG, ISCM),
    ( 300, 8,   1000, RANDOM,     STRONG, ISCM),
    ( 300, 8,  10000, SCALE_FREE, WEAK,   RAW),
    (1000, 2,  10000, RANDOM,     WEAK,   ISCM),
    (1000, 2,   1000, SCALE_FREE, STRONG, RAW),
    (1000, 4,   1000, SCALE_FREE, WEAK,   RAW),
    (1000, 4,    100, RANDOM,     STRONG, ISCM),
    (1000, 6,    100, SCALE_FREE, WEAK,   RAW),
    (1000, 6,  10000, RANDOM,     STRONG, ISCM),
    (1000, 8,    100, SCALE_FREE, STRONG, ISCM),
    (1000, 8,   1000, RANDOM,     WEAK,   RAW),
)
#: Published networks and their numbers of variables.
NETWORKS = (
    ("asia", 8), ("sachs", 11), ("child", 20), ("insurance", 27), ("water", 32), ("mildew", 35), ("alarm", 37),
    ("barley", 48), ("hailfinder", 56), ("hepar2", 70), ("win95pts", 76), ("pathfinder", 109), ("munin1", 186),
    ("andes", 223), ("pigs", 441),
)
# fmt: on


def seeds_for(n: int) -> int | None:
    """Return how many seeds cells of so many variables get, if not as many as asked for."""
    return next((seeds for least, seeds in FEWER_SEEDS.items() if n >= least), None)


#: Tables by title, and their rows.
CELLS: dict[str, Sequence[AnyCell]] = {
    "Linear Gaussian data": [
        Cell(20, 4, 1000),
        Cell(50, 4, 500),
        Cell(100, 4, 100),
        Cell(100, 4, 1000),
        Cell(100, 4, 10_000),
        Cell(100, 6, 1000),
        Cell(100, 8, 1000),
        Cell(50, 8, 1000),
        Cell(300, 4, 1000),
        Cell(300, 4, 10_000),
        Cell(50, 4, 10_000, "scale-free"),
        Cell(100, 8, 1000, "scale-free", WEAK),
        Cell(100, 3, 500, "paper's generator", PAPER),
    ],
    "Factors": [
        Cell(n, degree, rows, graph, weights, standardised=scale, seeds=seeds_for(n))
        for n, degree, rows, graph, weights, scale in FACTORS
    ],
    "Discrete networks": [
        NetworkCell(name, n, rows, seeds_for(n)) for name, n in NETWORKS for rows in (500, 2000, 10_000)
    ],
    "Random discrete networks": [
        DiscreteCell(20, 2, 500),
        DiscreteCell(20, 4, 2000),
        DiscreteCell(50, 2, 2000),
        DiscreteCell(50, 3, 500, states=4),
        DiscreteCell(50, 4, 10_000),
        DiscreteCell(100, 3, 2000),
        DiscreteCell(300, 2, 1000, seeds=3),
    ],
    "Noise alone": [Cell(n, 0, rows) for n in (20, 200, 500, 1000) for rows in (10, 15, 50, 100, 1000)],
    "Noise alone, discrete": [
        DiscreteCell(n, 0, rows, 4, marginals)
        for marginals in ("uniform", "skewed")
        for n, rows in ((20, 15), (20, 100), (20, 1000), (200, 15), (200, 100), (200, 1000), (1000, 100))
    ],
    "Noise alone, mixed": [
        MixedNoiseCell(n, rows, seeds_for(n)) for n in (20, 200, 1000) for rows in (10, 15, 50, 100, 1000)
    ],
    "Many rows": [Cell(50, 4, 100_000, seeds=20), DiscreteCell(50, 4, 100_000, seeds=20)],
    "Wrong assumptions": [Cell(50, 3, 1000, model=model) for model in WRONG],
}


def chosen(only: str, up_to: int) -> dict[str, list[AnyCell]]:
    """Return the cells that have some text in their name or their table's, of at most so many variables."""
    found: dict[str, list[AnyCell]] = {}
    for title, cells in CELLS.items():
        kept = [cell for cell in cells if cell.n <= up_to and only.lower() in f"{title}: {cell.name}".lower()]
        if kept:
            found[title] = kept
    return found
