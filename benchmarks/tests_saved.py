"""How many independence tests the wrapper saves: HCCD against PC on the paper's random graphs.

    python -m benchmarks tests-saved [--variables 100] [--graphs 20] [--connectivity 3 5 7]

Both sides are PC-stable with the same order of conditioning sets, Fisher's z at 0.01, 1000 samples; the ratio is the
mean over graphs of HCCD's tests over PC's on the same graph. Tests for orientation are left out on both sides: the
collider rule is not the wrapper's.
"""

from __future__ import annotations

import argparse
from typing import Literal

import numpy as np

import hccd
from hccd.datasets.synthetic import LinearGaussian, random_dag

#: The paper's table of normalized numbers of tests (appendix B), HCCD.
PAPER = {3: 0.80, 4: 0.74, 5: 0.66, 6: 0.61, 7: 0.58}
SAMPLES = 1000


def tests(result: hccd.HCCDResult) -> int:
    """Tests made for the skeleton."""
    return result.tests.total - sum(result.tests.by_stage.get("colliders", ()))


def ratio(
    n: int, connectivity: float, seed: int, min_size: int, inner_order: int | Literal["none"]
) -> tuple[int, float, bool]:
    """PC's tests, HCCD's as a share of them, and whether the skeletons agree."""
    rng = np.random.default_rng(seed)
    dag = random_dag(n, connectivity, rng).dag
    data = LinearGaussian.random(dag, rng).shuffled(rng).sample(SAMPLES, rng)
    test = hccd.FisherZ(0.01)
    pc = hccd.discover(data, bootstrap="none", test=test, method="pc", colliders="separating-set")
    wrapped = hccd.discover(
        data,
        bootstrap="none",
        test=test,
        splitter=hccd.SpectralSplitter(min_size=min_size),
        inner_order=inner_order,
        scoring="none",
        colliders="separating-set",
    )
    return tests(pc), tests(wrapped) / tests(pc), pc.skeleton == wrapped.skeleton


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tests-saved", description=__doc__)
    parser.add_argument("--variables", type=int, default=100)
    parser.add_argument("--graphs", type=int, default=20)
    parser.add_argument("--connectivity", type=float, nargs="+", default=[3, 5, 7])
    parser.add_argument("--min-size", type=int, default=6, help="leaves of the tree have at most so many variables")
    parser.add_argument("--inner-order", default="2", help="largest sets before the root's refine, or none")
    options = parser.parse_args(arguments)
    inner = "none" if options.inner_order == "none" else int(options.inner_order)
    print(f"{options.variables} variables, {SAMPLES} samples, {options.graphs} graphs,", end=" ")
    print(f"leaves of {options.min_size}, inner order {options.inner_order}")
    print("| connectivity | tests of PC | HCCD / PC | spread | paper | same skeleton |")
    print("|---|---|---|---|---|---|")
    for connectivity in options.connectivity:
        rows = [ratio(options.variables, connectivity, seed, options.min_size, inner) for seed in range(options.graphs)]
        counts, ratios, same = (np.array(column) for column in zip(*rows, strict=True))
        paper = PAPER.get(int(connectivity), float("nan")) if options.variables == 100 else float("nan")
        print(
            f"| {connectivity:g} | {counts.mean():,.0f} | {ratios.mean():.3f} | {ratios.std():.3f} "
            f"| {paper:.2f} | {same.sum()} of {len(same)} |"
        )
