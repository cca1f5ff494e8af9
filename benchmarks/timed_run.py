"""Time one implementation on one file: run by the interpreter that has it installed, prints one line of JSON.

    python timed_run.py IMPLEMENTATION DATA.npy ALPHA REPEATS

Timed is the learning call alone, orientation included; imports and reading are not. CPU seconds of one thread: the
caller pins BLAS.
"""

import json
import sys
import time
import warnings

import numpy as np


def hccd_run(method, discrete, colliders):
    """Our own, by method."""
    import hccd

    def run(data, alpha):
        test = hccd.GTest(alpha) if discrete else hccd.FisherZ(alpha)
        return hccd.discover(data, test=test, method=method, colliders=colliders, n_jobs=1).skeleton.n_edges

    return run


def pybnesian_run(data, alpha):
    """PC of pybnesian, linear correlation test."""
    import pandas
    import pybnesian

    frame = pandas.DataFrame(data, columns=[f"X{i}" for i in range(data.shape[1])])
    graph = pybnesian.PC().estimate(pybnesian.LinearCorrelation(frame), alpha=alpha)
    return graph.num_arcs() + graph.num_edges()


def causal_learn_run(data, alpha):
    """PC-stable of causal-learn, Fisher z."""
    from causallearn.search.ConstraintBased.PC import pc

    graph = pc(data, alpha, "fisherz", stable=True, show_progress=False)
    return int((graph.G.graph != 0).sum() // 2)


def implementation(name):
    """Find the function for a name."""
    if name == "pybnesian":
        import pybnesian  # noqa: F401

        return pybnesian_run
    if name == "causal-learn":
        from causallearn.search.ConstraintBased.PC import pc  # noqa: F401

        return causal_learn_run
    _, method, kind, *colliders = name.split(":")
    return hccd_run(method, kind == "discrete", colliders[0] if colliders else "separating-set")


def main():
    """Run and report."""
    name, path, alpha, repeats = sys.argv[1:5]
    warnings.simplefilter("ignore")
    data = np.load(path)
    run = implementation(name)
    seconds = []
    for _ in range(int(repeats)):
        start = time.process_time()
        edges = run(data, float(alpha))
        seconds.append(time.process_time() - start)
        print(json.dumps({"seconds": seconds, "edges": edges}), flush=True)


if __name__ == "__main__":
    main()
