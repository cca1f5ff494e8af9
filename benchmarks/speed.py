"""How fast PC and HCCD are, side by side with other packages, in CPU seconds of one thread.

    python -m benchmarks speed [--cap 600] [--repeats 3]

Continuous: the paper's generator, 1000 variables, connectivity 3, 1000 samples, Fisher's z at 0.01; peers from the
package registry in an environment of their own. Discrete: random networks of 2 to 4 states, connectivity 3, G test at
0.05; our HCCD against our own PC. Runs are interleaved; the best of the repeats counts. A peer that is not done within
the cap is stopped, and its row says so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import numpy as np

from benchmarks.discrete_networks import sample_discrete_network
from hccd.datasets.synthetic import LinearGaussian, random_dag

HERE = Path(__file__).parent
PEERS = ["pybnesian==0.5.1", "causal-learn==0.1.4.8"]
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def peer_python() -> str:
    """Return the interpreter of the peers' own environment, made on first use."""
    home = HERE / ".venv-peers"
    python = home / "bin" / "python"
    stamp = home / "installed.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(PEERS):
        print("installing the peers:", ", ".join(PEERS), file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pandas", *PEERS], check=True)
        stamp.write_text("\n".join(PEERS))
    return str(python)


def timed(python: str, name: str, path: Path, alpha: float, repeats: int, cap: float) -> tuple[float, int, bool]:
    """Return the best CPU seconds, the number of edges, and whether the run came to an end."""
    command = [python, str(HERE / "timed_run.py"), name, str(path), str(alpha), str(repeats)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}) as process:
        try:
            output, _ = process.communicate(timeout=cap)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    lines = output.strip().splitlines()
    if not lines:
        return cap, -1, False
    last = json.loads(lines[-1])
    return min(last["seconds"]), last["edges"], True


def continuous(directory: Path, repeats: int, cap: float) -> None:
    """PC on 1000 variables, ours and theirs."""
    rng = np.random.default_rng(1)
    model = LinearGaussian.random(random_dag(1000, 3, rng).dag, rng).shuffled(rng)
    path = directory / "gaussian.npy"
    np.save(path, model.sample(1000, rng))
    runs = [
        ("hccd PC (separating sets)", sys.executable, "hccd:pc:continuous", repeats),
        ("hccd PC (max-p)", sys.executable, "hccd:pc:continuous:max-p", repeats),
        ("hccd HCCD (separating sets)", sys.executable, "hccd:hccd:continuous", repeats),
        ("hccd HCCD (max-p, the default)", sys.executable, "hccd:hccd:continuous:max-p", repeats),
        ("pybnesian PC", peer_python(), "pybnesian", repeats),
        ("causal-learn PC", peer_python(), "causal-learn", 1),
    ]
    rows = [(label, *timed(python, name, path, 0.01, times, cap)) for label, python, name, times in runs]
    ours = rows[0][1]
    print("\n1000 variables, connectivity 3, 1000 samples, Fisher z at 0.01, one thread, CPU seconds\n")
    print("| implementation | seconds | edges | ratio to our PC |\n|---|---|---|---|")
    for label, seconds, edges, done in rows:
        if done:
            print(f"| {label} | {seconds:.3f} | {edges} | {seconds / ours:.2f} |")
        else:
            print(f"| {label} | stopped after {seconds:.0f} | - | more than {seconds / ours:.0f} |")


def discrete(directory: Path, repeats: int, cap: float) -> None:
    """HCCD against our own PC on tables."""
    print("\nDiscrete networks, connectivity 3, G test at 0.05, one thread, CPU seconds\n")
    print("| variables | states | rows | PC | HCCD | HCCD / PC |\n|---|---|---|---|---|---|")
    for n, most_states in ((70, 4), (200, 4), (200, 10)):
        for n_rows in (500, 5000):
            path = directory / f"discrete_{n}_{n_rows}.npy"
            np.save(path, sample_discrete_network(n, 3, most_states, n_rows, seed=1))
            seconds = [
                timed(sys.executable, f"hccd:{method}:discrete", path, 0.05, repeats, cap)[0]
                for method in ("pc", "hccd")
            ]
            print(
                f"| {n} | 2-{most_states} | {n_rows} | {seconds[0]:.3f} | {seconds[1]:.3f} "
                f"| {seconds[1] / seconds[0]:.2f} |"
            )


def main(arguments: list[str]) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed", description=__doc__)
    parser.add_argument("--cap", type=float, default=600, help="seconds after which a run is stopped")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        discrete(Path(name), options.repeats, options.cap)
        continuous(Path(name), options.repeats, options.cap)
