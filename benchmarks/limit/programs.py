"""The plain C programs: compiled here, run on the input of our own search.

The programs get what our search works on (the correlation matrix or the coded columns, in the canonical order of the
columns, and a table of critical values), so they make the same tests in the same order; whoever reads the measurements
checks that the counts and the edges are equal.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, ndtri

import hccd
from benchmarks.timed_run import pairs_digest
from benchmarks.workloads import Workload

HERE = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-std=gnu11")
#: Largest conditioning set that the programs take.
MOST_ORDERS = 64
#: Most states of a column, as in the program.
MOST_STATES = 4096
#: Runs inside a process, of which the best counts.
RUNS = 5


class CompilerMissingError(Exception):
    """There is no C compiler here."""


class Counted(NamedTuple):
    """What a program printed, and the pairs that it kept, in the numbers of the data's columns."""

    cpu: float
    tests: list[int]
    pairs: NDArray[np.int64]


def compiler() -> str | None:
    """Return the C compiler, or None."""
    return shutil.which("gcc") or shutil.which("cc")


def version() -> str:
    """Return the programs and flags in few letters."""
    content = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sorted([*HERE.glob("*.c"), *HERE.glob("*.h")]):
        content.update(path.read_bytes())
    return content.hexdigest()[:8]


def compiled(program: str, directory: Path, *definitions: str) -> Path:
    """Compile a program, unless this version of it is there already, and return it."""
    tool = compiler()
    if tool is None:
        raise CompilerMissingError("the plain C programs need gcc: install it, or leave the limit out")
    directory.mkdir(parents=True, exist_ok=True)
    binary = directory / "-".join([program, *definitions, version()])
    if not binary.exists():
        source = HERE / f"{program}.c"
        macros = [f"-D{definition}" for definition in definitions]
        subprocess.run([tool, *FLAGS, *macros, "-o", str(binary), str(source), "-lm"], check=True)
    return binary


def run(workload: Workload, data: Path, directory: Path) -> dict[str, Any]:
    """Measure the program on a workload; the keys are those of any measurement."""
    search = gaussian_skeleton if workload.kind == "continuous" else discrete_skeleton
    found = search(np.load(data), workload.alpha, directory, RUNS)
    return {
        "cpu_s": found.cpu,
        "wall_s": found.cpu,
        "calls": RUNS,
        "edges": len(found.pairs),
        "tests": sum(found.tests),
        "skeleton_tests": found.tests,
        "pairs_digest": pairs_digest(found.pairs),
    }


def gaussian_skeleton(
    data: NDArray[np.float64], alpha: float, directory: Path, runs: int = 1, ordering: str = "strength"
) -> Counted:
    """Fisher's z: thresholds on squared partial correlations."""
    n_samples, n = data.shape
    bound, order = canonical(hccd.FisherZ(alpha), data)
    freedom = np.maximum(n_samples - np.arange(MOST_ORDERS + 1) - 3.0, 0.0)
    with np.errstate(divide="ignore"):
        critical = np.where(freedom >= 1, np.tanh(-ndtri(alpha / 2) / np.sqrt(freedom)) ** 2, -1.0)
    program = compiled("pc_gaussian", directory)
    matrix = written(directory / "matrix.bin", bound.correlation)
    table = written(directory / "critical.bin", critical)
    return counted([program, matrix, n, table, runs, ordering], directory, order)


def discrete_skeleton(
    data: NDArray[np.int64], alpha: float, directory: Path, runs: int = 1, ordering: str = "strength"
) -> Counted:
    """G test: critical values by degrees of freedom."""
    n_samples, n = data.shape
    bound, order = canonical(hccd.GTest(alpha), data)
    most = int(bound.codes.max()) + 1
    if most > MOST_STATES:
        raise ValueError(f"a column has {most} states; the plain C program takes at most {MOST_STATES}")
    code = np.uint8 if most <= 256 else np.uint16
    # A stratum of m rows has at most (m - 1)(states - 1) degrees of freedom.
    critical = np.concatenate([[0.0], chdtri(np.arange(1, n_samples * max(most - 1, 1) + 1), alpha)])
    program = compiled("pc_discrete", directory, f"CODE={np.dtype(code).name}_t")
    codes = written(directory / "codes.bin", bound.codes.astype(code))
    table = written(directory / "critical.bin", critical)
    strength = written(directory / "strength.bin", bound.marginals().strength)
    return counted([program, codes, n, n_samples, table, runs, ordering, strength], directory, order)


def canonical(test: Any, data: NDArray[Any]) -> tuple[Any, NDArray[np.int64]]:
    """Bind our test, with the columns in the order in which our search takes them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bound = test.bind(data)
    order = bound.canonical_order([f"X{i + 1}" for i in range(data.shape[1])])
    return bound.reordered(order), order


def written(path: Path, values: NDArray[Any]) -> Path:
    """Write an array as the bytes that a C program reads."""
    np.ascontiguousarray(values).tofile(path)
    return path


def counted(command: list[Any], directory: Path, order: NDArray[np.int64]) -> Counted:
    """Run a program; its pairs get the numbers of the data's columns back."""
    edges = directory / "edges.bin"
    finished = subprocess.run([str(part) for part in [*command, edges]], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise RuntimeError(f"{Path(command[0]).name} failed: {finished.stderr.strip()}")
    said = json.loads(finished.stdout)
    pairs = np.sort(order[np.fromfile(edges, np.int32).reshape(-1, 2)], axis=1)
    return Counted(said["cpu"], said["tests"], pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
